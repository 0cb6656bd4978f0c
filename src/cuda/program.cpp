// SPDX-License-Identifier: MIT
// The library's part for CUDA's programs, kernels and launches.
#include <yoke/driver/cuda/compiler/impl/build.ipp>
#include <yoke/driver/cuda/image/impl/ptx.ipp>
#include <yoke/driver/cuda/impl/kernel.ipp>
#include <yoke/driver/cuda/impl/language.ipp>
#include <yoke/driver/cuda/impl/launch.ipp>
#include <yoke/driver/cuda/impl/occupancy.ipp>
#include <yoke/driver/cuda/impl/program.ipp>
