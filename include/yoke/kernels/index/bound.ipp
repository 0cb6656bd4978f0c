// SPDX-License-Identifier: MIT
// Searches sorted elements by bisection.
R"yoke(// Before it stand the macros
//   YOKE_BOUND_ELEMENT         the type of numbers in memory
//   YOKE_BOUND_NUMBER          the type in which they are compared
//   YOKE_BOUND_LOAD(from, at)  loads a number from memory
//   YOKE_BOUND_REAL            1: NaN may occur; it is behind all numbers
//   YOKE_BOUND_BEHIND          1: values go behind their equals; 0: before them
int yoke_i_less(YOKE_BOUND_NUMBER a, YOKE_BOUND_NUMBER b) {
#if YOKE_BOUND_REAL
  return a < b || (a == a && b != b);
#else
  return a < b;
#endif
}

// Writes the place of each value among sorted elements.
YOKE_KERNEL yoke_i_bound(YOKE_GLOBAL yoke_int64* to, YOKE_GLOBAL const YOKE_BOUND_ELEMENT* from,
                         YOKE_GLOBAL const YOKE_BOUND_ELEMENT* value, yoke_int64 from_first, yoke_int64 value_first,
                         yoke_int64 size, yoke_int64 total) {
  from += from_first;
  value += value_first;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {
    YOKE_BOUND_NUMBER wanted = YOKE_BOUND_LOAD(value, i);
    yoke_int64 first = 0, last = size;
    while (first < last) {
      yoke_int64 middle = first + (last - first) / 2;
      YOKE_BOUND_NUMBER there = YOKE_BOUND_LOAD(from, middle);
      if (YOKE_BOUND_BEHIND ? !yoke_i_less(wanted, there) : yoke_i_less(there, wanted)) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    to[i] = first;
  }
}
)yoke"
