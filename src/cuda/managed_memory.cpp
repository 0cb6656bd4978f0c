// SPDX-License-Identifier: MIT
// The library's part for managed memory.
#include <yoke/driver/cuda/impl/managed_memory.ipp>

#include <yoke/cuda/impl/managed_span.ipp>
