// SPDX-License-Identifier: MIT
// The kernel of a scan that scans the parts of each row's tiles.
R"yoke(// A block for each row replaces the part of each tile by the join of those before it, and writes the total behind.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_SCAN_BLOCK, 1, 1) yoke_x_scan_tiles(YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {
  YOKE_LOCAL yoke_x_part part[YOKE_SCAN_SHARED];
  uint here = (uint)get_local_id(0);
  YOKE_GLOBAL yoke_x_part* own =
      (YOKE_GLOBAL yoke_x_part*)left + (yoke_int64)get_group_id(0) * (steps.tiles + 1);
  yoke_x_part carried = yoke_x_neutral();
  for (yoke_int64 first = 0; first < steps.tiles; first += YOKE_SCAN_BLOCK) {
    yoke_x_part joined = first + here < steps.tiles ? own[first + here] : yoke_x_neutral();
    yoke_x_part every;
    yoke_x_part before = yoke_x_scan_block(part, joined, &every);
    if (first + here < steps.tiles) own[first + here] = here == 0 ? carried : yoke_x_join(carried, before);
    carried = yoke_x_join(carried, every);
  }
  if (here == 0) own[steps.tiles] = carried;
}
)yoke"
