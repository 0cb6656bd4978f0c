// SPDX-License-Identifier: MIT
// Handles of any backend need every backend's port, which the umbrella of one backend does not bring along, and offer what
// every backend has: the four times of a command are OpenCL's.
// expect 1: handles of any backend are in <yoke/yoke.hpp>: include that
// expect 2: handles of any backend are in <yoke/yoke.hpp>: include that
// expect 3: (constraints not satisfied|no matching function|no matching member function|invalid reference to function)
#if YOKE_BAD == 1 || YOKE_BAD == 2
#include <yoke/cuda.hpp>
#else
#include <yoke/yoke.hpp>
#endif

void use() {
#if YOKE_BAD != 2
  const yoke::context context;
#endif
#if YOKE_BAD == 3
  extern const yoke::timed_event<>& stop;
  (void)stop.times();
#elif YOKE_BAD == 0
  extern const yoke::opencl::timed_event& stop;
  (void)stop.times();
#endif
#if YOKE_BAD != 1
  extern const yoke::device<>& device;
  (void)device.name();
#endif
}

int main() {}
