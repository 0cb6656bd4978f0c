// SPDX-License-Identifier: MIT
// Tensor maps, by which CUDA's devices copy tiles of arrays; opt-in, because most programs do not use them.
#ifndef YOKE_CUDA_TENSOR_MAP_HPP
#define YOKE_CUDA_TENSOR_MAP_HPP

#include <yoke/cuda/tensor/tensor_map.hpp>
#include <yoke/cuda/tensor/tensor_tiles.hpp>

#endif
