// SPDX-License-Identifier: MIT
// Tiles of arrays that CUDA's devices copy by themselves; opt-in, because most programs have none.
#ifndef YOKE_TENSOR_MAP_HPP
#define YOKE_TENSOR_MAP_HPP

#include <yoke/cuda/tensor_map.hpp>
#include <yoke/cuda/tensor_tiles.hpp>

#endif
