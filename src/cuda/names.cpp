// SPDX-License-Identifier: MIT
// The library's part for CUDA's names.
#include <yoke/cuda/names.ipp>
