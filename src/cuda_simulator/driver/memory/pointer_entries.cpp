// SPDX-License-Identifier: MIT
// Entries that describe the memory behind a pointer.
#include <cstring>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/state.hpp"
#include "machine/memory/memory.hpp"
#include "machine/memory/pools.hpp"
#include "machine/memory/virtual_memory.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator::entries {

abi::status mem_get_address_range(abi::device_pointer* base, std::size_t* bytes, abi::device_pointer pointer) {
  return entry([&] {
    require(top_context() != nullptr, abi::error_invalid_context);
    const memory_block* const found = state<memory_table>().find(pointer);
    require(found != nullptr && !found->freeing, abi::error_not_found);
    if (found->kind != memory_kind::mapped) check_context(*found->owner);
    if (base != nullptr) *base = found->base;
    if (bytes != nullptr) *bytes = found->bytes;
  });
}

namespace {

template <class Value>
bool give(void* to, Value value) {
  std::memcpy(to, &value, sizeof value);
  return true;
}

memory_block* usable_block(abi::device_pointer pointer) {
  memory_block* const found = state<memory_table>().find(pointer);
  return found == nullptr || found->freeing ? nullptr : found;
}

bool give_address(void* to, abi::pointer_attribute what, const memory_block& block, abi::device_pointer pointer) {
  switch (what) {
    // As in real drivers, an address belongs to the current context.
    case abi::pointer_attribute::device_pointer: return top_context() != nullptr && give(to, pointer);
    case abi::pointer_attribute::host_pointer:
      return (!block.is_device() || block.managed != nullptr) && give(to, pointer);
    case abi::pointer_attribute::range_start_addr:
    case abi::pointer_attribute::mapping_base_addr: return give(to, static_cast<abi::device_pointer>(block.base));
    case abi::pointer_attribute::range_size:
    case abi::pointer_attribute::mapping_size: return give(to, block.bytes);
    default: return false;
  }
}

/// Effects: writes the attribute. Returns: whether the pointer has it.
bool give_attribute(void* to, abi::pointer_attribute what, const memory_block& block, abi::device_pointer pointer) {
  switch (what) {
    // As in real drivers, memory of a pool and managed variables have no context.
    case abi::pointer_attribute::context:
      return give(to, block.kind == memory_kind::stream_ordered || block.kind == memory_kind::mapped ||
                              (block.kind == memory_kind::global && block.managed != nullptr)
                          ? abi::context{}
                          : block.owner->handle);
    case abi::pointer_attribute::memory_type:
      return give(to, block.is_device() ? abi::memory_type::device : abi::memory_type::host);
    case abi::pointer_attribute::device_ordinal: return give(to, block.owner->device);
    case abi::pointer_attribute::buffer_id:
    case abi::pointer_attribute::memory_block_id: return give(to, block.id);
    case abi::pointer_attribute::mapped: return give(to, 1);
    case abi::pointer_attribute::is_managed: return give(to, block.managed != nullptr ? 1 : 0);
    case abi::pointer_attribute::is_legacy_cuda_ipc_capable: return give(to, can_be_opened(block) ? 1 : 0);
    case abi::pointer_attribute::sync_memops:
    case abi::pointer_attribute::is_gpu_direct_rdma_capable:
    case abi::pointer_attribute::is_hw_decompress_capable: return give(to, 0);
    case abi::pointer_attribute::allowed_handle_types:
      return give(to, static_cast<std::uint64_t>(block.mapped != nullptr ? block.mapped->memory->handle_types
                                                 : block.is_shared       ? abi::shared_handle_type::file_descriptor
                                                                         : abi::shared_handle_type::none));
    case abi::pointer_attribute::access_flags: return give(to, 3);  // read and write
    case abi::pointer_attribute::mempool_handle:
      return give(to, block.pool != nullptr ? block.pool->handle : abi::memory_pool{});
    default: return give_address(to, what, block, pointer);
  }
}

/// The number of bytes that cuPointerGetAttributes zeroes for an unknown attribute.
std::size_t size_of(abi::pointer_attribute what) {
  switch (what) {
    case abi::pointer_attribute::memory_type:
    case abi::pointer_attribute::is_managed:
    case abi::pointer_attribute::mapped:
    case abi::pointer_attribute::sync_memops:
    case abi::pointer_attribute::device_ordinal: return 4;
    default: return 8;
  }
}

}  // namespace

abi::status pointer_get_attribute(void* result, abi::pointer_attribute what, abi::device_pointer pointer) {
  return entry([&] {
    require(result != nullptr);
    const memory_block* const found = usable_block(pointer);
    require(found != nullptr && give_attribute(result, what, *found, pointer));
  });
}

// Unlike the singular call, this one succeeds for unknown pointers: the answers are null.
abi::status pointer_get_attributes(unsigned count, abi::pointer_attribute* attributes, void** results,
                                   abi::device_pointer pointer) {
  return entry([&] {
    require(count != 0 && attributes != nullptr && results != nullptr);
    const memory_block* const found = usable_block(pointer);
    for (unsigned each = 0; each < count; ++each) {
      require(results[each] != nullptr);
      if (found != nullptr && give_attribute(results[each], attributes[each], *found, pointer)) continue;
      std::memset(results[each], 0, size_of(attributes[each]));
      if (attributes[each] == abi::pointer_attribute::device_ordinal) give(results[each], -2);
    }
  });
}

}  // namespace yoke::simulator::entries
