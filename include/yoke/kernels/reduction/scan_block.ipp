// SPDX-License-Identifier: MIT
// Scans the values of the threads of a block.
R"yoke(// Before it stand yoke_x_part and its functions, and the macros
//   YOKE_SCAN_BLOCK      the threads of a block
//   YOKE_SCAN_LOOK_BACK  1: yoke_x_up may be defined before it, on devices with warps; else 0
#if YOKE_SCAN_LOOK_BACK && YOKE_SCAN_WORDS <= 4
#define YOKE_SCAN_BY_WARPS 1
#define YOKE_SCAN_SHARED (YOKE_SCAN_BLOCK / 32)
#else
#define YOKE_SCAN_BY_WARPS 0
#define YOKE_SCAN_SHARED (2 * YOKE_SCAN_BLOCK)
#endif

// Scans `joined` of the threads of a block in YOKE_SCAN_SHARED parts of local memory. Returns: the join of the threads
// before this one; `every` becomes the join of all. It joins threads in warps of 32, and warps in their order, on
// devices without warps, too.
yoke_x_part yoke_x_scan_block(YOKE_LOCAL_POINTER yoke_x_part* part, yoke_x_part joined, YOKE_PRIVATE yoke_x_part* every) {
  uint here = (uint)get_local_id(0);
#if YOKE_SCAN_BY_WARPS
  for (uint apart = 1; apart < 32; apart *= 2) {
    yoke_x_part other = yoke_x_up(joined, apart);
    if (here % 32 >= apart) joined = yoke_x_join(other, joined);
  }
  if (here % 32 == 31) part[here / 32] = joined;
  joined = yoke_x_up(joined, 1);
  YOKE_BARRIER_LOCAL();
#else
  part[here] = joined;
  YOKE_BARRIER_LOCAL();
  uint from = 0;
  for (uint apart = 1; apart < 32; apart *= 2) {
    part[YOKE_SCAN_BLOCK - from + here] =
        here % 32 >= apart ? yoke_x_join(part[from + here - apart], part[from + here]) : part[from + here];
    from = YOKE_SCAN_BLOCK - from;
    YOKE_BARRIER_LOCAL();
  }
  if (here != 0) joined = part[from + here - 1];
#endif
  yoke_x_part before = yoke_x_neutral();
  yoke_x_part all = yoke_x_neutral();
  for (uint warp = 0; warp < YOKE_SCAN_BLOCK; warp += 32) {
    if (warp == here / 32 * 32) before = all;
#if YOKE_SCAN_BY_WARPS
    all = yoke_x_join(all, part[warp / 32]);
#else
    all = yoke_x_join(all, part[from + warp + 31]);
#endif
  }
  if (here % 32 != 0) before = yoke_x_join(before, joined);
  YOKE_BARRIER_LOCAL();
  *every = all;
  return before;
}
)yoke"
