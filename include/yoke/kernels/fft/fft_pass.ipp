// SPDX-License-Identifier: MIT
// A pass of a Fourier transform by Stockham: transforms of a small length, and products with roots of unity.
R"yoke(// Before it stand yoke_f_steps, yoke_f_times and the macros
//   YOKE_FFT_NAME, YOKE_FFT_LOAD, YOKE_FFT_STORE   the names of the functions below
//   YOKE_FFT_REAL, YOKE_FFT_PAIR, YOKE_FFT_MAKE    as for the parameters
//   YOKE_FFT_FROM, YOKE_FFT_TO                     the types of elements in memory
//   YOKE_FFT_INDEX     the type in which elements and steps are counted: 32 bits where they suffice
//   YOKE_FFT_RADIX     the length of the small transforms; 0: any length, a thread calculates one number
//   YOKE_FFT_SMALL     statements that transform v[0], v[1], ...
//   YOKE_FFT_TURNS     1: the results are multiplied by roots
//   YOKE_FFT_FIRST     1: reads the array of the program; 0: temporary elements
//   YOKE_FFT_LAST      1: writes the array of the program
//   YOKE_FFT_REAL_IN, YOKE_FFT_REAL_OUT            1: elements of the program's arrays are real
//   YOKE_FFT_HALF      1: elements behind the middle are the conjugate ones of those before it
//   YOKE_FFT_SWAP_IN, YOKE_FFT_SWAP_OUT            1: exchanges both parts of each number, for the inverse transform
//   YOKE_FFT_CHIRP_IN, YOKE_FFT_CHIRP_OUT          1: multiplies by the factor of the place
//   YOKE_FFT_SPECTRUM  1: multiplies by the factor of the place, then exchanges both parts
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

YOKE_KERNEL YOKE_FFT_NAME(YOKE_GLOBAL YOKE_FFT_TO* to, YOKE_GLOBAL const YOKE_FFT_FROM* from,
                          YOKE_GLOBAL const YOKE_FFT_PAIR* roots, YOKE_GLOBAL const YOKE_FFT_PAIR* factors,
                          yoke_f_steps steps, YOKE_FFT_REAL scale) {
  YOKE_FFT_INDEX points = (YOKE_FFT_INDEX)steps.points, span = (YOKE_FFT_INDEX)steps.span;
  YOKE_FFT_INDEX length = (YOKE_FFT_INDEX)steps.length, given = (YOKE_FFT_INDEX)steps.given;
  YOKE_FFT_INDEX kept = (YOKE_FFT_INDEX)steps.kept, radix = (YOKE_FFT_INDEX)steps.radix;
  YOKE_FFT_INDEX part = points / radix;
#if YOKE_FFT_RADIX == 0
  YOKE_FFT_INDEX all = points;
#else
  YOKE_FFT_INDEX all = part;
#endif
  for (yoke_int64 step = (yoke_int64)get_global_id(0); step < steps.count; step += (yoke_int64)get_global_size(0)) {
    YOKE_FFT_INDEX row = (YOKE_FFT_INDEX)step / all, i = (YOKE_FFT_INDEX)step - row * all;
    yoke_int64 from_first = (yoke_int64)row * steps.points, to_first = from_first;
#if YOKE_FFT_FIRST || YOKE_FFT_LAST
    yoke_int64 from_row = steps.from_first, to_row = steps.to_first;
    YOKE_FFT_INDEX rest = row;
    for (int axis = (int)steps.rank - 1; axis >= 0; --axis) {
      YOKE_FFT_INDEX extent = (YOKE_FFT_INDEX)steps.extents[axis];
      YOKE_FFT_INDEX own = axis == 0 ? rest : rest % extent;
      rest = axis == 0 ? 0 : rest / extent;
      from_row += (yoke_int64)own * steps.from_strides[axis];
      to_row += (yoke_int64)own * steps.to_strides[axis];
    }
    if (YOKE_FFT_FIRST) from_first = from_row;
    if (YOKE_FFT_LAST) to_first = to_row;
#endif
#if YOKE_FFT_RADIX == 0
    // All of (own, -own) modulo the radix in pairs, whose sums and differences are multiplied by one root.
    YOKE_FFT_INDEX own = i / part;
    i -= own * part;
    YOKE_FFT_PAIR first = YOKE_FFT_LOAD(from, factors, from_first, steps.from_stride, length, given, i);
    YOKE_FFT_PAIR even = first, odd = YOKE_FFT_MAKE(0, 0);
    YOKE_FFT_INDEX turn = 0;
    for (YOKE_FFT_INDEX k = 1; k + k < radix; ++k) {
      turn += own;
      if (turn >= radix) turn -= radix;
      YOKE_FFT_PAIR root = roots[turn * part];
      YOKE_FFT_PAIR a = YOKE_FFT_LOAD(from, factors, from_first, steps.from_stride, length, given, i + k * part);
      YOKE_FFT_PAIR b =
          YOKE_FFT_LOAD(from, factors, from_first, steps.from_stride, length, given, i + (radix - k) * part);
      even = YOKE_FFT_MAKE(fma(root.x, a.x + b.x, even.x), fma(root.x, a.y + b.y, even.y));
      odd = YOKE_FFT_MAKE(fma(root.y, a.x - b.x, odd.x), fma(root.y, a.y - b.y, odd.y));
    }
    YOKE_FFT_PAIR value = YOKE_FFT_MAKE(even.x - odd.y, even.y + odd.x);
    YOKE_FFT_INDEX q = i % span;
    if (YOKE_FFT_TURNS && own != 0) value = yoke_f_times(value, roots[(i - q) * own]);
    YOKE_FFT_STORE(to, factors, to_first, steps.to_stride, kept, scale, q + (i - q) * radix + span * own, value);
#else
    YOKE_FFT_PAIR v[YOKE_FFT_RADIX];
    YOKE_UNROLL(YOKE_FFT_RADIX)
    for (int k = 0; k < YOKE_FFT_RADIX; ++k) {
      v[k] = YOKE_FFT_LOAD(from, factors, from_first, steps.from_stride, length, given, i + (YOKE_FFT_INDEX)k * part);
    }
    YOKE_FFT_SMALL
    YOKE_FFT_INDEX q = i % span;
    YOKE_UNROLL(YOKE_FFT_RADIX)
    for (int k = 0; k < YOKE_FFT_RADIX; ++k) {
      YOKE_FFT_PAIR value = v[k];
      if (YOKE_FFT_TURNS && k != 0) value = yoke_f_times(value, roots[(i - q) * (YOKE_FFT_INDEX)k]);
      YOKE_FFT_STORE(to, factors, to_first, steps.to_stride, kept, scale,
                     q + (i - q) * (YOKE_FFT_INDEX)YOKE_FFT_RADIX + span * (YOKE_FFT_INDEX)k, value);
    }
#endif
  }
}
)yoke"
