// SPDX-License-Identifier: MIT
// The library's part for virtual memory and the driver's pools.
#include <yoke/driver/cuda/memory/memory_pool.ipp>
#include <yoke/driver/cuda/memory/shared_descriptor.ipp>
#include <yoke/driver/cuda/memory/virtual_memory.ipp>
#include <yoke/cuda/memory/address_range.ipp>
#include <yoke/cuda/memory/driver_pool.ipp>
#include <yoke/cuda/memory/file_descriptor.ipp>
#include <yoke/cuda/memory/growing_allocation.ipp>
#include <yoke/cuda/memory/memory_mapping.ipp>
#include <yoke/cuda/memory/physical_memory.ipp>
