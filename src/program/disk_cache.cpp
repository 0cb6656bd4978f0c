// SPDX-License-Identifier: MIT
// The library's part for caches on disk.
#include <yoke/program/cache/disk_cache.ipp>
