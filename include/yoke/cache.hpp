// SPDX-License-Identifier: MIT
// The umbrella for caches of compiled programs: for `compile_options::cache`, and for your own use.
#ifndef YOKE_CACHE_HPP
#define YOKE_CACHE_HPP

#include <yoke/core/file.hpp>
#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/cache_key.hpp>
#include <yoke/program/cache/disk_cache.hpp>
#include <yoke/program/cache/memory_cache.hpp>
#include <yoke/program/cache/program_cache.hpp>

#endif
