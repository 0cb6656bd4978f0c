// SPDX-License-Identifier: MIT
// Uses both libraries, which share the program's bodies; it is content without a device.
#include "../several_files/rest.hpp"

#include <cstdio>

int count_devices();

int main() {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  const int count = count_devices();
  if (count < 0 || count != static_cast<int>(yoke::devices().size()))
    return std::puts("the library counts other devices"), 1;
  if (count == 0) return 0;
  return use_the_rest(yoke::context<>()) ? 0 : (std::puts("what the other library does went wrong"), 1);
}
