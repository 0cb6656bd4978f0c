// SPDX-License-Identifier: MIT
// Sorts rows of several tiles by a digit on CPUs, where a block is one thread.
R"yoke(// Counts the digits of a tile.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) yoke_s_count(YOKE_SORT_PARAMETERS) {
  yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first);
  yoke_int64 tile = (yoke_int64)get_group_id(0) % steps.tiles, row = (yoke_int64)get_group_id(0) / steps.tiles;
  YOKE_SORT_PLACE first = (YOKE_SORT_PLACE)(row * steps.count + tile * steps.tile);
  uint count = yoke_s_tile_count(steps, tile);
  uint found[256];
  from += steps.from;
  for (uint digit = 0; digit < 256; ++digit) found[digit] = 0;
  for (uint i = 0; i < count; ++i) ++found[yoke_s_digit(from[first + i], pass)];
  for (uint digit = 0; digit < 256; ++digit) table[(row * 256 + digit) * steps.tiles + tile] = found[digit];
}

// Turns the counts of a row into the first places of each digit and tile.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) yoke_s_offsets(YOKE_SORT_PARAMETERS) {
  table += (yoke_int64)get_group_id(0) * 256 * steps.tiles;
  YOKE_SORT_PLACE before = 0;
  for (yoke_int64 i = 0; i < 256 * steps.tiles; ++i) {
    YOKE_SORT_PLACE found = table[i];
    table[i] = before;
    before += found;
  }
}

// Moves the elements of a tile.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) yoke_s_scatter(YOKE_SORT_PARAMETERS) {
  yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first);
  yoke_int64 tile = (yoke_int64)get_group_id(0) % steps.tiles, row = (yoke_int64)get_group_id(0) / steps.tiles;
  YOKE_SORT_PLACE first = (YOKE_SORT_PLACE)(row * steps.count + tile * steps.tile);
  uint count = yoke_s_tile_count(steps, tile);
  from += steps.from;
  to += steps.to;
  values_from += steps.values_from;
  values_to += steps.values_to;
  YOKE_SORT_PLACE place[256];
  for (uint digit = 0; digit < 256; ++digit) {
    place[digit] = (YOKE_SORT_PLACE)(row * steps.count) + table[(row * 256 + digit) * steps.tiles + tile];
  }
  for (uint i = 0; i < count; ++i) {
    YOKE_SORT_KEY key = from[first + i];
    YOKE_SORT_PLACE at = place[yoke_s_digit(key, pass)]++;
    to[at] = key;
    if (YOKE_SORT_PAIRS) {
      values_to[at] = steps.numbers != 0 ? (YOKE_SORT_VALUE)(tile * steps.tile + i) : values_from[first + i];
    }
  }
}
)yoke"
