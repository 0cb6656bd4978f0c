// SPDX-License-Identifier: MIT
// The library's part for variables of modules.
#include <yoke/driver/cuda/program/global_variable.ipp>

#include <yoke/cuda/compile/global.ipp>
