// SPDX-License-Identifier: MIT
// Whole warps in CUDA C++, whose threads nobody has to count.
R"yoke(//part warps
//words yoke_warp_shuffle_up yoke_warp_peers
#define yoke_warp_shuffle_up(a, by) __shfl_up_sync(0xffffffffu, a, by)
// The threads of a warp with the same 8 bits. Votes are faster than `match.any` for so few.
#ifdef __YOKE_SIMULATOR__
#define yoke_warp_peers(bits) __match_any_sync(0xffffffffu, bits)
#else
YOKE_D_FUNCTION uint yoke_warp_peers(uint __bits) {
  uint __peers;
  asm volatile("{ .reg .pred p<8>; .reg .b32 a<8>;"
               " and.b32 a0, %1, 1; and.b32 a1, %1, 2; and.b32 a2, %1, 4; and.b32 a3, %1, 8;"
               " and.b32 a4, %1, 16; and.b32 a5, %1, 32; and.b32 a6, %1, 64; and.b32 a7, %1, 128;"
               " setp.ne.u32 p0, a0, 0; setp.ne.u32 p1, a1, 0; setp.ne.u32 p2, a2, 0; setp.ne.u32 p3, a3, 0;"
               " setp.ne.u32 p4, a4, 0; setp.ne.u32 p5, a5, 0; setp.ne.u32 p6, a6, 0; setp.ne.u32 p7, a7, 0;"
               " vote.sync.ballot.b32 a0, p0, 0xffffffff; vote.sync.ballot.b32 a1, p1, 0xffffffff;"
               " vote.sync.ballot.b32 a2, p2, 0xffffffff; vote.sync.ballot.b32 a3, p3, 0xffffffff;"
               " vote.sync.ballot.b32 a4, p4, 0xffffffff; vote.sync.ballot.b32 a5, p5, 0xffffffff;"
               " vote.sync.ballot.b32 a6, p6, 0xffffffff; vote.sync.ballot.b32 a7, p7, 0xffffffff;"
               " @!p0 not.b32 a0, a0; @!p1 not.b32 a1, a1; @!p2 not.b32 a2, a2; @!p3 not.b32 a3, a3;"
               " @!p4 not.b32 a4, a4; @!p5 not.b32 a5, a5; @!p6 not.b32 a6, a6; @!p7 not.b32 a7, a7;"
               " lop3.b32 a0, a0, a1, a2, 0x80; lop3.b32 a3, a3, a4, a5, 0x80; lop3.b32 a0, a0, a6, a7, 0x80;"
               " and.b32 %0, a0, a3; }"
               : "=r"(__peers) : "r"(__bits));
  return __peers;
}
#endif
)yoke"
