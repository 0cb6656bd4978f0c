// SPDX-License-Identifier: MIT
// Both copies must see the same devices.
#include <cstdio>

int count_with_yoke();
int count_with_header_only();

int main() {
  const int compiled = count_with_yoke();
  const int inlined = count_with_header_only();
  std::printf("yoke 0\ncompiled %d, header-only %d\n", compiled, inlined);
  return compiled == inlined && compiled >= 0 ? 0 : 1;
}
