// SPDX-License-Identifier: MIT
// Compiles the bodies of memory pools.
#include <yoke/memory/block_pool.ipp>
#include <yoke/memory/pool_bins.ipp>
