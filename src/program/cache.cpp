// SPDX-License-Identifier: MIT
// The library's part for caches.
#include <yoke/program/cache/cache_entry.ipp>
#include <yoke/program/cache/cache_key.ipp>
#include <yoke/program/cache/kernel_signatures.ipp>
#include <yoke/program/cache/memory_cache.ipp>
#include <yoke/program/cache/program_cache.ipp>
