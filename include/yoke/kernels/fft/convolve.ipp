// SPDX-License-Identifier: MIT
// Convolutions by their definition, and products of transforms.
R"yoke(// Before it stand yoke_f_times and the macros
//   YOKE_CONVOLVE_VALUE     the type of elements
//   YOKE_CONVOLVE_PAIR      the type of complex numbers
//   YOKE_CONVOLVE_MAKE(x, y)   a complex number
//   YOKE_CONVOLVE_IS_PAIR   1: elements are complex
//   YOKE_CONVOLVE_BACK      1: the second array goes backwards, conjugate
YOKE_KERNEL yoke_f_convolve(YOKE_GLOBAL YOKE_CONVOLVE_VALUE* to, YOKE_GLOBAL const YOKE_CONVOLVE_VALUE* left,
                            YOKE_GLOBAL const YOKE_CONVOLVE_VALUE* right, yoke_int64 to_first, yoke_int64 left_first,
                            yoke_int64 right_first, yoke_int64 left_count, yoke_int64 right_count, yoke_int64 start,
                            yoke_int64 count) {
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < count; k += (yoke_int64)get_global_size(0)) {
    yoke_int64 at = start + k;
    yoke_int64 i = at < right_count ? 0 : at - right_count + 1;
    yoke_int64 end = at < left_count ? at : left_count - 1;
#if YOKE_CONVOLVE_IS_PAIR
    YOKE_CONVOLVE_VALUE sum = YOKE_CONVOLVE_MAKE(0, 0);
#else
    YOKE_CONVOLVE_VALUE sum = 0;
#endif
    for (; i <= end; ++i) {
      YOKE_CONVOLVE_VALUE a = left[left_first + i];
#if YOKE_CONVOLVE_BACK
      YOKE_CONVOLVE_VALUE b = right[right_first + right_count - 1 - (at - i)];
#if YOKE_CONVOLVE_IS_PAIR
      b.y = -b.y;
#endif
#else
      YOKE_CONVOLVE_VALUE b = right[right_first + at - i];
#endif
#if YOKE_CONVOLVE_IS_PAIR
      sum = YOKE_CONVOLVE_MAKE(fma(-a.y, b.y, fma(a.x, b.x, sum.x)), fma(a.y, b.x, fma(a.x, b.y, sum.y)));
#else
      sum = fma(a, b, sum);
#endif
    }
    to[to_first + k] = sum;
  }
}

YOKE_KERNEL yoke_f_product(YOKE_GLOBAL YOKE_CONVOLVE_PAIR* to, YOKE_GLOBAL const YOKE_CONVOLVE_PAIR* by,
                           yoke_int64 count) {
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < count; k += (yoke_int64)get_global_size(0)) {
    YOKE_CONVOLVE_PAIR b = by[k];
#if YOKE_CONVOLVE_BACK
    b.y = -b.y;
#endif
    to[k] = yoke_f_times(to[k], b);
  }
}
)yoke"
