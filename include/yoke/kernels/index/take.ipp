// SPDX-License-Identifier: MIT
// Takes elements from indices, or puts them there.
R"yoke(// Before it stand the macros
//   YOKE_TAKE_WORD      the word in which elements are moved
//   YOKE_TAKE_INDEX     the type of indices
//   YOKE_TAKE_LARGE     1: indices have 64 bits and no sign
//   YOKE_TAKE_PUTS      1: writes elements to their indices; 0: reads them there
//   YOKE_TAKE_ONE_ROW   1: all rows have one list of indices
//   YOKE_TAKE_ONE_WORD  1: an element is one word
YOKE_KERNEL yoke_i_take(YOKE_GLOBAL YOKE_TAKE_WORD* to, YOKE_GLOBAL const YOKE_TAKE_WORD* from,
                        YOKE_GLOBAL const YOKE_TAKE_INDEX* index, yoke_int64 to_first, yoke_int64 from_first,
                        yoke_int64 index_first, yoke_int64 extent, yoke_int64 count, yoke_int64 words,
                        yoke_int64 total) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {
    yoke_int64 element = YOKE_TAKE_ONE_WORD ? i : i / words;
    yoke_int64 own = YOKE_TAKE_ONE_ROW ? element : element % count;
#if YOKE_TAKE_LARGE
    yoke_uint64 given = (yoke_uint64)index[index_first + own];
    yoke_int64 at = given > (yoke_uint64)extent ? extent : (yoke_int64)given;
#else
    yoke_int64 given = (yoke_int64)index[index_first + own];
    yoke_int64 at = given < 0 ? given + extent : given;
#endif
    if (YOKE_TAKE_PUTS) {
      if (at < 0 || at >= extent) continue;  // dropped
    } else {
      at = at < 0 ? 0 : at >= extent ? extent - 1 : at;  // the nearest element
    }
    yoke_int64 place = YOKE_TAKE_ONE_ROW ? at : element / count * extent + at;
    if (!YOKE_TAKE_ONE_WORD) place = place * words + i % words;
    if (YOKE_TAKE_PUTS) {
      to[to_first + place] = from[from_first + i];
    } else {
      to[to_first + i] = from[from_first + place];
    }
  }
}
)yoke"
