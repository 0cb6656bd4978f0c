// SPDX-License-Identifier: MIT
// The library's part for page-locked memory with CUDA's options.
#include <yoke/driver/cuda/memory/pointer_info.ipp>
#include <yoke/driver/cuda/memory/registered_memory.ipp>
#include <yoke/cuda/memory/pointer.ipp>
#include <yoke/cuda/memory/registered_memory.ipp>
