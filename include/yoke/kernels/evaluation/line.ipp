// SPDX-License-Identifier: MIT
// The kernel that writes equally spaced real numbers.
R"yoke(// Writes (first + i * step) * scale; number 0 is front, number `last` is back. The macro T is the element type.
// Calculates floats as doubles, too, where the device has them, and rounds once.
#if YOKE_HAS_FP64
#define WIDE double
#define CHOSEN(wide, narrow) as_double(wide)
#else
#define WIDE float
#define CHOSEN(wide, narrow) narrow
#endif
YOKE_KERNEL yoke_a_line(YOKE_GLOBAL T* to, T front, T back, yoke_uint64 first_bits, yoke_uint64 step_bits,
                        float narrow_first, float narrow_step, float scale, yoke_int64 last, yoke_int64 count) {
  WIDE first = CHOSEN(first_bits, narrow_first), step = CHOSEN(step_bits, narrow_step), times = (WIDE)scale;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < count; i += (yoke_int64)get_global_size(0)) {
    WIDE product = (WIDE)i * step;
    WIDE sum = first + product;
    to[i] = i == 0 ? front : i == last ? back : (T)(sum * times);
  }
}
)yoke"
