// SPDX-License-Identifier: MIT
// A count is an integer: no extent is made of a floating value.
// expect 1: no matching|no viable|cannot convert
// expect 2: no (matching|viable)|conversion from|could not convert
#include <yoke/core/extent.hpp>

int main() {
#if YOKE_BAD == 1
  const yoke::extent3 blocks{1.5, 2};
#elif YOKE_BAD == 2
  const yoke::extent3 blocks = 1.5F;
#else
  const yoke::extent3 blocks{1, 2U};
#endif
  return blocks.x == 1 ? 0 : 1;
}
