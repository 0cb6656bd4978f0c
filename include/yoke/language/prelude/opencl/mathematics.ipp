// SPDX-License-Identifier: MIT
// Mathematics in OpenCL C: C's names for the functions of float.
R"yoke(//part mathematics
//words sqrtf rsqrtf cbrtf expf exp2f exp10f expm1f logf log2f log10f log1pf sinf cosf tanf asinf acosf atanf sinhf
//words coshf tanhf asinhf acoshf atanhf sinpif cospif floorf ceilf truncf roundf rintf fabsf erff erfcf tgammaf
//words lgammaf powf atan2f fminf fmaxf fmodf remainderf logbf ilogbf hypotf copysignf ldexpf fdimf nextafterf fmaf
#define sqrtf sqrt
#define rsqrtf rsqrt
#define cbrtf cbrt
#define expf exp
#define exp2f exp2
#define exp10f exp10
#define expm1f expm1
#define logf log
#define log2f log2
#define log10f log10
#define log1pf log1p
#define sinf sin
#define cosf cos
#define tanf tan
#define asinf asin
#define acosf acos
#define atanf atan
#define sinhf sinh
#define coshf cosh
#define tanhf tanh
#define asinhf asinh
#define acoshf acosh
#define atanhf atanh
#define sinpif sinpi
#define cospif cospi
#define floorf floor
#define ceilf ceil
#define truncf trunc
#define roundf round
#define rintf rint
#define fabsf fabs
#define erff erf
#define erfcf erfc
#define tgammaf tgamma
#define lgammaf lgamma
#define powf pow
#define atan2f atan2
#define fminf fmin
#define fmaxf fmax
#define fmodf fmod
#define remainderf remainder
#define logbf logb
#define ilogbf ilogb
#define hypotf hypot
#define copysignf copysign
#define ldexpf ldexp
#define fdimf fdim
#define nextafterf nextafter
#define fmaf fma
)yoke"
