// SPDX-License-Identifier: MIT
// Several passes of a Fourier transform by Stockham in local memory: a block transforms some neighbouring columns.
R"yoke(// Before it stand the functions of fft_load.ipp, their macros, those of small transforms, and
//   YOKE_FFT_NAME      the name of the kernel
//   YOKE_FFT_ALL       the points of a column: the product of the lengths of the passes
//   YOKE_FFT_COLUMNS   the columns of a block
//   YOKE_FFT_THREADS   the threads of a block
//   YOKE_FFT_PITCH     the places of a column in local memory
//   YOKE_FFT_HELD      the maximum number of points that a thread holds
//   YOKE_FFT_WHOLE     1: a column is a row, which these passes transform completely
//   YOKE_FFT_START     1: the first passes of the transform
//   YOKE_FFT_TURNS     1: passes follow, so the results are multiplied by roots
//   YOKE_FFT_STAGES    YOKE_F_STAGE for each pass
// A place is left out behind each 16, so that threads that are a power of two apart use different banks.
#define YOKE_F_PLACE(at) ((at) + (at) / 16)
// A pass: the length of its small transforms, the product of those before, the small transforms of a thread; whether
// it is the first pass and the last one; the function of the small transform.
#define YOKE_F_STAGE(radix, span, count, first, last, small) \
  { \
    left /= radix; \
    int across = first ? steps.from_across != 0 : last ? steps.to_across != 0 : YOKE_FFT_COLUMNS >= 16; \
    YOKE_UNROLL(count) \
    for (int u = 0; u < count; ++u) { \
      int b = here + u * YOKE_FFT_THREADS; \
      if (count * YOKE_FFT_THREADS == YOKE_FFT_COLUMNS * YOKE_FFT_ALL / radix || b < YOKE_FFT_COLUMNS * YOKE_FFT_ALL / radix) { \
        int i = across ? b / YOKE_FFT_COLUMNS : b % (YOKE_FFT_ALL / radix); \
        int c = across ? b % YOKE_FFT_COLUMNS : b / (YOKE_FFT_ALL / radix); \
        if (first) { \
          YOKE_FFT_INDEX column = column0 + (YOKE_FFT_INDEX)c; \
          if (column < columns) { \
            YOKE_FFT_INDEX row = YOKE_FFT_WHOLE ? column : column / part; \
            YOKE_FFT_INDEX j = YOKE_FFT_WHOLE ? 0 : column - row * part; \
            yoke_int64 from_row = YOKE_FFT_FROM_ROW(steps, row); \
            YOKE_UNROLL(radix) \
            for (int k = 0; k < radix; ++k) { \
              v[u * radix + k] = YOKE_FFT_LOAD(from, factors, from_row, steps.from_stride, length, given, \
                                               j + (YOKE_FFT_INDEX)(i + k * (YOKE_FFT_ALL / radix)) * part); \
            } \
          } else { \
            YOKE_UNROLL(radix) \
            for (int k = 0; k < radix; ++k) v[u * radix + k] = YOKE_FFT_MAKE(0, 0); \
          } \
        } else { \
          YOKE_UNROLL(radix) \
          for (int k = 0; k < radix; ++k) { \
            v[u * radix + k] = tile[c * YOKE_FFT_PITCH + YOKE_F_PLACE(i + k * (YOKE_FFT_ALL / radix))]; \
          } \
        } \
      } \
    } \
    if (first + last == 0) YOKE_BARRIER_LOCAL(); \
    YOKE_UNROLL(count) \
    for (int u = 0; u < count; ++u) { \
      int b = here + u * YOKE_FFT_THREADS; \
      if (count * YOKE_FFT_THREADS == YOKE_FFT_COLUMNS * YOKE_FFT_ALL / radix || b < YOKE_FFT_COLUMNS * YOKE_FFT_ALL / radix) { \
        int i = across ? b / YOKE_FFT_COLUMNS : b % (YOKE_FFT_ALL / radix); \
        int c = across ? b % YOKE_FFT_COLUMNS : b / (YOKE_FFT_ALL / radix); \
        YOKE_FFT_INDEX column = column0 + (YOKE_FFT_INDEX)c; \
        YOKE_FFT_INDEX row = YOKE_FFT_WHOLE ? column : column / part; \
        YOKE_FFT_INDEX j = YOKE_FFT_WHOLE ? 0 : column - row * part; \
        YOKE_FFT_INDEX p = YOKE_FFT_START ? j : YOKE_FFT_TURNS ? j / before : 0; \
        int q = i % span; \
        small(v + u * radix); \
        if (last ? YOKE_FFT_TURNS : 1) { \
          YOKE_FFT_INDEX turn = turn0 + p + (YOKE_FFT_INDEX)(i / span) * (part / before); \
          YOKE_UNROLL(radix) \
          for (int k = 1; k < radix; ++k) { \
            v[u * radix + k] = yoke_f_times(v[u * radix + k], turns[turn + (YOKE_FFT_INDEX)(k - 1) * left]); \
          } \
        } \
        if (last) { \
          if (column < columns) { \
            yoke_int64 to_row = YOKE_FFT_TO_ROW(steps, row); \
            YOKE_FFT_INDEX at = (j - p * before) + p * before * YOKE_FFT_ALL; \
            YOKE_UNROLL(radix) \
            for (int k = 0; k < radix; ++k) { \
              YOKE_FFT_STORE(to, to_factors, to_row, steps.to_stride, kept, scale, \
                             at + (YOKE_FFT_INDEX)(q + (i - q) * radix + span * k) * before, v[u * radix + k]); \
            } \
          } \
        } else { \
          YOKE_UNROLL(radix) \
          for (int k = 0; k < radix; ++k) { \
            tile[c * YOKE_FFT_PITCH + YOKE_F_PLACE(q + (i - q) * radix + span * k)] = v[u * radix + k]; \
          } \
        } \
      } \
    } \
    if (!last) YOKE_BARRIER_LOCAL(); \
    turn0 += (YOKE_FFT_INDEX)(radix - 1) * left; \
  }
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_FFT_THREADS, 1, 1) YOKE_FFT_NAME(
    YOKE_GLOBAL YOKE_FFT_TO* to, YOKE_GLOBAL const YOKE_FFT_FROM* from,
    YOKE_GLOBAL const YOKE_FFT_PAIR* YOKE_RESTRICT turns, YOKE_GLOBAL const YOKE_FFT_PAIR* YOKE_RESTRICT factors,
    yoke_f_steps steps, YOKE_FFT_REAL scale) {
  YOKE_LOCAL YOKE_FFT_PAIR tile[YOKE_FFT_COLUMNS * YOKE_FFT_PITCH];
  int here = (int)get_local_id(0);
  YOKE_GLOBAL const YOKE_FFT_PAIR* to_factors = YOKE_FFT_SPECTRUM ? factors + steps.length : factors;
  YOKE_FFT_INDEX length = (YOKE_FFT_INDEX)steps.length, given = (YOKE_FFT_INDEX)steps.given;
  YOKE_FFT_INDEX kept = (YOKE_FFT_INDEX)steps.kept, columns = (YOKE_FFT_INDEX)steps.count;
  YOKE_FFT_INDEX before = YOKE_FFT_START ? 1 : (YOKE_FFT_INDEX)steps.span;
  YOKE_FFT_INDEX part = YOKE_FFT_WHOLE ? 1 : (YOKE_FFT_INDEX)steps.points / YOKE_FFT_ALL;
  YOKE_FFT_INDEX turn0 = (YOKE_FFT_INDEX)steps.turns, left = part / before * YOKE_FFT_ALL;
  YOKE_FFT_INDEX column0 = (YOKE_FFT_INDEX)get_group_id(0) * YOKE_FFT_COLUMNS;
  YOKE_FFT_PAIR v[YOKE_FFT_HELD];
  YOKE_FFT_STAGES
}
#undef YOKE_F_PLACE
#undef YOKE_F_STAGE
)yoke"
