// SPDX-License-Identifier: MIT
// The compiled part of the arrays' floor.
#include <yoke/array/impl/geometry_error.ipp>
