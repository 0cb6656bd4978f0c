// SPDX-License-Identifier: MIT
// All bodies of the library as one unit.
#define YOKE_IMPLEMENTATION
#include <yoke/yoke.hpp>
