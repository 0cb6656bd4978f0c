// SPDX-License-Identifier: MIT
// The library's part for CUDA's arrays of every shape, textures and surfaces.
#include <yoke/driver/cuda/image/texture.ipp>
