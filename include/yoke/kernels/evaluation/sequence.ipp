// SPDX-License-Identifier: MIT
// The kernel that writes a sequence of integers.
R"yoke(// Writes first, first + step, ... The macro T is the type of an element.
YOKE_KERNEL yoke_a_sequence(YOKE_GLOBAL T* to, T first, T step, yoke_int64 count) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < count; i += (yoke_int64)get_global_size(0)) {
    to[i] = (T)(first + (T)i * step);
  }
}
)yoke"
