// SPDX-License-Identifier: MIT
// Tiles of arrays that CUDA's devices copy by themselves; opt-in, because most programs have none.
#ifndef YOKE_CUDA_TENSOR_MAP_HPP
#define YOKE_CUDA_TENSOR_MAP_HPP

#include <yoke/cuda/tensor/tensor_map.hpp>
#include <yoke/cuda/tensor/tensor_tiles.hpp>

#endif
