// SPDX-License-Identifier: MIT
// The library's part for virtual memory and the driver's pools.
#include <yoke/driver/cuda/impl/memory_pool.ipp>
#include <yoke/driver/cuda/impl/virtual_memory.ipp>

#include <yoke/cuda/impl/driver_pool.ipp>
#include <yoke/cuda/impl/file_descriptor.ipp>
#include <yoke/cuda/impl/growing_allocation.ipp>
