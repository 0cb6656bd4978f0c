// SPDX-License-Identifier: MIT
// The part that a reduction joins: a value for each field and, for some, the position of that value.
R"yoke(// Before it stand functions that join two values of a field, and the macros
//   YOKE_REDUCE_MEMBERS  the members of a part: f0, g0, f1, ...
//   YOKE_REDUCE_BEGIN    statements that make the part `x` neutral
//   YOKE_REDUCE_JOIN     statements that join the part `b` to `a`
//   YOKE_REDUCE_STEP     the same for an element `b` at position `at`, which is behind those in `a`
YOKE_STRUCT(yoke_x_part) {
  YOKE_REDUCE_MEMBERS
};

// Joins values with positions: the first of equal values stays, and NaN precedes all numbers.
#define YOKE_REDUCE_FIRST(f, g, better) \
  if (b.g >= 0 && (a.g < 0 || b.f better a.f || (b.f == a.f && b.g < a.g))) { \
    a.f = b.f; \
    a.g = b.g; \
  }
#define YOKE_REDUCE_FIRST_REAL(f, g, better) \
  if (b.g >= 0 && (a.g < 0 || b.f better a.f || (b.f != b.f && a.f == a.f) || \
                   ((b.f == a.f || (b.f != b.f && a.f != a.f)) && b.g < a.g))) { \
    a.f = b.f; \
    a.g = b.g; \
  }
#define YOKE_REDUCE_NEXT(f, g, no_better) \
  if (!(b.f no_better a.f)) { \
    a.f = b.f; \
    a.g = at; \
  }
#define YOKE_REDUCE_NEXT_REAL(f, g, no_better) \
  if (!(b.f no_better a.f) && a.f == a.f) { \
    a.f = b.f; \
    a.g = at; \
  }

// Joins variances: the sums of squares of the distances from two means become that of the distances from the mean of
// both. Source: Chan, Golub, LeVeque, Algorithms for computing the sample variance (1983).
#define YOKE_REDUCE_VARIANCES                                                   \
  if (b.count != 0) {                                                           \
    yoke_x_wide all = a.count + b.count, apart = b.mean - a.mean;               \
    yoke_x_wide part = a.count == b.count ? (yoke_x_wide)0.5 : b.count / all;   \
    a.f = a.f + b.f + apart * apart * (a.count * part);                         \
    a.mean = a.mean + apart * part;                                             \
    a.count = all;                                                              \
  }

yoke_x_part yoke_x_join(yoke_x_part a, yoke_x_part b) {
  YOKE_REDUCE_JOIN
  return a;
}

yoke_x_part yoke_x_step(yoke_x_part a, yoke_x_part b, uint at) {
  (void)at;
  YOKE_REDUCE_STEP
  return a;
}

yoke_x_part yoke_x_neutral(void) {
  yoke_x_part x;
  YOKE_REDUCE_BEGIN
  return x;
}
)yoke"
