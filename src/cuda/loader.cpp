// SPDX-License-Identifier: MIT
// The library's part for finding CUDA's driver and compiler.
#include <yoke/driver/cuda/compiler/nvrtc.ipp>
#include <yoke/driver/cuda/loader.ipp>
