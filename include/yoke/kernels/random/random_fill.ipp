// SPDX-License-Identifier: MIT
// Fills arrays with random numbers; each thread writes those of blocks of four words.
R"yoke(// Before it stand the functions of real numbers of their type, and the macros
//   YOKE_RANDOM_KIND                  one of the kinds below
//   YOKE_RANDOM_ELEMENT               the type of an element in memory
//   YOKE_RANDOM_NUMBER                the type of the numbers a, b, c, and of drawn numbers that are not complex
//   YOKE_RANDOM_WORDS                 the words of an element: 1, 2 or 4
//   YOKE_RANDOM_LANES                 the elements of a block: 4, 2 or 1
//   YOKE_RANDOM_DOUBLE                1: real numbers are doubles
//   YOKE_RANDOM_PAIR                  1: real numbers are complex
//   YOKE_RANDOM_BLOCKS                the blocks of a thread
//   YOKE_RANDOM_LINEAR                1: elements lie without gaps
//   YOKE_RANDOM_COUNTS                1: adds a number in memory to the position of the first number
//   YOKE_RANDOM_AXES                  the maximum number of axes
//   YOKE_RANDOM_STORE(value, to, at)  a statement that stores an element
//   YOKE_RANDOM_IS_VECTOR             1: writes the elements of a block as a vector, with the macros
//   YOKE_RANDOM_VECTOR                the type of the vector
//   YOKE_RANDOM_STORE_VECTOR(to)      a statement that stores value0, value1, ... at an aligned place
#define YOKE_RANDOM_BITS 0
#define YOKE_RANDOM_UNIFORM 1
#define YOKE_RANDOM_NORMAL 2
#define YOKE_RANDOM_INTEGERS 3

YOKE_STRUCT(yoke_r_steps) {
  yoke_uint64 first;
  yoke_int64 count, offset, rank, extents[YOKE_RANDOM_AXES], strides[YOKE_RANDOM_AXES];
  uint keys[20];
};

#if YOKE_RANDOM_COUNTS
YOKE_KERNEL yoke_r_go_on(YOKE_GLOBAL yoke_uint64* drawn, yoke_uint64 count) {
  if (get_global_id(0) == 0) drawn[0] += count;
}
#define YOKE_RANDOM_DRAWN , YOKE_GLOBAL const yoke_uint64* drawn
#define YOKE_RANDOM_FIRST (steps.first + drawn[0])
#else
#define YOKE_RANDOM_DRAWN
#define YOKE_RANDOM_FIRST steps.first
#endif

// Applies f to each element of a block, with its word or words.
#define YOKE_RANDOM_LOW ((yoke_uint64)bits.y << 32 | bits.x)
#define YOKE_RANDOM_HIGH ((yoke_uint64)bits.w << 32 | bits.z)
#if YOKE_RANDOM_LANES == 4
#define YOKE_RANDOM_EACH(f) f(0, value0, bits.x) f(1, value1, bits.y) f(2, value2, bits.z) f(3, value3, bits.w)
#elif YOKE_RANDOM_LANES == 2
#define YOKE_RANDOM_EACH(f) f(0, value0, YOKE_RANDOM_LOW) f(1, value1, YOKE_RANDOM_HIGH)
#else
#define YOKE_RANDOM_EACH(f) f(0, value0, bits)
#endif

#if YOKE_RANDOM_KIND == YOKE_RANDOM_BITS
#define YOKE_RANDOM_DRAW(lane, value, word) YOKE_RANDOM_NUMBER value = word;
#elif YOKE_RANDOM_KIND == YOKE_RANDOM_UNIFORM
#if YOKE_RANDOM_DOUBLE
#define YOKE_RANDOM_UNIFORM_OF yoke_uniform_of_double
#else
#define YOKE_RANDOM_UNIFORM_OF yoke_uniform_of
#endif
// Replaces a number that was rounded up to the end of the range by the last number before it.
#define YOKE_RANDOM_DRAW(lane, value, word)                           \
  YOKE_RANDOM_NUMBER value = fma(YOKE_RANDOM_UNIFORM_OF(word), b, a); \
  value = value > c ? c : value;
#elif YOKE_RANDOM_KIND == YOKE_RANDOM_INTEGERS && YOKE_RANDOM_LANES > 1
#define YOKE_RANDOM_DRAW(lane, value, word) YOKE_RANDOM_NUMBER value = a + mul_hi(word, b);
#elif YOKE_RANDOM_KIND == YOKE_RANDOM_INTEGERS
// The upper half of the product of 128 bits and the number of integers.
yoke_uint64 yoke_r_integer(uint4 bits, yoke_uint64 b) {
  yoke_uint64 upper = YOKE_RANDOM_HIGH * b, carried = mul_hi(YOKE_RANDOM_LOW, b);
  return mul_hi(YOKE_RANDOM_HIGH, b) + (upper + carried < upper ? 1u : 0u);
}
#define YOKE_RANDOM_DRAW(lane, value, word) YOKE_RANDOM_NUMBER value = a + yoke_r_integer(word, b);
#endif

// Returns: the offset of an element.
yoke_int64 yoke_r_place(yoke_r_steps steps, yoke_int64 rest) {
  yoke_int64 place = 0;
  for (int axis = (int)steps.rank - 1; axis > 0; --axis) {
    place += rest % steps.extents[axis] * steps.strides[axis];
    rest /= steps.extents[axis];
  }
  return place + rest * steps.strides[0];
}
#define YOKE_RANDOM_PUT(lane, value, word) YOKE_RANDOM_STORE(value, to, first + lane);
#define YOKE_RANDOM_PUT_INSIDE(lane, value, word)                                             \
  if (first + lane >= 0 && first + lane < steps.count) {                                      \
    yoke_int64 place = YOKE_RANDOM_LINEAR ? first + lane : yoke_r_place(steps, first + lane); \
    YOKE_RANDOM_STORE(value, to, place);                                                      \
  }

#if YOKE_RANDOM_KIND != YOKE_RANDOM_NORMAL
#define YOKE_RANDOM_VALUES YOKE_RANDOM_EACH(YOKE_RANDOM_DRAW)
#elif YOKE_RANDOM_DOUBLE
#define YOKE_RANDOM_PAIRS double2 pair0 = yoke_normals_of_double(YOKE_RANDOM_LOW, YOKE_RANDOM_HIGH);
#if YOKE_RANDOM_PAIR
#define YOKE_RANDOM_VALUES \
  YOKE_RANDOM_PAIRS        \
  double2 value0 = make_double2(fma(b, pair0.x, a), fma(b, pair0.y, c));
#else
#define YOKE_RANDOM_VALUES \
  YOKE_RANDOM_PAIRS        \
  double value0 = fma(b, pair0.x, a), value1 = fma(b, pair0.y, a);
#endif
#else
#define YOKE_RANDOM_PAIRS float2 pair0 = yoke_normals_of(bits.x, bits.y), pair1 = yoke_normals_of(bits.z, bits.w);
#if YOKE_RANDOM_PAIR
#define YOKE_RANDOM_VALUES                                               \
  YOKE_RANDOM_PAIRS                                                      \
  float2 value0 = make_float2(fma(b, pair0.x, a), fma(b, pair0.y, c));   \
  float2 value1 = make_float2(fma(b, pair1.x, a), fma(b, pair1.y, c));
#else
#define YOKE_RANDOM_VALUES                                         \
  YOKE_RANDOM_PAIRS                                                \
  float value0 = fma(b, pair0.x, a), value1 = fma(b, pair0.y, a);  \
  float value2 = fma(b, pair1.x, a), value3 = fma(b, pair1.y, a);
#endif
#endif

// Returns: the words of a block, as yoke_philox4x32 makes them; the keys of its turns are given.
uint4 yoke_r_words(yoke_r_steps steps, yoke_uint64 block) {
  uint a = (uint)block, b = (uint)(block >> 32), c = 0u, d = YOKE_RANDOM_WORDS;
  YOKE_UNROLL(10)
  for (int turn = 0; turn < 10; ++turn) {
    yoke_uint64 one = (yoke_uint64)a * 0xd2511f53u, other = (yoke_uint64)c * 0xcd9e8d57u;
    a = (uint)(other >> 32) ^ b ^ steps.keys[2 * turn];
    b = (uint)other;
    c = (uint)(one >> 32) ^ d ^ steps.keys[2 * turn + 1];
    d = (uint)one;
  }
  return make_uint4(a, b, c, d);
}

// Writes the numbers of a block. `position`: that of the first number of all.
void yoke_r_block(YOKE_GLOBAL YOKE_RANDOM_ELEMENT* to, yoke_r_steps steps, YOKE_RANDOM_NUMBER a, YOKE_RANDOM_NUMBER b,
                  YOKE_RANDOM_NUMBER c, yoke_uint64 position, yoke_int64 number) {
  yoke_int64 first = number * YOKE_RANDOM_LANES - (yoke_int64)(position & (YOKE_RANDOM_LANES - 1));
  if (first >= steps.count) return;
  uint4 bits = yoke_r_words(steps, (position + (yoke_uint64)first) / YOKE_RANDOM_LANES);
  YOKE_RANDOM_VALUES
#if YOKE_RANDOM_LINEAR
  if (first >= 0 && first + YOKE_RANDOM_LANES <= steps.count) {
#if YOKE_RANDOM_IS_VECTOR
    if ((size_t)(to + first) % sizeof(YOKE_RANDOM_VECTOR) == 0) {
      YOKE_RANDOM_STORE_VECTOR(to + first);
      return;
    }
#endif
    YOKE_RANDOM_EACH(YOKE_RANDOM_PUT)
    return;
  }
#endif
  YOKE_RANDOM_EACH(YOKE_RANDOM_PUT_INSIDE)
}

// Without several blocks there is no loop, so that compilers for CPUs vectorise across threads.
YOKE_KERNEL yoke_r_fill(YOKE_GLOBAL YOKE_RANDOM_ELEMENT* to, yoke_r_steps steps, YOKE_RANDOM_NUMBER a,
                        YOKE_RANDOM_NUMBER b, YOKE_RANDOM_NUMBER c YOKE_RANDOM_DRAWN) {
  to += steps.offset;
  yoke_uint64 position = YOKE_RANDOM_FIRST;
  yoke_int64 number = (yoke_int64)get_global_id(0);
#if YOKE_RANDOM_BLOCKS > 1
  yoke_int64 threads = (yoke_int64)get_global_size(0);
#if YOKE_RANDOM_LINEAR && YOKE_RANDOM_IS_VECTOR
  yoke_int64 first = number * YOKE_RANDOM_LANES - (yoke_int64)(position & (YOKE_RANDOM_LANES - 1));
  yoke_int64 end = first + ((YOKE_RANDOM_BLOCKS - 1) * threads + 1) * YOKE_RANDOM_LANES;
  if (first >= 0 && end <= steps.count && (size_t)(to + first) % sizeof(YOKE_RANDOM_VECTOR) == 0) {
    yoke_uint64 block = (position + (yoke_uint64)first) / YOKE_RANDOM_LANES;
    to += first;
    YOKE_UNROLL(YOKE_RANDOM_BLOCKS)
    for (uint k = 0; k < YOKE_RANDOM_BLOCKS; ++k) {
      uint4 bits = yoke_r_words(steps, block);
      YOKE_RANDOM_VALUES
      YOKE_RANDOM_STORE_VECTOR(to);
      block += (yoke_uint64)threads;
      to += threads * YOKE_RANDOM_LANES;
    }
    return;
  }
#endif
  YOKE_UNROLL(1)
  for (uint k = 0; k < YOKE_RANDOM_BLOCKS; ++k, number += threads) {
    yoke_r_block(to, steps, a, b, c, position, number);
  }
#else
  yoke_r_block(to, steps, a, b, c, position, number);
#endif
}
)yoke"
