// SPDX-License-Identifier: MIT
// The numbers and parameters that all kernels of factorisations share.
R"yoke(// Before it stand the macros
//   YOKE_M_NUMBER, YOKE_M_REAL     the type of elements, and that of their parts
//   YOKE_M_COMPLEX                 1: elements are complex
//   YOKE_M_MAKE(x, y)              a complex number
//   YOKE_M_LANES                   the threads of a group; 1 on processors, whose loops become vectors
//   YOKE_M_STRIP                   the vectors that a thread solves for at once
//   YOKE_M_WIDTH                   the most columns of a panel
// Matrices lie in columns: the rows of a panel are neighbours.
YOKE_STRUCT(yoke_m_steps) {
  yoke_int64 rows, columns, batches, begin, count, flags;
  yoke_int64 a_first, a_row, a_column, a_batch;
  yoke_int64 b_first, b_row, b_column, b_batch;
  yoke_int64 c_first, c_row, c_column, c_batch;
};
#define YOKE_M_ZERO ((YOKE_M_REAL)0)
#define YOKE_M_ONE ((YOKE_M_REAL)1)
#if YOKE_M_LANES == 1
#define YOKE_M_HERE 0
#define YOKE_M_MEET()
#else
#define YOKE_M_HERE ((int)get_local_id(0))
#define YOKE_M_MEET() YOKE_BARRIER()
#endif
#if YOKE_M_COMPLEX
YOKE_M_NUMBER yoke_m_of(YOKE_M_REAL x) { return YOKE_M_MAKE(x, YOKE_M_ZERO); }
YOKE_M_REAL yoke_m_real(YOKE_M_NUMBER a) { return a.x; }
YOKE_M_NUMBER yoke_m_conj(YOKE_M_NUMBER a) { return YOKE_M_MAKE(a.x, -a.y); }
YOKE_M_NUMBER yoke_m_times(YOKE_M_NUMBER a, YOKE_M_NUMBER b) {
  return YOKE_M_MAKE(fma(-a.y, b.y, a.x * b.x), fma(a.y, b.x, a.x * b.y));
}
YOKE_M_NUMBER yoke_m_plus(YOKE_M_NUMBER a, YOKE_M_NUMBER b, YOKE_M_NUMBER to) {
  return YOKE_M_MAKE(fma(-a.y, b.y, fma(a.x, b.x, to.x)), fma(a.y, b.x, fma(a.x, b.y, to.y)));
}
YOKE_M_NUMBER yoke_m_minus(YOKE_M_NUMBER a, YOKE_M_NUMBER b, YOKE_M_NUMBER from) {
  return YOKE_M_MAKE(fma(a.y, b.y, fma(-a.x, b.x, from.x)), fma(-a.y, b.x, fma(-a.x, b.y, from.y)));
}
YOKE_M_NUMBER yoke_m_scaled(YOKE_M_NUMBER a, YOKE_M_REAL by) { return YOKE_M_MAKE(a.x * by, a.y * by); }
YOKE_M_NUMBER yoke_m_quotient(YOKE_M_NUMBER a, YOKE_M_REAL by) { return YOKE_M_MAKE(a.x / by, a.y / by); }
// A size that needs no root: pivots are chosen by it.
YOKE_M_REAL yoke_m_size(YOKE_M_NUMBER a) { return fabs(a.x) + fabs(a.y); }
YOKE_M_REAL yoke_m_length(YOKE_M_NUMBER a) { return hypot(a.x, a.y); }
YOKE_M_REAL yoke_m_square(YOKE_M_NUMBER a, YOKE_M_REAL to) { return fma(a.x, a.x, fma(a.y, a.y, to)); }
int yoke_m_is_zero(YOKE_M_NUMBER a) { return a.x == YOKE_M_ZERO && a.y == YOKE_M_ZERO; }
int yoke_m_is_finite(YOKE_M_NUMBER a) { return isfinite(a.x) && isfinite(a.y); }
// Divides by the greater part, because its square could overflow.
YOKE_M_NUMBER yoke_m_over(YOKE_M_NUMBER a, YOKE_M_NUMBER b) {
  if (fabs(b.x) >= fabs(b.y)) {
    YOKE_M_REAL q = b.y / b.x, d = fma(b.y, q, b.x);
    return YOKE_M_MAKE(fma(a.y, q, a.x) / d, fma(-a.x, q, a.y) / d);
  }
  YOKE_M_REAL q = b.x / b.y, d = fma(b.x, q, b.y);
  return YOKE_M_MAKE(fma(a.x, q, a.y) / d, fma(a.y, q, -a.x) / d);
}
#else
YOKE_M_NUMBER yoke_m_of(YOKE_M_REAL x) { return x; }
YOKE_M_REAL yoke_m_real(YOKE_M_NUMBER a) { return a; }
YOKE_M_NUMBER yoke_m_conj(YOKE_M_NUMBER a) { return a; }
YOKE_M_NUMBER yoke_m_times(YOKE_M_NUMBER a, YOKE_M_NUMBER b) { return a * b; }
YOKE_M_NUMBER yoke_m_plus(YOKE_M_NUMBER a, YOKE_M_NUMBER b, YOKE_M_NUMBER to) { return fma(a, b, to); }
YOKE_M_NUMBER yoke_m_minus(YOKE_M_NUMBER a, YOKE_M_NUMBER b, YOKE_M_NUMBER from) { return fma(-a, b, from); }
YOKE_M_NUMBER yoke_m_scaled(YOKE_M_NUMBER a, YOKE_M_REAL by) { return a * by; }
YOKE_M_NUMBER yoke_m_quotient(YOKE_M_NUMBER a, YOKE_M_REAL by) { return a / by; }
YOKE_M_REAL yoke_m_size(YOKE_M_NUMBER a) { return fabs(a); }
YOKE_M_REAL yoke_m_length(YOKE_M_NUMBER a) { return fabs(a); }
YOKE_M_REAL yoke_m_square(YOKE_M_NUMBER a, YOKE_M_REAL to) { return fma(a, a, to); }
int yoke_m_is_zero(YOKE_M_NUMBER a) { return a == YOKE_M_ZERO; }
int yoke_m_is_finite(YOKE_M_NUMBER a) { return isfinite(a); }
YOKE_M_NUMBER yoke_m_over(YOKE_M_NUMBER a, YOKE_M_NUMBER b) { return a / b; }
#endif
)yoke"
