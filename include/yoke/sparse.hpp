// SPDX-License-Identifier: MIT
// Sparse matrices in compressed rows, and their products; opt-in, because most programs do not use them.
#ifndef YOKE_SPARSE_HPP
#define YOKE_SPARSE_HPP

#include <yoke/sparse/csr_matmul.hpp>
#include <yoke/sparse/csr_matrix.hpp>

#endif
