// SPDX-License-Identifier: MIT
// Compiles the bodies of memory pools.
#include <yoke/memory/pool_core.ipp>
#include <yoke/memory/pool_take.ipp>
