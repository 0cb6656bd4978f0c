// SPDX-License-Identifier: MIT
// Reads and writes the elements of a pass of a Fourier transform, at either end those of the arrays of the program.
R"yoke(// Before it stand yoke_f_steps, yoke_f_times and the macros
//   YOKE_FFT_LOAD, YOKE_FFT_STORE, YOKE_FFT_FROM_ROW, YOKE_FFT_TO_ROW   the names of the functions below
//   YOKE_FFT_REAL, YOKE_FFT_PAIR, YOKE_FFT_MAKE    as for the parameters
//   YOKE_FFT_FROM, YOKE_FFT_TO                     the types of elements in memory
//   YOKE_FFT_INDEX     the type in which elements and steps are counted: 32 bits where they suffice
//   YOKE_FFT_FIRST     1: reads the array of the program; 0: temporary elements
//   YOKE_FFT_LAST      1: writes the array of the program
//   YOKE_FFT_REAL_IN, YOKE_FFT_REAL_OUT            1: elements of the program's arrays are real
//   YOKE_FFT_HALF      1: elements behind the middle are the conjugate ones of those before it
//   YOKE_FFT_SWAP_IN, YOKE_FFT_SWAP_OUT            1: exchanges both parts of each number, for the inverse transform
//   YOKE_FFT_CHIRP_IN, YOKE_FFT_CHIRP_OUT          1: multiplies by the factor of the place
//   YOKE_FFT_SPECTRUM  1: multiplies by the factor of the place, which stands behind those for reading, then exchanges
//                      both parts
//   YOKE_FFT_SCALED    1: multiplies the results by the scale
YOKE_FFT_PAIR YOKE_FFT_LOAD(YOKE_GLOBAL const YOKE_FFT_FROM* from, YOKE_GLOBAL const YOKE_FFT_PAIR* factors,
                            yoke_int64 first, yoke_int64 stride, YOKE_FFT_INDEX length, YOKE_FFT_INDEX given,
                            YOKE_FFT_INDEX at) {
#if YOKE_FFT_FIRST
  YOKE_FFT_PAIR value = YOKE_FFT_MAKE(0, 0);
  YOKE_FFT_INDEX own = at;
#if YOKE_FFT_CHIRP_IN
  if (at >= length) return value;
#endif
#if YOKE_FFT_HALF
  if (at > length - at) own = length - at;
#endif
  if (own >= given) return value;
#if YOKE_FFT_REAL_IN
  value.x = from[first + (yoke_int64)own * stride];
#else
  value = from[first + (yoke_int64)own * stride];
#endif
#if YOKE_FFT_HALF
  if (own != at) value.y = -value.y;
  if (at == 0 || at == length - at) value.y = 0;
#endif
#if YOKE_FFT_SWAP_IN
  value = YOKE_FFT_MAKE(value.y, value.x);
#endif
#if YOKE_FFT_CHIRP_IN
  value = yoke_f_times(value, factors[at]);
#endif
  return value;
#else
  return from[first + (yoke_int64)at];
#endif
}

void YOKE_FFT_STORE(YOKE_GLOBAL YOKE_FFT_TO* to, YOKE_GLOBAL const YOKE_FFT_PAIR* factors, yoke_int64 first,
                    yoke_int64 stride, YOKE_FFT_INDEX kept, YOKE_FFT_REAL scale, YOKE_FFT_INDEX at,
                    YOKE_FFT_PAIR value) {
#if YOKE_FFT_LAST
  if (at >= kept) return;
#if YOKE_FFT_CHIRP_OUT
  value = yoke_f_times(YOKE_FFT_MAKE(value.y, value.x), factors[at]);
#endif
#if YOKE_FFT_SWAP_OUT
  value = YOKE_FFT_MAKE(value.y, value.x);
#endif
#if YOKE_FFT_SCALED
  value = YOKE_FFT_MAKE(value.x * scale, value.y * scale);
#endif
#if YOKE_FFT_REAL_OUT
  to[first + (yoke_int64)at * stride] = value.x;
#else
  to[first + (yoke_int64)at * stride] = value;
#endif
#else
#if YOKE_FFT_SPECTRUM
  value = yoke_f_times(value, factors[at]);
  value = YOKE_FFT_MAKE(value.y, value.x);
#endif
  to[first + (yoke_int64)at] = value;
#endif
}
// The first element of a row of each side.
yoke_int64 YOKE_FFT_FROM_ROW(yoke_f_steps steps, YOKE_FFT_INDEX row) {
#if YOKE_FFT_FIRST
  yoke_int64 first = steps.from_first;
  for (int axis = (int)steps.rank - 1; axis > 0; --axis) {
    YOKE_FFT_INDEX extent = (YOKE_FFT_INDEX)steps.extents[axis];
    first += (yoke_int64)(row % extent) * steps.from_strides[axis];
    row /= extent;
  }
  return first + (yoke_int64)row * steps.from_strides[0];
#else
  return (yoke_int64)row * steps.points;
#endif
}
yoke_int64 YOKE_FFT_TO_ROW(yoke_f_steps steps, YOKE_FFT_INDEX row) {
#if YOKE_FFT_LAST
  yoke_int64 first = steps.to_first;
  for (int axis = (int)steps.rank - 1; axis > 0; --axis) {
    YOKE_FFT_INDEX extent = (YOKE_FFT_INDEX)steps.extents[axis];
    first += (yoke_int64)(row % extent) * steps.to_strides[axis];
    row /= extent;
  }
  return first + (yoke_int64)row * steps.to_strides[0];
#else
  return (yoke_int64)row * steps.points;
#endif
}
)yoke"
