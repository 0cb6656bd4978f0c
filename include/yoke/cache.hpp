// SPDX-License-Identifier: MIT
// The umbrella for what keeps compiled programs: caches for `compile_options::cache`, and for programs of your own.
#ifndef YOKE_CACHE_HPP
#define YOKE_CACHE_HPP

#include <yoke/program/cache_entry.hpp>
#include <yoke/program/cache_key.hpp>
#include <yoke/program/disk_cache.hpp>
#include <yoke/program/file_functions.hpp>
#include <yoke/program/memory_cache.hpp>
#include <yoke/program/program_cache.hpp>

#endif
