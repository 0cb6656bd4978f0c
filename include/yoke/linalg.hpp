// SPDX-License-Identifier: MIT
// Linear algebra over arrays: products of matrices and vectors; opt-in, because most programs do not use them.
#ifndef YOKE_LINALG_HPP
#define YOKE_LINALG_HPP

#include <yoke/linalg/matmul.hpp>

#endif
