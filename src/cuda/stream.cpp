// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's streams have.
#include <yoke/cuda/device/stream.ipp>
