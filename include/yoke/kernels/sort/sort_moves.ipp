// SPDX-License-Identifier: MIT
// Moves the elements of a tile through local memory to their places.
R"yoke(// Returns: the first element of a thread in its tile.
uint yoke_s_own(uint here) { return here / 32u * (32u * YOKE_SORT_ITEMS) + here % 32u; }

// Effects: reads the keys of a thread; missing ones become `absent`. `from` points to the tile.
void yoke_s_read(YOKE_PRIVATE YOKE_SORT_KEY* key, YOKE_GLOBAL const YOKE_SORT_KEY* from, uint mine, uint count,
                 YOKE_SORT_KEY absent) {
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    key[k] = absent;
    if (mine + 32u * k < count) key[k] = from[mine + 32u * k];
  }
}

// Effects: stores the keys of a thread in local memory, in sorted order.
void yoke_s_stage(YOKE_LOCAL_POINTER yoke_uint64* room, YOKE_PRIVATE const YOKE_SORT_KEY* key,
                  YOKE_PRIVATE const uint* packed) {
  YOKE_LOCAL_POINTER YOKE_SORT_KEY* staged = (YOKE_LOCAL_POINTER YOKE_SORT_KEY*)room;
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) staged[packed[k] & 0xffffu] = key[k];
}

// Effects: writes the keys from local memory, then the values. Position `i` of the tile goes to `bases[digit] + i`.
// Threads without a position write the last one, too: without branches for them all go faster.
// `values_from` points to the tile, and `place` is its first position.
void yoke_s_write(YOKE_GLOBAL YOKE_SORT_KEY* to, YOKE_GLOBAL YOKE_SORT_VALUE* values_to,
                  YOKE_GLOBAL const YOKE_SORT_VALUE* values_from, YOKE_LOCAL_POINTER yoke_uint64* room,
                  YOKE_LOCAL_POINTER const YOKE_SORT_PLACE* bases, YOKE_PRIVATE const uint* packed, uint mine, uint count,
                  bool numbers, yoke_int64 place, yoke_s_pass pass) {
  YOKE_LOCAL_POINTER YOKE_SORT_KEY* staged = (YOKE_LOCAL_POINTER YOKE_SORT_KEY*)room;
  uint here = (uint)get_local_id(0);
  uint digits[YOKE_SORT_ITEMS];
  YOKE_BARRIER_LOCAL();
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    uint i = min(here + 256u * k, count - 1u);
    YOKE_SORT_KEY key = staged[i];
    digits[k] = yoke_s_digit(key, pass);
    to[bases[digits[k]] + i] = key;
  }
#if YOKE_SORT_PAIRS
  YOKE_LOCAL_POINTER YOKE_SORT_VALUE* staged_values = (YOKE_LOCAL_POINTER YOKE_SORT_VALUE*)room;
  YOKE_BARRIER_LOCAL();
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    uint at = mine + 32u * k;
    if (at < count) staged_values[packed[k] & 0xffffu] = numbers ? (YOKE_SORT_VALUE)(place + at) : values_from[at];
  }
  YOKE_BARRIER_LOCAL();
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    uint i = min(here + 256u * k, count - 1u);
    values_to[bases[digits[k]] + i] = staged_values[i];
  }
#endif
}
)yoke"
