// SPDX-License-Identifier: MIT
// A pass of a Fourier transform by Stockham: transforms of a small length, and products with roots of unity.
R"yoke(// Before it stand the functions of fft_load.ipp, their macros, and
//   YOKE_FFT_NAME      the name of the kernel
//   YOKE_FFT_RADIX     the length of the small transforms; 0: any length, a thread calculates one number
//   YOKE_FFT_SMALL     statements that transform v[0], v[1], ...
//   YOKE_FFT_TURNS     1: the results are multiplied by roots
YOKE_KERNEL YOKE_FFT_NAME(YOKE_GLOBAL YOKE_FFT_TO* to, YOKE_GLOBAL const YOKE_FFT_FROM* from,
                          YOKE_GLOBAL const YOKE_FFT_PAIR* YOKE_RESTRICT turns,
                          YOKE_GLOBAL const YOKE_FFT_PAIR* YOKE_RESTRICT factors,
                          yoke_f_steps steps, YOKE_FFT_REAL scale) {
  YOKE_FFT_INDEX points = (YOKE_FFT_INDEX)steps.points, span = (YOKE_FFT_INDEX)steps.span;
  YOKE_GLOBAL const YOKE_FFT_PAIR* to_factors = YOKE_FFT_SPECTRUM ? factors + steps.length : factors;
  YOKE_FFT_INDEX length = (YOKE_FFT_INDEX)steps.length, given = (YOKE_FFT_INDEX)steps.given;
  YOKE_FFT_INDEX kept = (YOKE_FFT_INDEX)steps.kept, radix = (YOKE_FFT_INDEX)steps.radix;
  YOKE_FFT_INDEX part = points / radix, turn_parts = part / span;
  turns += steps.turns;
#if YOKE_FFT_RADIX == 0
  YOKE_FFT_INDEX all = points;
#else
  YOKE_FFT_INDEX all = part;
#endif
  for (yoke_int64 step = (yoke_int64)get_global_id(0); step < steps.count; step += (yoke_int64)get_global_size(0)) {
    YOKE_FFT_INDEX row = (YOKE_FFT_INDEX)step / all, i = (YOKE_FFT_INDEX)step - row * all;
    yoke_int64 from_first = YOKE_FFT_FROM_ROW(steps, row), to_first = YOKE_FFT_TO_ROW(steps, row);
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
      YOKE_FFT_PAIR root = turns[turn];
      YOKE_FFT_PAIR a = YOKE_FFT_LOAD(from, factors, from_first, steps.from_stride, length, given, i + k * part);
      YOKE_FFT_PAIR b =
          YOKE_FFT_LOAD(from, factors, from_first, steps.from_stride, length, given, i + (radix - k) * part);
      even = YOKE_FFT_MAKE(fma(root.x, a.x + b.x, even.x), fma(root.x, a.y + b.y, even.y));
      odd = YOKE_FFT_MAKE(fma(root.y, a.x - b.x, odd.x), fma(root.y, a.y - b.y, odd.y));
    }
    YOKE_FFT_PAIR value = YOKE_FFT_MAKE(even.x - odd.y, even.y + odd.x);
    YOKE_FFT_INDEX q = i % span;
    if (YOKE_FFT_TURNS && own != 0) value = yoke_f_times(value, turns[radix + (own - 1) * turn_parts + i / span]);
    YOKE_FFT_STORE(to, to_factors, to_first, steps.to_stride, kept, scale, q + (i - q) * radix + span * own, value);
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
      if (YOKE_FFT_TURNS && k != 0) {
        value = yoke_f_times(value, turns[(YOKE_FFT_INDEX)(k - 1) * turn_parts + i / span]);
      }
      YOKE_FFT_STORE(to, to_factors, to_first, steps.to_stride, kept, scale,
                     q + (i - q) * (YOKE_FFT_INDEX)YOKE_FFT_RADIX + span * (YOKE_FFT_INDEX)k, value);
    }
#endif
  }
}
)yoke"
