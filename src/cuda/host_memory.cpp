// SPDX-License-Identifier: MIT
// The library's part for page-locked memory with CUDA's options.
#include <yoke/driver/cuda/impl/registered_memory.ipp>

#include <yoke/cuda/impl/pointer.ipp>
#include <yoke/cuda/impl/registered_memory.ipp>
