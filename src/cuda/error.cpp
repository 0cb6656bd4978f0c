// SPDX-License-Identifier: MIT
// The library's part for CUDA's error codes.
#include <yoke/driver/cuda/error.ipp>
