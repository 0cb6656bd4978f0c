// SPDX-License-Identifier: MIT
// Passes parts from blocks to later blocks: a block stores its own, and waits for those of others.
R"yoke(// Before it stand yoke_x_part and the macro YOKE_SCAN_PART, the bytes of one.
#define YOKE_SCAN_WORDS ((YOKE_SCAN_PART + 3) / 4)
union yoke_x_words {
  yoke_x_part part;
  uint word[YOKE_SCAN_WORDS];
};

#if YOKE_SCAN_WORDS <= 4
// Returns: the part of the thread that is `by` threads before this one in its warp.
yoke_x_part yoke_x_up(yoke_x_part x, uint by) {
  union yoke_x_words as;
  as.word[YOKE_SCAN_WORDS - 1] = 0;
  as.part = x;
  for (int k = 0; k < YOKE_SCAN_WORDS; ++k) as.word[k] = yoke_warp_shuffle_up(as.word[k], by);
  return as.part;
}
#endif

// `left` has a counter and then `slots` slots: yoke_x_put fills one, yoke_x_take waits for one.
#if YOKE_SCAN_WORDS == 1
// One word holds the value and its mark, so both become visible at once.
void yoke_x_put(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at, yoke_x_part part) {
  YOKE_GLOBAL yoke_uint64* to = (YOKE_GLOBAL yoke_uint64*)(left + 8) + at;
  (void)slots;
  union yoke_x_words as;
  as.word[0] = 0;
  as.part = part;
  yoke_atomic_store(to, (yoke_uint64)as.word[0] | (yoke_uint64)1 << 32);
}

yoke_x_part yoke_x_take(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at) {
  YOKE_GLOBAL yoke_uint64* from = (YOKE_GLOBAL yoke_uint64*)(left + 8) + at;
  (void)slots;
  yoke_uint64 found;
  while ((found = yoke_atomic_load(from)) >> 32 == 0) yoke_pause(100);
  union yoke_x_words as;
  as.word[0] = (uint)found;
  return as.part;
}
#else
// A fence on both sides makes the value visible before its mark. Other threads may read padding, too.
void yoke_x_put(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at, yoke_x_part part) {
  YOKE_GLOBAL uint* mark = (YOKE_GLOBAL uint*)(left + 8) + at;
  YOKE_GLOBAL uint* to = (YOKE_GLOBAL uint*)(left + 8) + slots + at * YOKE_SCAN_WORDS;
  union yoke_x_words as;
  for (int k = 0; k < YOKE_SCAN_WORDS; ++k) as.word[k] = 0;
  as.part = part;
  for (int k = 0; k < YOKE_SCAN_WORDS; ++k) yoke_atomic_store(to + k, as.word[k]);
  YOKE_FENCE_GLOBAL();
  yoke_atomic_store(mark, 1u);
}

yoke_x_part yoke_x_take(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at) {
  YOKE_GLOBAL uint* mark = (YOKE_GLOBAL uint*)(left + 8) + at;
  YOKE_GLOBAL uint* from = (YOKE_GLOBAL uint*)(left + 8) + slots + at * YOKE_SCAN_WORDS;
  while (yoke_atomic_load(mark) == 0) yoke_pause(100);
  YOKE_FENCE_GLOBAL();
  union yoke_x_words as;
  for (int k = 0; k < YOKE_SCAN_WORDS; ++k) as.word[k] = yoke_atomic_load(from + k);
  return as.part;
}
#endif
)yoke"
