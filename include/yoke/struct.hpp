// SPDX-License-Identifier: MIT
// Structs that host and kernels share; opt-in, because most programs do not use them.
#ifndef YOKE_STRUCT_HPP
#define YOKE_STRUCT_HPP

#include <yoke/program/structs/struct.hpp>

#endif
