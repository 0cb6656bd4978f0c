// SPDX-License-Identifier: MIT
// Linear algebra over arrays: products and factorisations of matrices, and equations; opt-in, because most programs do
// not use them.
#ifndef YOKE_LINALG_HPP
#define YOKE_LINALG_HPP

#include <yoke/linalg/cholesky.hpp>
#include <yoke/linalg/eigh.hpp>
#include <yoke/linalg/lstsq.hpp>
#include <yoke/linalg/lu.hpp>
#include <yoke/linalg/matmul.hpp>
#include <yoke/linalg/qr.hpp>
#include <yoke/linalg/solve.hpp>
#include <yoke/linalg/svd.hpp>

#endif
