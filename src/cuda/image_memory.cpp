// SPDX-License-Identifier: MIT
// The library's part for images on CUDA.
#include <yoke/driver/cuda/impl/image_memory.ipp>
