// SPDX-License-Identifier: MIT
// The parameters of the kernels of a sort, and the digits of keys.
R"yoke(// Before it stand the macros
//   YOKE_SORT_KEY    the word of a key
//   YOKE_SORT_VALUE  the word of a value
//   YOKE_SORT_ORDER  the type in which keys are compared
//   YOKE_SORT_PLACE  the type of counts of elements
//   YOKE_SORT_PAIRS  1: keys have values
//   YOKE_SORT_REAL   1: keys are IEEE 754 numbers
//   YOKE_SORT_TRUTH  1: keys are bools
//   YOKE_SORT_FLOAT  1: keys are IEEE 754 numbers of 32 bits, on CUDA

// Units: elements; `first` and `last` are numbers of bits.
YOKE_STRUCT(yoke_s_steps) {
  yoke_int64 rows, count, tiles, tile, from, to, values_from, values_to;
  yoke_uint64 flip, infinity, first, last, numbers, in_place, pass, passes;
};

#define YOKE_SORT_PARAMETERS \
  YOKE_GLOBAL YOKE_SORT_KEY* from, YOKE_GLOBAL YOKE_SORT_KEY* to, YOKE_GLOBAL YOKE_SORT_VALUE* values_from, \
      YOKE_GLOBAL YOKE_SORT_VALUE* values_to, YOKE_GLOBAL YOKE_SORT_PLACE* table, yoke_s_steps steps

// The conversion of keys to digits in a pass.
YOKE_STRUCT(yoke_s_pass) {
  YOKE_SORT_ORDER flip, infinity;
  uint shift, mask;
};

// Returns: the pass of up to 8 bits from bit `shift` on.
yoke_s_pass yoke_s_pass_at(yoke_s_steps steps, uint shift) {
  uint left = (uint)steps.last - shift;
  yoke_s_pass pass;
  pass.flip = (YOKE_SORT_ORDER)steps.flip;
  pass.infinity = (YOKE_SORT_ORDER)steps.infinity;
  pass.shift = shift;
  pass.mask = left >= 8u ? 255u : (1u << left) - 1u;
  return pass;
}

// Returns: an unsigned integer in the order of the keys.
YOKE_SORT_ORDER yoke_s_ordered(YOKE_SORT_KEY key, YOKE_SORT_ORDER flip, YOKE_SORT_ORDER infinity) {
#if YOKE_SORT_REAL
  // 0 and -0 are equal, and NaN is last.
  YOKE_SORT_ORDER all = (YOKE_SORT_ORDER)(YOKE_SORT_KEY)~(YOKE_SORT_KEY)0, top = all ^ all >> 1;
  YOKE_SORT_ORDER x = key, size = x & (all ^ top);
  if (size == 0) x = 0;
  return size > infinity ? all : x ^ ((x & top) != 0 ? all : top) ^ flip;
#elif YOKE_SORT_TRUTH
  // A bool is true unless its byte is 0.
  return (YOKE_SORT_ORDER)(key != 0) ^ flip;
#else
  return (YOKE_SORT_ORDER)key ^ flip;
#endif
}

// Returns: the digit of a key.
uint yoke_s_digit(YOKE_SORT_KEY key, yoke_s_pass pass) {
#if YOKE_SORT_FLOAT
  // As below, in fewer instructions.
  uint bits = key == 0x80000000u ? 0u : key, order = bits ^ ((uint)((int)bits >> 31) | 0x80000000u);
  if (bits << 1 > 0xff000000u) order = ~pass.flip;
  return ((order >> pass.shift) ^ pass.flip) & pass.mask;
#else
  return (uint)(yoke_s_ordered(key, pass.flip, pass.infinity) >> pass.shift) & pass.mask;
#endif
}

// Returns: a key whose digits are the last ones.
YOKE_SORT_KEY yoke_s_last(yoke_s_pass pass) {
#if YOKE_SORT_REAL
  return (YOKE_SORT_KEY)~(YOKE_SORT_KEY)0;  // a NaN
#elif YOKE_SORT_TRUTH
  return (YOKE_SORT_KEY)(pass.flip == 0);
#else
  return (YOKE_SORT_KEY)~pass.flip;
#endif
}

#if YOKE_SUB_GROUP_SIZE == 32
#define YOKE_SORT_UNROLL(count) YOKE_UNROLL(count)
#else
// PoCL takes minutes to compile unrolled loops with barriers.
#define YOKE_SORT_UNROLL(count)
#endif

// Returns: the number of elements in a tile of a row.
uint yoke_s_tile_count(yoke_s_steps steps, yoke_int64 tile) {
  yoke_int64 left = steps.count - tile * steps.tile;
  return (uint)(left < steps.tile ? left : steps.tile);
}
)yoke"
