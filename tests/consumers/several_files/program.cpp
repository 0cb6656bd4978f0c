// SPDX-License-Identifier: MIT
// Makes the context in which another file works; it is content without a device.
#include "rest.hpp"

#include <cstdio>

int main() {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  if (yoke::devices().empty()) return 0;
  return use_the_rest(yoke::context<>()) ? 0 : (std::puts("what the other file does went wrong"), 1);
}
