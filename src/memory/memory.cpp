// SPDX-License-Identifier: MIT
// The compiled part of the memory floor.
#include <yoke/memory/aligned_array.ipp>
#include <yoke/memory/box.ipp>
#include <yoke/memory/map_count.ipp>
#include <yoke/memory/memory_resource.ipp>
