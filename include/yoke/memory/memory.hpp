// SPDX-License-Identifier: MIT
// Includes the whole memory floor: device and page-locked memory, copies and fills.
#ifndef YOKE_MEMORY_MEMORY_HPP
#define YOKE_MEMORY_MEMORY_HPP

#include <yoke/memory/aligned_array.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/memory/copy_list.hpp>
#include <yoke/memory/device_allocation.hpp>
#include <yoke/memory/device_span.hpp>
#include <yoke/memory/fill.hpp>
#include <yoke/memory/memory_access.hpp>
#include <yoke/memory/memory_pool.hpp>
#include <yoke/memory/memory_resource.hpp>
#include <yoke/memory/out_of_order_copy.hpp>
#include <yoke/memory/pagelocked_array.hpp>
#include <yoke/memory/pagelocked_span.hpp>
#include <yoke/memory/staged_copy.hpp>
#include <yoke/memory/transfer.hpp>

#endif
