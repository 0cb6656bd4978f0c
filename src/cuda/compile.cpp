// SPDX-License-Identifier: MIT
// The library's part for compiling for CUDA with all its options.
#include <yoke/driver/cuda/compiler/compile_with.ipp>
#include <yoke/driver/cuda/program/load_image.ipp>
#include <yoke/cuda/compile/compile.ipp>
