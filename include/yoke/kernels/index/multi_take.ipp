// SPDX-License-Identifier: MIT
// Takes elements of several arrays from one list of indices, or puts them there.
R"yoke(// Before it stand the macros
//   YOKE_MULTI_INDEX   the type of indices
//   YOKE_MULTI_LARGE   1: indices have 64 bits and no sign
//   YOKE_MULTI_ARRAYS  for each array: destination, source, their first words, extent, words of an element
//   YOKE_MULTI_MOVES   a `YOKE_MULTI_TAKE` or a `YOKE_MULTI_PUT` of the parameters of each array

// The element at an index, or the nearest one, becomes element `i`.
#define YOKE_MULTI_TAKE(to, from, to_first, from_first, extent, words) \
  { \
    yoke_int64 at = given < -extent ? 0 : given < 0 ? given + extent : given < extent ? given : extent - 1; \
    for (yoke_int64 k = 0; k < words; ++k) to[to_first + i * words + k] = from[from_first + at * words + k]; \
  }
// Element `i` goes to an index; it is dropped outside.
#define YOKE_MULTI_PUT(to, from, to_first, from_first, extent, words) \
  if (given >= -extent && given < extent) { \
    yoke_int64 at = given < 0 ? given + extent : given; \
    for (yoke_int64 k = 0; k < words; ++k) to[to_first + at * words + k] = from[from_first + i * words + k]; \
  }

YOKE_KERNEL yoke_i_multi_take(YOKE_GLOBAL const YOKE_MULTI_INDEX* index, YOKE_MULTI_ARRAYS, yoke_int64 index_first,
                              yoke_int64 total) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {
#if YOKE_MULTI_LARGE
    yoke_uint64 large = (yoke_uint64)index[index_first + i];
    yoke_int64 given = large > 0x7fffffffffffffffu ? 0x7fffffffffffffff : (yoke_int64)large;
#else
    yoke_int64 given = (yoke_int64)index[index_first + i];
#endif
    YOKE_MULTI_MOVES
  }
}
#undef YOKE_MULTI_TAKE
#undef YOKE_MULTI_PUT
)yoke"
