// SPDX-License-Identifier: MIT
// The library's part for the uses of memory.
#include <yoke/execution/memory_uses.ipp>
