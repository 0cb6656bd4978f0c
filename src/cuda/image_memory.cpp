// SPDX-License-Identifier: MIT
// The library's part for images on CUDA.
#include <yoke/driver/cuda/image/image.ipp>
