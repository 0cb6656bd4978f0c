// SPDX-License-Identifier: MIT
// A specialisation has a name for each type or constant, and types that kernels can name.
// expect 1: one name for each type or constant
// expect 2: has no name in kernels
// expect 3: a whole number or an enumerator
// expect 4: without const or volatile
#include <yoke/yoke.hpp>

struct unknown {};

int main() {
#if YOKE_BAD == 1
  return static_cast<int>(yoke::specialise<float, yoke::value_of<4>>("T").size());
#elif YOKE_BAD == 2
  return static_cast<int>(yoke::specialise<unknown>("T").size());
#elif YOKE_BAD == 3
  return static_cast<int>(yoke::specialise<yoke::value_of<nullptr>>("N").size());
#elif YOKE_BAD == 4
  return static_cast<int>(yoke::specialise<const float>("T").size());
#else
  return static_cast<int>(yoke::specialise<float, yoke::value_of<4>>("T", "N").size());
#endif
}
