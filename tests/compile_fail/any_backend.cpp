// SPDX-License-Identifier: MIT
// Handles of any backend need every backend's port, which the umbrella of one backend does not bring along.
// expect 1: handles of any backend are in <yoke/yoke.hpp>: include that
// expect 2: handles of any backend are in <yoke/yoke.hpp>: include that
#if YOKE_BAD
#include <yoke/cuda.hpp>
#else
#include <yoke/yoke.hpp>
#endif

void use() {
#if YOKE_BAD != 2
  const yoke::context context;
#endif
#if YOKE_BAD != 1
  extern const yoke::device<>& device;
  (void)device.name();
#endif
}

int main() {}
