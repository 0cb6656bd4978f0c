// SPDX-License-Identifier: MIT
// The library's part for CUDA's arrays, textures and surfaces.
#include <yoke/driver/cuda/impl/image_memory.ipp>
