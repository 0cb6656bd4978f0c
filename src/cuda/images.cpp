// SPDX-License-Identifier: MIT
// The library's part for images without a device: NVRTC, nvcc, linkers.
#include <yoke/driver/cuda/compiler/link.ipp>
#include <yoke/driver/cuda/compiler/nvjitlink.ipp>
#include <yoke/cuda/compile/compile_to.ipp>
#include <yoke/cuda/compile/link.ipp>
#include <yoke/cuda/compile/nvcc.ipp>
#include <yoke/cuda/compile/nvcc_facts.ipp>
#include <yoke/cuda/compile/nvrtc.ipp>
#include <yoke/cuda/compile/run_program.ipp>
