// SPDX-License-Identifier: MIT
// The library's part for variables of modules.
#include <yoke/driver/cuda/impl/global_variable.ipp>

#include <yoke/cuda/impl/global.ipp>
