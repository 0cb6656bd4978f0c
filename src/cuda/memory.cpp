// SPDX-License-Identifier: MIT
// The library's part for CUDA's memory.
#include <yoke/driver/cuda/impl/host_memory.ipp>
#include <yoke/driver/cuda/impl/memory.ipp>
#include <yoke/driver/cuda/impl/peer_copy.ipp>
