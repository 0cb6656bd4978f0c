// SPDX-License-Identifier: MIT
// The library's part for compiling for CUDA with all its options.
#include <yoke/driver/cuda/compiler/impl/compile_with.ipp>
#include <yoke/driver/cuda/impl/load_image.ipp>

#include <yoke/cuda/impl/compile.ipp>
