// SPDX-License-Identifier: MIT
// Both copies must see the same devices.
#include <cstdio>

int count_with_yoke();
int count_with_vendored();

int main() {
  const int linked = count_with_yoke();
  const int vendored = count_with_vendored();
  std::printf("yoke 0\nlinked %d, with bodies %d\n", linked, vendored);
  return linked == vendored && linked >= 0 ? 0 : 1;
}
