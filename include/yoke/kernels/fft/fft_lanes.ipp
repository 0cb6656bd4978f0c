// SPDX-License-Identifier: MIT
// Several passes of a Fourier transform by Stockham on a processor: one thread transforms columns in the lanes of a vector.
R"yoke(// Before it stand the functions of fft_load.ipp, their macros, those of lanes, and
//   YOKE_FFT_NAME      the name of the kernel
//   YOKE_FFT_MOST      the maximum number of points of a column
//   YOKE_FFT_BETWEEN   the points of a row that lie between two levels; 0: there is one level
//   YOKE_FFT_LEVELS    the passes: YOKE_F_READ, small transforms, products with roots, YOKE_F_WRITE
// Each reads or writes one number of each lane, of columns that are neighbours.
#define YOKE_F_READ(v, at) \
  if (from_is_dense) { \
    YOKE_GLOBAL const YOKE_FFT_REAL* p = (YOKE_GLOBAL const YOKE_FFT_REAL*)from + 2 * (from_row + (yoke_int64)(at)); \
    YOKE_FFT_VECTOR low = YOKE_FFT_VLOAD(0, p), high = YOKE_FFT_VLOAD(1, p); \
    v.x = YOKE_FFT_FIRST & YOKE_FFT_SWAP_IN ? YOKE_F_ODD(low, high) : YOKE_F_EVEN(low, high); \
    v.y = YOKE_FFT_FIRST & YOKE_FFT_SWAP_IN ? YOKE_F_EVEN(low, high) : YOKE_F_ODD(low, high); \
  } else { \
    for (int lane = 0; lane < YOKE_FFT_WIDTH; ++lane) { \
      YOKE_FFT_PAIR each = \
          YOKE_FFT_LOAD(from, factors, from_row, steps.from_stride, length, given, (at) + (YOKE_FFT_INDEX)lane); \
      lane_x[lane] = each.x; \
      lane_y[lane] = each.y; \
    } \
    v.x = YOKE_FFT_VLOAD(0, lane_x); \
    v.y = YOKE_FFT_VLOAD(0, lane_y); \
  }
// Writes one vector of each part to neighbouring elements.
#define YOKE_F_PUT(row, at, u) \
  if (to_is_dense) { \
    YOKE_GLOBAL YOKE_FFT_REAL* p = (YOKE_GLOBAL YOKE_FFT_REAL*)to + 2 * (row + (yoke_int64)(at)); \
    YOKE_FFT_VECTOR even = YOKE_FFT_LAST & YOKE_FFT_SWAP_OUT ? u.y : u.x; \
    YOKE_FFT_VECTOR odd = YOKE_FFT_LAST & YOKE_FFT_SWAP_OUT ? u.x : u.y; \
    if (YOKE_FFT_LAST & YOKE_FFT_SCALED) { \
      even = even * scale; \
      odd = odd * scale; \
    } \
    YOKE_FFT_VSTORE(YOKE_F_ZIP_LOW(even, odd), 0, p); \
    YOKE_FFT_VSTORE(YOKE_F_ZIP_HIGH(even, odd), 1, p); \
  } else { \
    YOKE_FFT_VSTORE(u.x, 0, lane_x); \
    YOKE_FFT_VSTORE(u.y, 0, lane_y); \
    for (int lane = 0; lane < YOKE_FFT_WIDTH; ++lane) { \
      YOKE_FFT_STORE(to, to_factors, row, steps.to_stride, kept, scale, (at) + (YOKE_FFT_INDEX)lane, \
                     YOKE_FFT_MAKE(lane_x[lane], lane_y[lane])); \
    } \
  }
// `all`: the points of a column. `turns_on`: whether other levels follow.
#define YOKE_F_WRITE(v, all, turns_on, place) \
  if (turns_on ? is_one_part : 1) { \
    YOKE_F_PUT(to_row, (j0 - p0 * before) + (p0 * all + (YOKE_FFT_INDEX)(place)) * before, v) \
  } else { \
    YOKE_FFT_VSTORE(v.x, 0, lane_x); \
    YOKE_FFT_VSTORE(v.y, 0, lane_y); \
    for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
      YOKE_FFT_INDEX j = j0 + (YOKE_FFT_INDEX)w, p = j / before; \
      YOKE_FFT_STORE(to, to_factors, to_row, steps.to_stride, kept, scale, \
                     (j - p * before) + (p * all + (YOKE_FFT_INDEX)(place)) * before, YOKE_FFT_MAKE(lane_x[w], lane_y[w])); \
    } \
  }
// Multiplies by roots: neighbouring ones, the same one, or those of the lanes' own parts.
#define YOKE_F_TURN(v, starts, turns_on, at) \
  { \
    YOKE_GLOBAL const YOKE_FFT_PAIR* root = turns + (at); \
    YOKE_FFT_VECTOR x, y; \
    if (starts & turns_on) { \
      YOKE_FFT_VECTOR low = YOKE_FFT_VLOAD(0, (YOKE_GLOBAL const YOKE_FFT_REAL*)root); \
      YOKE_FFT_VECTOR high = YOKE_FFT_VLOAD(1, (YOKE_GLOBAL const YOKE_FFT_REAL*)root); \
      x = YOKE_F_EVEN(low, high); \
      y = YOKE_F_ODD(low, high); \
    } else if (turns_on ? is_one_part : 1) { \
      x = (YOKE_FFT_VECTOR)(root->x); \
      y = (YOKE_FFT_VECTOR)(root->y); \
    } else { \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
        YOKE_FFT_PAIR each = root[(j0 + (YOKE_FFT_INDEX)w) / before - p0]; \
        lane_x[w] = each.x; \
        lane_y[w] = each.y; \
      } \
      x = YOKE_FFT_VLOAD(0, lane_x); \
      y = YOKE_FFT_VLOAD(0, lane_y); \
    } \
    v = yoke_f_times_lanes(v, x, y); \
  }
// The columns of the first level lie one behind the other when it has transformed them.
#define YOKE_F_COLUMNS(bx, by, all, put) \
  if (all >= YOKE_FFT_WIDTH) { \
    for (int l0 = 0; l0 < all; l0 += YOKE_FFT_WIDTH) { \
      int l = l0 + YOKE_FFT_WIDTH <= all ? l0 : all - YOKE_FFT_WIDTH; \
      YOKE_FFT_VECTOR turned_x[YOKE_FFT_WIDTH], turned_y[YOKE_FFT_WIDTH]; \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
        turned_x[w] = bx[l + w]; \
        turned_y[w] = by[l + w]; \
      } \
      yoke_f_turn(turned_x); \
      yoke_f_turn(turned_y); \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
        yoke_f_lanes u; \
        u.x = turned_x[w]; \
        u.y = turned_y[w]; \
        put(w, l, u) \
      } \
    } \
  } else { \
    for (int l = 0; l < all; ++l) { \
      YOKE_FFT_VSTORE(bx[l], 0, lane_x); \
      YOKE_FFT_VSTORE(by[l], 0, lane_y); \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { YOKE_CAT(put, _ONE)(w, l, lane_x[w], lane_y[w]) } \
    } \
  }
#define YOKE_F_TO_ROW(w, l, u) YOKE_F_PUT(to_row, (j0 + (YOKE_FFT_INDEX)w) * column + (YOKE_FFT_INDEX)l, u)
#define YOKE_F_TO_ROW_ONE(w, l, x, y) \
  YOKE_FFT_STORE(to, to_factors, to_row, steps.to_stride, kept, scale, \
                 (j0 + (YOKE_FFT_INDEX)w) * column + (YOKE_FFT_INDEX)l, YOKE_FFT_MAKE(x, y));
#define YOKE_F_BETWEEN(w, l, u) \
  YOKE_FFT_VSTORE(u.x, 0, between_x + (j0 + w) * column + l); \
  YOKE_FFT_VSTORE(u.y, 0, between_y + (j0 + w) * column + l);
#define YOKE_F_BETWEEN_ONE(w, l, x, y) \
  between_x[(j0 + w) * column + l] = x; \
  between_y[(j0 + w) * column + l] = y;
#define YOKE_F_TO_ROWS(w, l, u) \
  if (row0 + (YOKE_FFT_INDEX)w < rows) { YOKE_F_PUT(to_rows[w], (YOKE_FFT_INDEX)l, u) }
#define YOKE_F_TO_ROWS_ONE(w, l, x, y) \
  if (row0 + (YOKE_FFT_INDEX)w < rows) { \
    YOKE_FFT_STORE(to, to_factors, to_rows[w], steps.to_stride, kept, scale, (YOKE_FFT_INDEX)l, YOKE_FFT_MAKE(x, y)); \
  }
// Reads rows, one in each lane; lanes behind the last row read that one.
#define YOKE_F_ROWS(all) \
  for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
    YOKE_FFT_INDEX row = row0 + (YOKE_FFT_INDEX)w < rows ? row0 + (YOKE_FFT_INDEX)w : rows - 1; \
    from_rows[w] = YOKE_FFT_FROM_ROW(steps, row); \
    to_rows[w] = YOKE_FFT_TO_ROW(steps, row); \
  } \
  if (all >= YOKE_FFT_WIDTH && from_is_dense) { \
    for (int l0 = 0; l0 < all; l0 += YOKE_FFT_WIDTH) { \
      int l = l0 + YOKE_FFT_WIDTH <= all ? l0 : all - YOKE_FFT_WIDTH; \
      YOKE_FFT_VECTOR turned_x[YOKE_FFT_WIDTH], turned_y[YOKE_FFT_WIDTH]; \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
        YOKE_GLOBAL const YOKE_FFT_REAL* p = (YOKE_GLOBAL const YOKE_FFT_REAL*)from + 2 * (from_rows[w] + l); \
        YOKE_FFT_VECTOR low = YOKE_FFT_VLOAD(0, p), high = YOKE_FFT_VLOAD(1, p); \
        turned_x[w] = YOKE_FFT_FIRST & YOKE_FFT_SWAP_IN ? YOKE_F_ODD(low, high) : YOKE_F_EVEN(low, high); \
        turned_y[w] = YOKE_FFT_FIRST & YOKE_FFT_SWAP_IN ? YOKE_F_EVEN(low, high) : YOKE_F_ODD(low, high); \
      } \
      yoke_f_turn(turned_x); \
      yoke_f_turn(turned_y); \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
        one_x[l + w] = turned_x[w]; \
        one_y[l + w] = turned_y[w]; \
      } \
    } \
  } else { \
    for (int l = 0; l < all; ++l) { \
      for (int w = 0; w < YOKE_FFT_WIDTH; ++w) { \
        YOKE_FFT_PAIR each = \
            YOKE_FFT_LOAD(from, factors, from_rows[w], steps.from_stride, length, given, (YOKE_FFT_INDEX)l); \
        lane_x[w] = each.x; \
        lane_y[w] = each.y; \
      } \
      one_x[l] = YOKE_FFT_VLOAD(0, lane_x); \
      one_y[l] = YOKE_FFT_VLOAD(0, lane_y); \
    } \
  }
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) YOKE_FFT_NAME(
    YOKE_GLOBAL YOKE_FFT_TO* to, YOKE_GLOBAL const YOKE_FFT_FROM* from,
    YOKE_GLOBAL const YOKE_FFT_PAIR* YOKE_RESTRICT turns, YOKE_GLOBAL const YOKE_FFT_PAIR* YOKE_RESTRICT factors,
    yoke_f_steps steps, YOKE_FFT_REAL scale) {
  YOKE_GLOBAL const YOKE_FFT_PAIR* to_factors = YOKE_FFT_SPECTRUM ? factors + steps.length : factors;
  YOKE_FFT_INDEX points = (YOKE_FFT_INDEX)steps.points, length = (YOKE_FFT_INDEX)steps.length;
  YOKE_FFT_INDEX given = (YOKE_FFT_INDEX)steps.given, kept = (YOKE_FFT_INDEX)steps.kept;
  YOKE_FFT_INDEX block = (YOKE_FFT_INDEX)get_group_id(0);
  // Neighbouring numbers, which need no more than an exchange of both parts.
  int from_is_dense = YOKE_FFT_FIRST == 0;
  if (YOKE_FFT_FIRST & (YOKE_FFT_REAL_IN + YOKE_FFT_HALF + YOKE_FFT_CHIRP_IN == 0)) {
    from_is_dense = steps.from_stride == 1 && given == points;
  }
  int to_is_dense = YOKE_FFT_LAST + YOKE_FFT_SPECTRUM == 0;
  if (YOKE_FFT_LAST & (YOKE_FFT_REAL_OUT + YOKE_FFT_CHIRP_OUT == 0)) {
    to_is_dense = steps.to_stride == 1 && kept == points;
  }
  YOKE_FFT_VECTOR one_x[YOKE_FFT_MOST], one_y[YOKE_FFT_MOST], two_x[YOKE_FFT_MOST], two_y[YOKE_FFT_MOST];
  YOKE_FFT_REAL lane_x[YOKE_FFT_WIDTH], lane_y[YOKE_FFT_WIDTH];
#if YOKE_FFT_BETWEEN
  YOKE_FFT_REAL between_x[YOKE_FFT_BETWEEN], between_y[YOKE_FFT_BETWEEN];
#endif
  YOKE_FFT_LEVELS
}
#undef YOKE_F_READ
#undef YOKE_F_PUT
#undef YOKE_F_ROWS
#undef YOKE_F_WRITE
#undef YOKE_F_TURN
#undef YOKE_F_COLUMNS
#undef YOKE_F_TO_ROW
#undef YOKE_F_TO_ROW_ONE
#undef YOKE_F_BETWEEN
#undef YOKE_F_BETWEEN_ONE
#undef YOKE_F_TO_ROWS
#undef YOKE_F_TO_ROWS_ONE
)yoke"
