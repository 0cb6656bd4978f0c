// SPDX-License-Identifier: MIT
// The library's part for managed memory.
#include <yoke/driver/cuda/memory/managed_memory.ipp>

#include <yoke/cuda/memory/managed_span.ipp>
