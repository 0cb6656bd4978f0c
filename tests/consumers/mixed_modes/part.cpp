// SPDX-License-Identifier: MIT
// What each of the two libraries does: count the devices, and throw and catch an error of its own copy.
#include <yoke/yoke.hpp>

__attribute__((visibility("default"))) int COUNT_DEVICES();

int COUNT_DEVICES() {
  int count = 0;
  for (const auto& device : yoke::devices()) count += static_cast<int>(!device.name().empty());
  try {
    (void)yoke::extent3{-1};
    return -1;
  } catch (const yoke::error&) {
    return count;
  }
}
