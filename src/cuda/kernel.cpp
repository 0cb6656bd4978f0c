// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's kernels have.
#include <yoke/driver/cuda/impl/occupancy_shapes.ipp>

#include <yoke/cuda/impl/kernel_info.ipp>
#include <yoke/cuda/impl/occupancy.ipp>
