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
// Sums of all threads of a group. Threads add rows by turns, and a tree adds the threads, so that the order is fixed.
// One thread adds sixteen rows at once. Every thread of the group calls these functions.
#if YOKE_M_LANES == 1
#define YOKE_M_SCRATCH_PARAMETER
#define YOKE_M_SCRATCH
#define YOKE_M_TOTAL(x) (x)
#define YOKE_M_TOTAL_NUMBER(x) (x)
#define YOKE_M_GREATEST(x) (x)
YOKE_M_NUMBER yoke_m_dot(YOKE_GLOBAL const YOKE_M_NUMBER* x, YOKE_GLOBAL const YOKE_M_NUMBER* y, yoke_int64 m) {
  YOKE_M_NUMBER part[16];
  for (int p = 0; p < 16; ++p) part[p] = yoke_m_of(YOKE_M_ZERO);
  yoke_int64 i = 0;
  for (; i + 16 <= m; i += 16) {
    for (int p = 0; p < 16; ++p) part[p] = yoke_m_plus(yoke_m_conj(x[i + p]), y[i + p], part[p]);
  }
  for (int p = 0; p < 16; ++p) {
    if (i + p < m) part[p] = yoke_m_plus(yoke_m_conj(x[i + p]), y[i + p], part[p]);
  }
  for (int apart = 8; apart > 0; apart /= 2) {
    for (int p = 0; p < apart; ++p) part[p] = part[p] + part[p + apart];
  }
  return part[0];
}
YOKE_M_REAL yoke_m_squares(YOKE_GLOBAL const YOKE_M_NUMBER* x, YOKE_M_REAL by, yoke_int64 m) {
  YOKE_M_REAL part[16];
  for (int p = 0; p < 16; ++p) part[p] = YOKE_M_ZERO;
  yoke_int64 i = 0;
  for (; i + 16 <= m; i += 16) {
    for (int p = 0; p < 16; ++p) part[p] = yoke_m_square(yoke_m_quotient(x[i + p], by), part[p]);
  }
  for (int p = 0; p < 16; ++p) {
    if (i + p < m) part[p] = yoke_m_square(yoke_m_quotient(x[i + p], by), part[p]);
  }
  for (int apart = 8; apart > 0; apart /= 2) {
    for (int p = 0; p < apart; ++p) part[p] = part[p] + part[p + apart];
  }
  return part[0];
}
#else
#define YOKE_M_SCRATCH_PARAMETER , YOKE_LOCAL_POINTER YOKE_M_REAL* scratch
#define YOKE_M_SCRATCH , scratch
#define YOKE_M_TOTAL(x) yoke_m_total(x, scratch)
#define YOKE_M_TOTAL_NUMBER(x) yoke_m_total_number(x, scratch)
#define YOKE_M_GREATEST(x) yoke_m_greatest(x, scratch)
YOKE_M_REAL yoke_m_total(YOKE_M_REAL own, YOKE_LOCAL_POINTER YOKE_M_REAL* scratch) {
  int here = YOKE_M_HERE;
  scratch[here] = own;
  YOKE_BARRIER_LOCAL();
  for (int apart = YOKE_M_LANES / 2; apart > 0; apart /= 2) {
    if (here < apart) scratch[here] += scratch[here + apart];
    YOKE_BARRIER_LOCAL();
  }
  YOKE_M_REAL sum = scratch[0];
  YOKE_BARRIER_LOCAL();
  return sum;
}
YOKE_M_REAL yoke_m_greatest(YOKE_M_REAL own, YOKE_LOCAL_POINTER YOKE_M_REAL* scratch) {
  int here = YOKE_M_HERE;
  scratch[here] = own;
  YOKE_BARRIER_LOCAL();
  for (int apart = YOKE_M_LANES / 2; apart > 0; apart /= 2) {
    if (here < apart) scratch[here] = fmax(scratch[here], scratch[here + apart]);
    YOKE_BARRIER_LOCAL();
  }
  YOKE_M_REAL most = scratch[0];
  YOKE_BARRIER_LOCAL();
  return most;
}
YOKE_M_NUMBER yoke_m_total_number(YOKE_M_NUMBER own, YOKE_LOCAL_POINTER YOKE_M_REAL* scratch) {
#if YOKE_M_COMPLEX
  YOKE_M_REAL x = yoke_m_total(own.x, scratch);
  return YOKE_M_MAKE(x, yoke_m_total(own.y, scratch));
#else
  return yoke_m_total(own, scratch);
#endif
}
// The part of a thread.
YOKE_M_NUMBER yoke_m_dot(YOKE_GLOBAL const YOKE_M_NUMBER* x, YOKE_GLOBAL const YOKE_M_NUMBER* y, yoke_int64 m) {
  YOKE_M_NUMBER sum = yoke_m_of(YOKE_M_ZERO);
  for (yoke_int64 i = YOKE_M_HERE; i < m; i += YOKE_M_LANES) sum = yoke_m_plus(yoke_m_conj(x[i]), y[i], sum);
  return sum;
}
YOKE_M_REAL yoke_m_squares(YOKE_GLOBAL const YOKE_M_NUMBER* x, YOKE_M_REAL by, yoke_int64 m) {
  YOKE_M_REAL sum = YOKE_M_ZERO;
  for (yoke_int64 i = YOKE_M_HERE; i < m; i += YOKE_M_LANES) sum = yoke_m_square(yoke_m_quotient(x[i], by), sum);
  return sum;
}
#endif
)yoke"
