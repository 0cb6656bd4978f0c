// SPDX-License-Identifier: MIT
// Whole warps in OpenCL C, on NVIDIA's devices.
R"yoke(//part warps
//words yoke_warp_shuffle_up yoke_warp_peers
#ifdef YOKE_D_SUB_GROUPS_NVIDIA
#define YOKE_D_WARP(T) \
  YOKE_D_FUNCTION T yoke_warp_shuffle_up(T __a, uint __by) { \
    uint __result; \
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(__result) : "r"(as_uint(__a)), "r"(__by)); \
    return as_##T(__result); \
  }
YOKE_D_WARP(int)
YOKE_D_WARP(uint)
YOKE_D_WARP(float)
YOKE_D_FUNCTION uint yoke_warp_peers(uint __bits) {
  uint __peers = 0xffffffffu;
  for (uint __bit = 1u; __bit < 256u; __bit <<= 1) {
    uint __votes, __has = __bits & __bit;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(__votes) : "r"(__has));
    __peers &= __has != 0 ? __votes : ~__votes;
  }
  return __peers;
}
#endif
)yoke"
