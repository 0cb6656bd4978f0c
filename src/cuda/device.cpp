// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's devices have.
#include <yoke/cuda/device/device.ipp>
