// SPDX-License-Identifier: MIT
// The compiled part of the memory floor.
#include <yoke/memory/impl/aligned_array.ipp>
#include <yoke/memory/impl/box.ipp>
#include <yoke/memory/impl/map_count.ipp>
#include <yoke/memory/impl/memory_resource.ipp>
