// SPDX-License-Identifier: MIT
// Finds the start of each key among sorted keys.
R"yoke(// Before it stand the macros
//   YOKE_STARTS_KEY   the type of keys
//   YOKE_STARTS_WORD  the type in which they are compared; keys too large for 64 bits with a sign are behind all
YOKE_KERNEL yoke_l_starts(YOKE_GLOBAL yoke_int64* starts, YOKE_GLOBAL const YOKE_STARTS_KEY* keys, yoke_int64 size,
                          yoke_int64 count) {
  for (yoke_int64 key = (yoke_int64)get_global_id(0); key <= count; key += (yoke_int64)get_global_size(0)) {
    yoke_int64 first = 0, last = size;
    while (first < last) {
      yoke_int64 middle = first + (last - first) / 2;
      if ((YOKE_STARTS_WORD)keys[middle] < (YOKE_STARTS_WORD)key) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    starts[key] = first;
  }
}
)yoke"
