// SPDX-License-Identifier: MIT
// The library's part for images without a device: NVRTC, nvcc, linkers.
#include <yoke/driver/cuda/compiler/impl/link.ipp>
#include <yoke/driver/cuda/compiler/impl/nvjitlink.ipp>

#include <yoke/cuda/impl/compile_to.ipp>
#include <yoke/cuda/impl/link.ipp>
#include <yoke/cuda/impl/nvcc.ipp>
#include <yoke/cuda/impl/nvrtc.ipp>
