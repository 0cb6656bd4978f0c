// SPDX-License-Identifier: MIT
// Panels of QR factorisations by reflections.
R"yoke(
// Factors columns: what is on and above the diagonal is the upper triangle; what is below are vectors v, whose first
// element is 1, of reflections I - tau v v^H.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_qr(YOKE_GLOBAL YOKE_M_NUMBER* all,
                                                               YOKE_GLOBAL YOKE_M_NUMBER* taus, yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL scratch[YOKE_M_LANES];
#endif
  int here = YOKE_M_HERE, n = (int)of.count;
  yoke_int64 batch = (yoke_int64)get_group_id(0);
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL YOKE_M_NUMBER* tau_of = taus + (of.b_first + batch * of.b_batch);
  for (int c = 0; c < n; ++c) {
    YOKE_GLOBAL YOKE_M_NUMBER* x = a + (c + c * of.a_column);
    YOKE_GLOBAL YOKE_M_NUMBER* v = x + 1;
    yoke_int64 m = of.rows - c - 1;
    YOKE_M_NUMBER first = x[0], tau = yoke_m_of(YOKE_M_ZERO);
    YOKE_M_REAL own = YOKE_M_ZERO;
    for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) own = fmax(own, yoke_m_size(v[i]));
    YOKE_M_REAL most = fmax(YOKE_M_GREATEST(own), yoke_m_size(first));
    // Squares of quotients neither overflow nor vanish.
    if (most > YOKE_M_ZERO) {
      YOKE_M_REAL squares = YOKE_M_TOTAL(yoke_m_squares(v, most, m));
      YOKE_M_NUMBER alpha = yoke_m_quotient(first, most);
#if YOKE_M_COMPLEX
      int turns = squares != YOKE_M_ZERO || alpha.y != YOKE_M_ZERO;
#else
      int turns = squares != YOKE_M_ZERO;
#endif
      if (turns) {
        YOKE_M_REAL beta = -copysign(sqrt(yoke_m_square(alpha, squares)), yoke_m_real(alpha));
        YOKE_M_NUMBER divisor = alpha - yoke_m_of(beta);
        tau = yoke_m_scaled(yoke_m_quotient(divisor, beta), -YOKE_M_ONE);
        for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) v[i] = yoke_m_over(yoke_m_quotient(v[i], most), divisor);
        if (here == 0) x[0] = yoke_m_of(beta * most);
      }
    }
    if (here == 0) tau_of[c] = tau;
    if (!yoke_m_is_zero(tau)) {
      for (int j = c + 1; j < n; ++j) {
        YOKE_GLOBAL YOKE_M_NUMBER* y = a + (c + j * of.a_column);
        YOKE_M_NUMBER top = y[0];
        YOKE_M_NUMBER sum = yoke_m_times(yoke_m_conj(tau), top + YOKE_M_TOTAL_NUMBER(yoke_m_dot(v, y + 1, m)));
        if (here == 0) y[0] = top - sum;
        for (yoke_int64 i = here; i < m; i += YOKE_M_LANES) y[i + 1] = yoke_m_minus(v[i], sum, y[i + 1]);
      }
    }
    YOKE_M_MEET();
  }
}

// The upper triangular T with H1 H2 ... = I - V T V^H, from the products V^H V. A thread has rows of its own.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_reflectors(YOKE_GLOBAL YOKE_M_NUMBER* to,
                                                                       YOKE_GLOBAL const YOKE_M_NUMBER* products,
                                                                       YOKE_GLOBAL const YOKE_M_NUMBER* taus,
                                                                       yoke_m_steps of) {
  int n = (int)of.count;
  yoke_int64 batch = (yoke_int64)get_group_id(0);
  YOKE_GLOBAL YOKE_M_NUMBER* t = to + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL const YOKE_M_NUMBER* g = products + (of.b_first + batch * of.b_batch);
  YOKE_GLOBAL const YOKE_M_NUMBER* tau_of = taus + (of.c_first + batch * of.c_batch);
  for (int i = YOKE_M_HERE; i < n; i += YOKE_M_LANES) {
    for (int j = 0; j < n; ++j) {
      YOKE_M_NUMBER sum = yoke_m_of(YOKE_M_ZERO);
      for (int k = i; k < j; ++k) sum = yoke_m_plus(t[i + k * of.a_column], g[k + j * of.b_column], sum);
      YOKE_M_NUMBER value = yoke_m_scaled(yoke_m_times(tau_of[j], sum), -YOKE_M_ONE);
      if (i == j) value = tau_of[j];
      if (i > j) value = yoke_m_of(YOKE_M_ZERO);
      t[i + j * of.a_column] = value;
    }
  }
}
)yoke"
