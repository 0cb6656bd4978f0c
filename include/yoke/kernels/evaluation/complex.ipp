// SPDX-License-Identifier: MIT
// The functions of complex numbers, of one precision.
R"yoke(// Before it stand the macros
//   YOKE_C                the vector type: a complex number
//   YOKE_R                the type of its parts
//   YOKE_MAKE(x, y)       a complex number of two parts
//   YOKE_K(x)             a literal of the type of the parts, because some devices lack double
//   YOKE_F(name)          the name of a function below in this precision
//   YOKE_GREAT            a quarter of the greatest number, or less; the square of YOKE_GREAT_ROOT does not overflow
//   YOKE_GREAT_EXP        exp of it does not overflow
//   YOKE_GREAT_TANH       tanh of it is 1
//   YOKE_SMALL            a small number; the square of YOKE_SMALL_ROOT does not underflow
//   YOKE_UP, YOKE_DOWN    a power of 4 that makes small numbers normal, and one divided by its root
//   YOKE_WANTS_name       defined: this function is wanted
#if defined(YOKE_WANTS_pow)
#define YOKE_WANTS_log
#define YOKE_WANTS_exp
#define YOKE_WANTS_divided
#define YOKE_WANTS_times
#endif
#if defined(YOKE_WANTS_atan)
#define YOKE_WANTS_atanh
#endif
#if defined(YOKE_WANTS_asinh)
#define YOKE_WANTS_asin
#endif
#if defined(YOKE_WANTS_acosh)
#define YOKE_WANTS_log_of_twice
#define YOKE_WANTS_sqrt
#endif
#if defined(YOKE_WANTS_acos)
#define YOKE_WANTS_log_of_twice
#define YOKE_WANTS_sqrt
#endif
#if defined(YOKE_WANTS_asin)
#define YOKE_WANTS_log_of_twice
#define YOKE_WANTS_sqrt
#endif
#if defined(YOKE_WANTS_tan)
#define YOKE_WANTS_tanh
#endif
#if defined(YOKE_WANTS_cos)
#define YOKE_WANTS_cosh
#endif
#if defined(YOKE_WANTS_sin)
#define YOKE_WANTS_sinh
#endif
#if defined(YOKE_WANTS_log10)
#define YOKE_WANTS_log
#endif

#if defined(YOKE_WANTS_times)
YOKE_C YOKE_F(times)(YOKE_C a, YOKE_C b) {
  return YOKE_MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
#undef YOKE_WANTS_times
#endif

#if defined(YOKE_WANTS_scaled)
YOKE_C YOKE_F(scaled)(YOKE_C a, YOKE_R b) {
  return YOKE_MAKE(a.x * b, a.y * b);
}
#undef YOKE_WANTS_scaled
#endif

#if defined(YOKE_WANTS_conj)
YOKE_C YOKE_F(conj)(YOKE_C a) {
  return YOKE_MAKE(a.x, -a.y);
}
#undef YOKE_WANTS_conj
#endif

#if defined(YOKE_WANTS_equal)
int YOKE_F(equal)(YOKE_C a, YOKE_C b) {
  return a.x == b.x && a.y == b.y;
}
#undef YOKE_WANTS_equal
#endif

#if defined(YOKE_WANTS_abs)
YOKE_R YOKE_F(abs)(YOKE_C a) {
  return hypot(a.x, a.y);
}
#undef YOKE_WANTS_abs
#endif

#if defined(YOKE_WANTS_arg)
YOKE_R YOKE_F(arg)(YOKE_C a) {
  return atan2(a.y, a.x);
}
#undef YOKE_WANTS_arg
#endif

// Divides by the greater part, because its square could overflow.
#if defined(YOKE_WANTS_divided)
YOKE_C YOKE_F(divided)(YOKE_C a, YOKE_C b) {
  if (fmax(fabs(b.x), fabs(b.y)) > YOKE_GREAT) {
    a = YOKE_MAKE(a.x * YOKE_K(0.25), a.y * YOKE_K(0.25));
    b = YOKE_MAKE(b.x * YOKE_K(0.25), b.y * YOKE_K(0.25));
  }
  if (fabs(b.x) >= fabs(b.y)) {
    if (b.x == (YOKE_R)0) return YOKE_MAKE(a.x / fabs(b.x), a.y / fabs(b.x));
    YOKE_R q = b.y / b.x, d = b.x + b.y * q;
    return YOKE_MAKE((a.x + a.y * q) / d, (a.y - a.x * q) / d);
  }
  YOKE_R q = b.x / b.y, d = b.y + b.x * q;
  return YOKE_MAKE((a.x * q + a.y) / d, (a.y * q - a.x) / d);
}
#undef YOKE_WANTS_divided
#endif

#if defined(YOKE_WANTS_quotient)
YOKE_C YOKE_F(quotient)(YOKE_C a, YOKE_R b) {
  return YOKE_MAKE(a.x / b, a.y / b);
}
#undef YOKE_WANTS_quotient
#endif

// exp(x) may overflow where the result does not: calculates exp(x / 2) and squares it last.
#if defined(YOKE_WANTS_exp)
YOKE_C YOKE_F(exp)(YOKE_C a) {
  if (a.y == (YOKE_R)0) return YOKE_MAKE(exp(a.x), a.y);
  if (a.x < (YOKE_R)0 && isinf(a.x)) return YOKE_MAKE((YOKE_R)0, (YOKE_R)0);
  YOKE_R c = cos(a.y), s = sin(a.y);
  if (a.x > YOKE_GREAT_EXP) {
    YOKE_R e = exp(a.x * YOKE_K(0.5));
    return YOKE_MAKE(e * c * e, e * s * e);
  }
  YOKE_R e = exp(a.x);
  return YOKE_MAKE(e * c, e * s);
}
#undef YOKE_WANTS_exp
#endif

// Near the unit circle log(hypot(x, y)) would lose its digits.
#if defined(YOKE_WANTS_log)
YOKE_C YOKE_F(log)(YOKE_C a) {
  YOKE_R x = fabs(a.x), y = fabs(a.y);
  YOKE_R most = fmax(x, y), least = fmin(x, y), h = hypot(x, y), size;
  if (h > YOKE_K(0.5) && h < (YOKE_R)2) {
    size = YOKE_K(0.5) * log1p((most - (YOKE_R)1) * (most + (YOKE_R)1) + least * least);
  } else if (isinf(h) && !isinf(most)) {
    size = log(hypot(x * YOKE_K(0.5), y * YOKE_K(0.5))) + YOKE_K(0.69314718055994530942);
  } else {
    size = log(h);
  }
  return YOKE_MAKE(size, atan2(a.y, a.x));
}
#undef YOKE_WANTS_log
#endif

#if defined(YOKE_WANTS_log10)
YOKE_C YOKE_F(log10)(YOKE_C a) {
  YOKE_C l = YOKE_F(log)(a);
  return YOKE_MAKE(l.x * YOKE_K(0.43429448190325182765), l.y * YOKE_K(0.43429448190325182765));
}
#undef YOKE_WANTS_log10
#endif

#if defined(YOKE_WANTS_sqrt)
YOKE_C YOKE_F(sqrt)(YOKE_C a) {
  if (isinf(a.y)) return YOKE_MAKE(fabs(a.y), a.y);
  YOKE_R x = a.x, y = a.y, most = fmax(fabs(x), fabs(y)), back = (YOKE_R)1;
  if (most == (YOKE_R)0) return YOKE_MAKE((YOKE_R)0, y);
  if (most > YOKE_GREAT) {
    x *= YOKE_K(0.25);
    y *= YOKE_K(0.25);
    back = (YOKE_R)2;
  } else if (most < YOKE_SMALL) {
    x *= YOKE_UP;
    y *= YOKE_UP;
    back = YOKE_DOWN;
  }
  YOKE_R t = sqrt((fabs(x) + hypot(x, y)) * YOKE_K(0.5));
  if (x >= (YOKE_R)0) return YOKE_MAKE(t * back, y / (t + t) * back);
  return YOKE_MAKE(fabs(y) / (t + t) * back, copysign(t, y) * back);
}
#undef YOKE_WANTS_sqrt
#endif

// As `exp`: multiplies by exp(|x| / 2) twice where exp(|x|) could overflow.
#if defined(YOKE_WANTS_sinh)
YOKE_C YOKE_F(sinh)(YOKE_C a) {
  if (a.y == (YOKE_R)0) return YOKE_MAKE(sinh(a.x), a.y);
  YOKE_R c = cos(a.y), s = sin(a.y);
  if (fabs(a.x) > YOKE_GREAT_EXP) {
    YOKE_R e = exp(fabs(a.x) * YOKE_K(0.5)), h = e * YOKE_K(0.5);
    return YOKE_MAKE(copysign(h, a.x) * c * e, h * s * e);
  }
  return YOKE_MAKE(sinh(a.x) * c, cosh(a.x) * s);
}
#undef YOKE_WANTS_sinh
#endif

#if defined(YOKE_WANTS_cosh)
YOKE_C YOKE_F(cosh)(YOKE_C a) {
  if (a.y == (YOKE_R)0) return YOKE_MAKE(cosh(a.x), copysign((YOKE_R)1, a.x) * a.y);
  YOKE_R c = cos(a.y), s = sin(a.y);
  if (fabs(a.x) > YOKE_GREAT_EXP) {
    YOKE_R e = exp(fabs(a.x) * YOKE_K(0.5)), h = e * YOKE_K(0.5);
    return YOKE_MAKE(h * c * e, copysign(h, a.x) * s * e);
  }
  return YOKE_MAKE(cosh(a.x) * c, sinh(a.x) * s);
}
#undef YOKE_WANTS_cosh
#endif

#if defined(YOKE_WANTS_tanh)
YOKE_C YOKE_F(tanh)(YOKE_C a) {
  if (fabs(a.x) > YOKE_GREAT_TANH) {
    YOKE_R e = exp((YOKE_R)-2 * fabs(a.x));
    return YOKE_MAKE(copysign((YOKE_R)1, a.x), (YOKE_R)4 * sin(a.y) * cos(a.y) * e);
  }
  YOKE_R t = tan(a.y), s = sinh(a.x), b = (YOKE_R)1 + t * t, d = (YOKE_R)1 + b * s * s;
  return YOKE_MAKE(b * sqrt((YOKE_R)1 + s * s) * s / d, t / d);
}
#undef YOKE_WANTS_tanh
#endif

#if defined(YOKE_WANTS_sin)
YOKE_C YOKE_F(sin)(YOKE_C a) {
  YOKE_C h = YOKE_F(sinh)(YOKE_MAKE(-a.y, a.x));
  return YOKE_MAKE(h.y, -h.x);
}
#undef YOKE_WANTS_sin
#endif

#if defined(YOKE_WANTS_cos)
YOKE_C YOKE_F(cos)(YOKE_C a) {
  return YOKE_F(cosh)(YOKE_MAKE(-a.y, a.x));
}
#undef YOKE_WANTS_cos
#endif

#if defined(YOKE_WANTS_tan)
YOKE_C YOKE_F(tan)(YOKE_C a) {
  YOKE_C h = YOKE_F(tanh)(YOKE_MAKE(-a.y, a.x));
  return YOKE_MAKE(h.y, -h.x);
}
#undef YOKE_WANTS_tan
#endif

// The inverse functions and their branch cuts follow W. Kahan, "Branch cuts for complex elementary functions":
// sums do not cancel, and the sign of zero selects the side of a cut. Where squares would overflow, log(2 z) is
// exact enough.
#if defined(YOKE_WANTS_log_of_twice)
YOKE_R YOKE_F(log_of_twice)(YOKE_C a) {
  return log(hypot(a.x * YOKE_K(0.5), a.y * YOKE_K(0.5))) + YOKE_K(1.38629436111989061883);
}
#undef YOKE_WANTS_log_of_twice
#endif

#if defined(YOKE_WANTS_asin)
YOKE_C YOKE_F(asin)(YOKE_C a) {
  if (fmax(fabs(a.x), fabs(a.y)) > YOKE_GREAT_ROOT) return YOKE_MAKE(atan2(a.x, fabs(a.y)), copysign(YOKE_F(log_of_twice)(a), a.y));
  YOKE_C p = YOKE_F(sqrt)(YOKE_MAKE((YOKE_R)1 - a.x, -a.y)), q = YOKE_F(sqrt)(YOKE_MAKE((YOKE_R)1 + a.x, a.y));
  return YOKE_MAKE(atan2(a.x, p.x * q.x - p.y * q.y), asinh(p.x * q.y - p.y * q.x));
}
#undef YOKE_WANTS_asin
#endif

#if defined(YOKE_WANTS_acos)
YOKE_C YOKE_F(acos)(YOKE_C a) {
  if (fmax(fabs(a.x), fabs(a.y)) > YOKE_GREAT_ROOT) return YOKE_MAKE(atan2(fabs(a.y), a.x), copysign(YOKE_F(log_of_twice)(a), -a.y));
  YOKE_C p = YOKE_F(sqrt)(YOKE_MAKE((YOKE_R)1 - a.x, -a.y)), q = YOKE_F(sqrt)(YOKE_MAKE((YOKE_R)1 + a.x, a.y));
  return YOKE_MAKE((YOKE_R)2 * atan2(p.x, q.x), asinh(q.x * p.y - q.y * p.x));
}
#undef YOKE_WANTS_acos
#endif

#if defined(YOKE_WANTS_acosh)
YOKE_C YOKE_F(acosh)(YOKE_C a) {
  if (fmax(fabs(a.x), fabs(a.y)) > YOKE_GREAT_ROOT) return YOKE_MAKE(YOKE_F(log_of_twice)(a), atan2(a.y, a.x));
  YOKE_C p = YOKE_F(sqrt)(YOKE_MAKE(a.x - (YOKE_R)1, a.y)), q = YOKE_F(sqrt)(YOKE_MAKE(a.x + (YOKE_R)1, a.y));
  return YOKE_MAKE(asinh(p.x * q.x + p.y * q.y), (YOKE_R)2 * atan2(p.y, q.x));
}
#undef YOKE_WANTS_acosh
#endif

#if defined(YOKE_WANTS_asinh)
YOKE_C YOKE_F(asinh)(YOKE_C a) {
  YOKE_C h = YOKE_F(asin)(YOKE_MAKE(a.y, -a.x));
  return YOKE_MAKE(-h.y, h.x);
}
#undef YOKE_WANTS_asinh
#endif

#if defined(YOKE_WANTS_atanh)
YOKE_C YOKE_F(atanh)(YOKE_C a) {
  YOKE_R x = fabs(a.x), y = fabs(a.y), most = fmax(x, y), size, angle;
  if (isinf(x) || isinf(y)) {
    size = (YOKE_R)0;
    angle = YOKE_K(1.57079632679489661923);
  } else if (most > YOKE_GREAT_ROOT) {
    YOKE_R h = hypot(x * YOKE_K(0.5), y * YOKE_K(0.5));
    size = x * YOKE_K(0.25) / h / h;
    angle = YOKE_K(1.57079632679489661923);
  } else if (x == (YOKE_R)1 && y < YOKE_SMALL_ROOT) {
    size = YOKE_K(0.34657359027997265471) - YOKE_K(0.5) * log(y);
    angle = y == (YOKE_R)0 ? (YOKE_R)0 : YOKE_K(0.78539816339744830962);
  } else {
    YOKE_R d = (YOKE_R)1 - x;
    size = YOKE_K(0.25) * log1p((YOKE_R)4 * x / (d * d + y * y));
    angle = YOKE_K(0.5) * atan2((YOKE_R)2 * y, d * ((YOKE_R)1 + x) - y * y);
  }
  return YOKE_MAKE(copysign(size, a.x), copysign(angle, a.y));
}
#undef YOKE_WANTS_atanh
#endif

#if defined(YOKE_WANTS_atan)
YOKE_C YOKE_F(atan)(YOKE_C a) {
  YOKE_C h = YOKE_F(atanh)(YOKE_MAKE(-a.y, a.x));
  return YOKE_MAKE(h.y, -h.x);
}
#undef YOKE_WANTS_atan
#endif

// Whole exponents multiply, so that pow(z, 2) equals z * z.
#if defined(YOKE_WANTS_pow)
YOKE_C YOKE_F(pow)(YOKE_C a, YOKE_C b) {
  if (b.y == (YOKE_R)0 && b.x == rint(b.x) && fabs(b.x) <= (YOKE_R)64) {
    YOKE_C product = YOKE_MAKE((YOKE_R)1, (YOKE_R)0), square = a;
    for (int n = (int)fabs(b.x); n != 0; n >>= 1) {
      if ((n & 1) != 0) product = YOKE_F(times)(product, square);
      if (n > 1) square = YOKE_F(times)(square, square);
    }
    return b.x < (YOKE_R)0 ? YOKE_F(divided)(YOKE_MAKE((YOKE_R)1, (YOKE_R)0), product) : product;
  }
  if (a.x == (YOKE_R)0 && a.y == (YOKE_R)0) {
    YOKE_R zero = b.x > (YOKE_R)0 ? (YOKE_R)0 : (YOKE_R)0 / a.x;
    return YOKE_MAKE(zero, zero);
  }
  return YOKE_F(exp)(YOKE_F(times)(b, YOKE_F(log)(a)));
}
#undef YOKE_WANTS_pow
#endif
)yoke"
