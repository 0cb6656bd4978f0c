// SPDX-License-Identifier: MIT
// The parameters of a pass of a Fourier transform, and products of complex numbers.
R"yoke(// Before it stand the macros
//   YOKE_FFT_AXES            the maximum number of axes
//   YOKE_FFT_REAL            the type of real numbers
//   YOKE_FFT_PAIR            the type of complex numbers
//   YOKE_FFT_MAKE(x, y)      a complex number
YOKE_STRUCT(yoke_f_steps) {
  yoke_int64 count, points, span, radix, turns, length, given, kept, from_across, to_across;
  yoke_int64 from_first, from_stride, to_first, to_stride, rank;
  yoke_int64 extents[YOKE_FFT_AXES], from_strides[YOKE_FFT_AXES], to_strides[YOKE_FFT_AXES];
};

// Every device rounds in the same way: products are fused where it is written, and nowhere else.
YOKE_FFT_PAIR yoke_f_times(YOKE_FFT_PAIR a, YOKE_FFT_PAIR b) {
  return YOKE_FFT_MAKE(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}
)yoke"
