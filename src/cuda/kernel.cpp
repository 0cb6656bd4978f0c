// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's kernels have.
#include <yoke/cuda/device/kernel_info.ipp>
#include <yoke/cuda/device/occupancy.ipp>
