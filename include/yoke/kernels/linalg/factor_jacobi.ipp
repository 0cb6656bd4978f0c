// SPDX-License-Identifier: MIT
// Rotations that make the columns of matrices orthogonal, and what singular values and eigenvalues are made of.
R"yoke(
// Before it stand also the macros
//   YOKE_M_LIMIT   columns are orthogonal if their product is at most this times their lengths, for 16 rows or less
//   YOKE_M_TINY    columns whose squares add up to less count as 0: these sums and products lose digits
//   YOKE_M_SWEEPS the most rounds through all pairs of columns
// Multiplies a matrix by a power of two, so that its greatest element is about 1. Says 1 of one with elements that are
// not finite. Flags: 1: Hermitian, of which the lower triangle is read: the first copy gets the length of a row added to
// its diagonal, so that no eigenvalue is negative; the second one does not.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_scale(YOKE_GLOBAL YOKE_M_NUMBER* all,
                                                                  YOKE_GLOBAL YOKE_M_NUMBER* copies,
                                                                  YOKE_GLOBAL int* exponents, YOKE_GLOBAL int* infos,
                                                                  yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL scratch[YOKE_M_LANES];
#endif
  int here = YOKE_M_HERE, hermitian = (of.flags & 1) != 0;
  yoke_int64 batch = (yoke_int64)get_group_id(0), m = of.rows, n = of.columns;
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL YOKE_M_NUMBER* b = copies + (of.b_first + batch * of.b_batch);
  YOKE_M_REAL most = YOKE_M_ZERO, wrong = YOKE_M_ZERO;
  for (yoke_int64 j = 0; j < n; ++j) {
    yoke_int64 begin = hermitian ? j : 0;
    for (yoke_int64 i = begin + here; i < m; i += YOKE_M_LANES) {
      YOKE_M_NUMBER value = a[i + j * of.a_column];
      most = fmax(most, yoke_m_size(yoke_m_scaled(value, (YOKE_M_REAL)0.5)));
      if (!yoke_m_is_finite(value)) wrong = YOKE_M_ONE;
    }
  }
  most = YOKE_M_GREATEST(most);
  wrong = YOKE_M_GREATEST(wrong);
  int exponent = most > YOKE_M_ZERO && wrong == YOKE_M_ZERO ? ilogb(most) + 1 : 0;
  if (here == 0) {
    exponents[batch] = exponent;
    infos[batch] = wrong == YOKE_M_ZERO ? 0 : 1;
  }
  for (yoke_int64 j = 0; j < n; ++j) {
    yoke_int64 begin = hermitian ? j : 0;
    for (yoke_int64 i = begin + here; i < m; i += YOKE_M_LANES) {
      YOKE_M_NUMBER value = a[i + j * of.a_column];
#if YOKE_M_COMPLEX
      value = YOKE_M_MAKE(ldexp(value.x, -exponent), ldexp(value.y, -exponent));
#else
      value = ldexp(value, -exponent);
#endif
      if (hermitian) {
        if (i == j) value = yoke_m_of(yoke_m_real(value));
        b[i + j * of.b_column] = value;
        b[j + i * of.b_column] = yoke_m_conj(value);
      } else {
        a[i + j * of.a_column] = value;
      }
    }
  }
  if (!hermitian) return;
  YOKE_M_MEET();
  YOKE_M_REAL longest = YOKE_M_ZERO;
  for (yoke_int64 j = here; j < n; j += YOKE_M_LANES) {
    YOKE_M_REAL sum = YOKE_M_ZERO;
    for (yoke_int64 i = 0; i < n; ++i) sum += yoke_m_size(b[i + j * of.b_column]);
    longest = fmax(longest, sum);
  }
  longest = YOKE_M_GREATEST(longest);
  for (yoke_int64 j = 0; j < n; ++j) {
    for (yoke_int64 i = here; i < n; i += YOKE_M_LANES) {
      YOKE_M_NUMBER value = b[i + j * of.b_column];
      if (i == j) value = value + yoke_m_of(longest);
      a[i + j * of.a_column] = value;
    }
  }
}

// Turns two columns so that they are orthogonal, and those of `v` with them. Returns: 0 if they were so before.
int yoke_m_turn(YOKE_GLOBAL YOKE_M_NUMBER* x, YOKE_GLOBAL YOKE_M_NUMBER* y, yoke_int64 m,
                YOKE_GLOBAL YOKE_M_NUMBER* v, YOKE_GLOBAL YOKE_M_NUMBER* w, yoke_int64 n,
                YOKE_M_REAL limit YOKE_M_SCRATCH_PARAMETER) {
  YOKE_M_REAL alpha = yoke_m_squares(x, YOKE_M_ONE, m), beta = yoke_m_squares(y, YOKE_M_ONE, m);
  YOKE_M_NUMBER gamma = yoke_m_dot(x, y, m);
  alpha = YOKE_M_TOTAL(alpha);
  beta = YOKE_M_TOTAL(beta);
  gamma = YOKE_M_TOTAL_NUMBER(gamma);
  if (alpha < YOKE_M_TINY || beta < YOKE_M_TINY) return 0;
  YOKE_M_REAL length = yoke_m_length(gamma);
  if (!(length > limit * (sqrt(alpha) * sqrt(beta)))) return 0;
  YOKE_M_NUMBER phase = yoke_m_conj(yoke_m_quotient(gamma, length));
  YOKE_M_REAL zeta = (beta - alpha) / (length + length);
  YOKE_M_REAL t = copysign(YOKE_M_ONE, zeta) / (fabs(zeta) + hypot(YOKE_M_ONE, zeta));
  YOKE_M_REAL c = YOKE_M_ONE / hypot(YOKE_M_ONE, t), s = c * t;
  YOKE_M_NUMBER cosine = yoke_m_of(c), sine = yoke_m_of(s);
  for (yoke_int64 i = YOKE_M_HERE; i < m; i += YOKE_M_LANES) {
    YOKE_M_NUMBER left = x[i], right = yoke_m_times(y[i], phase);
    x[i] = yoke_m_minus(sine, right, yoke_m_scaled(left, c));
    y[i] = yoke_m_plus(sine, left, yoke_m_scaled(right, c));
  }
  for (yoke_int64 i = YOKE_M_HERE; i < n; i += YOKE_M_LANES) {
    YOKE_M_NUMBER left = v[i], right = yoke_m_times(w[i], phase);
    v[i] = yoke_m_minus(sine, right, yoke_m_scaled(left, c));
    w[i] = yoke_m_plus(sine, left, yoke_m_scaled(right, c));
  }
  return 1;
}
// The columns of a pair: every column meets every other one once in `even - 1` steps.
int yoke_m_first(int pair, int step, int even) { return pair == 0 ? even - 1 : (step + pair) % (even - 1); }
int yoke_m_second(int pair, int step, int even) { return pair == 0 ? step : (step + even - 1 - pair) % (even - 1); }

// Turns the columns of a matrix until all are orthogonal, by one group. Says 2 if they do not become so.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_jacobi(YOKE_GLOBAL YOKE_M_NUMBER* all,
                                                                   YOKE_GLOBAL YOKE_M_NUMBER* turns,
                                                                   YOKE_GLOBAL int* infos, yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL scratch[YOKE_M_LANES];
#endif
  int n = (int)of.columns, even = n + n % 2;
  yoke_int64 batch = (yoke_int64)get_group_id(0);
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL YOKE_M_NUMBER* v = turns + (of.b_first + batch * of.b_batch);
  YOKE_M_REAL limit = YOKE_M_LIMIT * fmax(YOKE_M_ONE, sqrt((YOKE_M_REAL)of.rows / (YOKE_M_REAL)16));
  int known = infos[batch], turned = known == 0;
  // A thread has rows of its own, so that no barriers stand between pairs.
  for (int sweep = 0; sweep < YOKE_M_SWEEPS && turned; ++sweep) {
    turned = 0;
    for (int step = 0; step < even - 1; ++step) {
      for (int pair = 0; pair < even / 2; ++pair) {
        int one = yoke_m_first(pair, step, even), other = yoke_m_second(pair, step, even);
        int i = min(one, other), j = max(one, other);
        if (j < n) {
          turned |= yoke_m_turn(a + i * of.a_column, a + j * of.a_column, of.rows, v + i * of.b_column,
                                v + j * of.b_column, n, limit YOKE_M_SCRATCH);
        }
      }
    }
  }
  YOKE_M_MEET();
  if (YOKE_M_HERE == 0 && turned) infos[batch] = 2;
}
// The same for one step, by a group for each pair. Says 1 if any columns were turned.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_rotate(YOKE_GLOBAL YOKE_M_NUMBER* all,
                                                                   YOKE_GLOBAL YOKE_M_NUMBER* turns,
                                                                   YOKE_GLOBAL int* turned, yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL scratch[YOKE_M_LANES];
#endif
  int n = (int)of.columns, even = n + n % 2;
  yoke_int64 group = (yoke_int64)get_group_id(0), batch = group / (even / 2);
  int pair = (int)(group - batch * (even / 2));
  int one = yoke_m_first(pair, (int)of.begin, even), other = yoke_m_second(pair, (int)of.begin, even);
  int i = min(one, other), j = max(one, other);
  if (j >= n) return;
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL YOKE_M_NUMBER* v = turns + (of.b_first + batch * of.b_batch);
  YOKE_M_REAL limit = YOKE_M_LIMIT * fmax(YOKE_M_ONE, sqrt((YOKE_M_REAL)of.rows / (YOKE_M_REAL)16));
  int any = yoke_m_turn(a + i * of.a_column, a + j * of.a_column, of.rows, v + i * of.b_column, v + j * of.b_column, n,
                        limit YOKE_M_SCRATCH);
  if (YOKE_M_HERE == 0 && any) yoke_atomic_or(turned + of.c_first, 1);
}

// The lengths of columns, by a group for each; 0 of tiny ones. Flags: 1: instead x^H y / x^H x for columns x and y of
// two matrices.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_values(YOKE_GLOBAL YOKE_M_REAL* to,
                                                                   YOKE_GLOBAL YOKE_M_REAL* lengths,
                                                                   YOKE_GLOBAL const YOKE_M_NUMBER* from,
                                                                   YOKE_GLOBAL const YOKE_M_NUMBER* products,
                                                                   yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL scratch[YOKE_M_LANES];
#endif
  yoke_int64 group = (yoke_int64)get_group_id(0), batch = group / of.columns, j = group - batch * of.columns;
  YOKE_GLOBAL const YOKE_M_NUMBER* x = from + (of.b_first + batch * of.b_batch + j * of.b_column);
  YOKE_GLOBAL const YOKE_M_NUMBER* y = products + (of.c_first + batch * of.c_batch + j * of.c_column);
  YOKE_M_REAL squares = YOKE_M_TOTAL(yoke_m_squares(x, YOKE_M_ONE, of.rows));
  YOKE_M_REAL value = squares < YOKE_M_TINY ? YOKE_M_ZERO : sqrt(squares);
  YOKE_M_REAL length = value;
  if ((of.flags & 1) != 0) value = yoke_m_real(YOKE_M_TOTAL_NUMBER(yoke_m_dot(x, y, of.rows))) / squares;
  if (YOKE_M_HERE == 0) {
    to[group] = value;
    lengths[group] = length;
  }
}
// The place of each value in their order, and the values in this order and scale. Flags: 1: ascending.
YOKE_KERNEL yoke_m_order(YOKE_GLOBAL YOKE_M_REAL* to, YOKE_GLOBAL int* places, YOKE_GLOBAL const YOKE_M_REAL* values,
                         YOKE_GLOBAL const int* exponents, yoke_m_steps of) {
  yoke_int64 n = of.columns, threads = n * of.batches;
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < threads; k += (yoke_int64)get_global_size(0)) {
    yoke_int64 batch = k / n, own = k - batch * n;
    YOKE_M_REAL value = values[k];
    int place = 0;
    for (yoke_int64 j = 0; j < n; ++j) {
      YOKE_M_REAL other = values[batch * n + j];
      int before = (of.flags & 1) != 0 ? other < value : other > value;
      place += before || (other == value && j < own);
    }
    places[k] = place;
    to[of.a_first + batch * n + place] = ldexp(value, exponents[batch]);
  }
}
// Copies columns to their places, divided by their lengths. Flags: 1: conjugated.
YOKE_KERNEL yoke_m_collect(YOKE_GLOBAL YOKE_M_NUMBER* to, YOKE_GLOBAL const YOKE_M_NUMBER* from,
                           YOKE_GLOBAL const int* places, YOKE_GLOBAL const YOKE_M_REAL* lengths, yoke_m_steps of) {
  yoke_int64 threads = of.rows * of.columns * of.batches;
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < threads; k += (yoke_int64)get_global_size(0)) {
    yoke_int64 i = k % of.rows, column = k / of.rows, batch = column / of.columns, j = column - batch * of.columns;
    YOKE_M_NUMBER value = from[of.b_first + i * of.b_row + j * of.b_column + batch * of.b_batch];
    YOKE_M_REAL length = lengths[column];
    value = length > YOKE_M_ZERO ? yoke_m_quotient(value, length) : yoke_m_of(YOKE_M_ZERO);
    if ((of.flags & 1) != 0) value = yoke_m_conj(value);
    to[of.a_first + i * of.a_row + places[column] * of.a_column + batch * of.a_batch] = value;
  }
}
// Makes columns that have no direction, because their values are 0 or there is none, orthogonal to all others and of
// length 1: begins with the row that the others fill least.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_complete(YOKE_GLOBAL YOKE_M_NUMBER* all,
                                                                     YOKE_GLOBAL const YOKE_M_REAL* values,
                                                                     yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL scratch[YOKE_M_LANES];
  YOKE_LOCAL int places[YOKE_M_LANES];
#endif
  int here = YOKE_M_HERE;
  yoke_int64 batch = (yoke_int64)get_group_id(0), m = of.rows, n = of.columns;
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  for (yoke_int64 c = 0; c < n; ++c) {
    if (c < of.count && values[of.b_first + batch * of.count + c] != YOKE_M_ZERO) continue;
    YOKE_GLOBAL YOKE_M_NUMBER* own = a + c * of.a_column;
    // All columns behind the first one without a direction have none, and still hold zeros.
    YOKE_M_REAL least = (YOKE_M_REAL)2;
    int at = 0;
    for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) {
      YOKE_M_REAL sum = YOKE_M_ZERO;
      for (yoke_int64 j = 0; j < c; ++j) sum = yoke_m_square(a[i * of.a_row + j * of.a_column], sum);
      if (sum < least) {
        least = sum;
        at = (int)i;
      }
    }
#if YOKE_M_LANES > 1
    scratch[here] = least;
    places[here] = at;
    YOKE_BARRIER_LOCAL();
    for (int k = 0; k < YOKE_M_LANES; ++k) {
      if (scratch[k] < least || (scratch[k] == least && places[k] < at)) {
        least = scratch[k];
        at = places[k];
      }
    }
    YOKE_BARRIER_LOCAL();
#endif
    for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) own[i * of.a_row] = yoke_m_of(i == at ? YOKE_M_ONE : YOKE_M_ZERO);
    for (int round = 0; round < 3; ++round) {
      for (yoke_int64 j = 0; j < c; ++j) {
        YOKE_GLOBAL YOKE_M_NUMBER* other = a + j * of.a_column;
        YOKE_M_NUMBER sum = yoke_m_of(YOKE_M_ZERO);
        for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) {
          sum = yoke_m_plus(yoke_m_conj(other[i * of.a_row]), own[i * of.a_row], sum);
        }
        sum = YOKE_M_TOTAL_NUMBER(sum);
        for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) {
          own[i * of.a_row] = yoke_m_minus(sum, other[i * of.a_row], own[i * of.a_row]);
        }
      }
      YOKE_M_REAL squares = YOKE_M_ZERO;
      for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) squares = yoke_m_square(own[i * of.a_row], squares);
      YOKE_M_REAL length = sqrt(YOKE_M_TOTAL(squares));
      for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) own[i * of.a_row] = yoke_m_quotient(own[i * of.a_row], length);
    }
    YOKE_M_MEET();
  }
}
)yoke"
