// SPDX-License-Identifier: MIT
// Compiles the bodies of memory pools.
#include <yoke/memory/impl/pool_core.ipp>
#include <yoke/memory/impl/pool_take.ipp>
