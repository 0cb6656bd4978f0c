// SPDX-License-Identifier: MIT
// The library's part for CUDA's programs, kernels and launches.
#include <yoke/driver/cuda/binary/ptx.ipp>
#include <yoke/driver/cuda/compiler/compile.ipp>
#include <yoke/driver/cuda/program/kernel.ipp>
#include <yoke/driver/cuda/program/language.ipp>
#include <yoke/driver/cuda/program/launch.ipp>
#include <yoke/driver/cuda/program/occupancy.ipp>
#include <yoke/driver/cuda/program/program.ipp>
