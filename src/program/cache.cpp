// SPDX-License-Identifier: MIT
// The library's part for caches.
#include <yoke/program/cache/impl/cache_entry.ipp>
#include <yoke/program/cache/impl/cache_key.ipp>
#include <yoke/program/cache/impl/kernel_signatures.ipp>
#include <yoke/program/cache/impl/memory_cache.ipp>
#include <yoke/program/cache/impl/program_cache.ipp>
