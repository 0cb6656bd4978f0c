// SPDX-License-Identifier: MIT
// The compiled part of the memory floor.
#include <yoke/memory/impl/copy_overlap.ipp>
#include <yoke/memory/impl/copy_side.ipp>
#include <yoke/memory/impl/map_count.ipp>
