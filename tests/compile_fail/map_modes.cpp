// SPDX-License-Identifier: MIT
// Memory is mapped in one of the ways there are.
// expect 1: memory is mapped to read, to write, or both
#include <yoke/opencl/opencl.hpp>

int main() {
#if YOKE_BAD == 1
  constexpr yoke::opencl::map_tag<static_cast<yoke::map_mode>(99)> mode;
#else
  constexpr yoke::opencl::map_tag<yoke::map_mode::read> mode;
#endif
  return mode.mode == yoke::map_mode::read ? 0 : 1;
}
