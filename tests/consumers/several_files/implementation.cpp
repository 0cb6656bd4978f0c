// SPDX-License-Identifier: MIT
// The one file that brings the library's bodies into the program.
#define YOKE_IMPLEMENTATION
#include <yoke/yoke.hpp>
