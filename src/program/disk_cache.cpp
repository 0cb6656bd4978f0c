// SPDX-License-Identifier: MIT
// The library's part for caches on disk.
#include <yoke/program/cache/impl/disk_cache.ipp>
