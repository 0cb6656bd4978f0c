// SPDX-License-Identifier: MIT
// Linear algebra over arrays: products and factorisations of matrices, linear equations; opt-in, because most programs do not use them.
#ifndef YOKE_LINALG_HPP
#define YOKE_LINALG_HPP

#include <yoke/linalg/cholesky.hpp>
#include <yoke/linalg/lu.hpp>
#include <yoke/linalg/matmul.hpp>
#include <yoke/linalg/solve.hpp>

#endif
