// SPDX-License-Identifier: MIT
// Compiles the bodies of floor 4.
#include <yoke/program/impl/cache_entry.ipp>
#include <yoke/program/impl/cache_key.ipp>
#include <yoke/program/impl/compile.ipp>
#include <yoke/program/impl/dialect.ipp>
#include <yoke/program/impl/disk_cache.ipp>
#include <yoke/program/impl/file_functions.ipp>
#include <yoke/program/impl/memory_cache.ipp>
#include <yoke/program/impl/signature.ipp>
