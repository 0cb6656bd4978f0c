// SPDX-License-Identifier: MIT
// The library's part for the uses of memory.
#include <yoke/execution/impl/memory_uses.ipp>
