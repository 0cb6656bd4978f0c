// SPDX-License-Identifier: MIT
// The library's part for CUDA's memory.
#include <yoke/driver/cuda/memory/copy_batch.ipp>
#include <yoke/driver/cuda/memory/host_memory.ipp>
#include <yoke/driver/cuda/memory/memory.ipp>
#include <yoke/driver/cuda/memory/peer_copy.ipp>
