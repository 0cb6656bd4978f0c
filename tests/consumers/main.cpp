// SPDX-License-Identifier: MIT
// The smallest user of the library: says its version and the devices there are, and is content with none.
#include <yoke/yoke.hpp>

#include <cstdio>
#include <string>

int main() {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  int count = 0;
  for (const auto& device : yoke::devices()) {
    std::printf("  %s\n", std::string{device.name()}.c_str());
    ++count;
  }
  if (count == 0) std::puts("no driver");
  return 0;
}
