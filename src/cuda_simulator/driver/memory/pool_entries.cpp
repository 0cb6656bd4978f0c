// SPDX-License-Identifier: MIT
// Entries about the pools of stream-ordered memory: creation, figures, access, and sharing with other processes.
#include <cstring>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/shared_file.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/memory.hpp"
#include "machine/memory/pools.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator::entries {

namespace {

std::shared_ptr<pool_object> pool_of(abi::memory_pool handle) {
  std::shared_ptr<pool_object> found = state<pool_state>().pools.find(handle);
  require(found != nullptr);
  return found;
}

constexpr auto as_descriptor = abi::shared_handle_type::file_descriptor;

}  // namespace

abi::status device_get_mem_pool(abi::memory_pool* result, abi::device of) {
  return entry([&] {
    require(result != nullptr);
    *result = device_of(of).pool->handle;
  });
}

abi::status device_set_mem_pool(abi::device of, abi::memory_pool handle) {
  return entry([&] {
    device& which = device_of(of);
    std::shared_ptr<pool_object> pool = pool_of(handle);
    require(pool->device == of && !pool->is_imported);
    which.pool = std::move(pool);
  });
}

abi::status mem_pool_create(abi::memory_pool* result, const abi::pool_properties* wanted) {
  return entry([&] {
    require(result != nullptr && wanted != nullptr && wanted->type == abi::allocation_type::pinned);
    require(wanted->location.type == abi::memory_location_type::device);
    const device& of = device_of(wanted->location.id);
    require(wanted->handle_types == abi::shared_handle_type::none || wanted->handle_types == as_descriptor,
            abi::error_not_supported);
    require(wanted->max_bytes == 0 || the_settings().driver_version >= 12020);
    for (const unsigned char each : wanted->reserved) require(each == 0);
    const auto made = std::make_shared<pool_object>();
    made->device = of.ordinal;
    made->max_bytes = wanted->max_bytes;
    if (wanted->handle_types == as_descriptor) {
      made->file = shared_file::make(shared_kind::pool, of.ordinal, 0);
      require(static_cast<bool>(made->file), abi::error_out_of_memory);
    }
    made->handle = state<pool_state>().pools.add(made);
    state<ledger>().add(object_kind::pool, made->handle);
    *result = made->handle;
  });
}

// Memory still in use keeps the pool after its handle has gone.
abi::status mem_pool_destroy(abi::memory_pool handle) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(!pool->is_default);
    device& of = device_of(pool->device);
    if (of.pool == pool) of.pool = of.default_pool;
    state<ledger>().remove(object_kind::pool, handle);
    state<pool_state>().pools.remove(handle);
  });
}

abi::status mem_pool_get_attribute(abi::memory_pool handle, abi::pool_attribute what, void* value) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(value != nullptr);
    auto& number = *static_cast<int*>(value);  // cuuint64_t for all but the first three attributes
    auto& bytes = *static_cast<std::uint64_t*>(value);
    switch (what) {
      case abi::pool_attribute::reuse_follow_event_dependencies: number = pool->reuse[0]; return;
      case abi::pool_attribute::reuse_allow_opportunistic: number = pool->reuse[1]; return;
      case abi::pool_attribute::reuse_allow_internal_dependencies: number = pool->reuse[2]; return;
      case abi::pool_attribute::release_threshold: bytes = pool->release_threshold; return;
      case abi::pool_attribute::reserved_mem_current: bytes = pool->reserved; return;
      case abi::pool_attribute::used_mem_current: bytes = pool->used; return;
      case abi::pool_attribute::reserved_mem_high: bytes = pool->reserved_high; return;
      case abi::pool_attribute::used_mem_high: bytes = pool->used_high; return;
    }
    refuse(abi::error_invalid_value);
  });
}

abi::status mem_pool_set_attribute(abi::memory_pool handle, abi::pool_attribute what, void* value) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(value != nullptr);
    const auto index = static_cast<unsigned>(what);
    if (index >= 1 && index <= 3) {
      pool->reuse[index - 1] = *static_cast<const int*>(value) != 0 ? 1 : 0;
      return;
    }
    const std::uint64_t bytes = *static_cast<const std::uint64_t*>(value);
    if (what == abi::pool_attribute::release_threshold) {
      pool->release_threshold = bytes;
      return;
    }
    // A high-water mark can only be reset to the current value, by 0; current figures cannot be set.
    require(bytes == 0 &&
            (what == abi::pool_attribute::reserved_mem_high || what == abi::pool_attribute::used_mem_high));
    if (what == abi::pool_attribute::used_mem_high) {
      pool->used_high = pool->used;
    } else {
      pool->reserved_high = pool->reserved;
    }
  });
}

abi::status mem_pool_trim_to(abi::memory_pool handle, std::size_t bytes) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(!pool->is_imported);
    pool->trim_to(bytes);
  });
}

abi::status mem_pool_set_access(abi::memory_pool handle, const abi::access_descriptor* wanted, std::size_t count) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(count == 0 || wanted != nullptr);
    for (std::size_t each = 0; each < count; ++each) {
      require(wanted[each].location.type == abi::memory_location_type::device);
      const device& of = device_of(wanted[each].location.id);
      require(wanted[each].flags == abi::access_flags::none || wanted[each].flags == abi::access_flags::read_write);
      // The pool's own device keeps its access.
      require(of.ordinal != pool->device || wanted[each].flags == abi::access_flags::read_write);
    }
    for (std::size_t each = 0; each < count; ++each) pool->access[wanted[each].location.id] = wanted[each].flags;
  });
}

abi::status mem_pool_get_access(abi::access_flags* result, abi::memory_pool handle, abi::memory_location* of) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(result != nullptr && of != nullptr && of->type == abi::memory_location_type::device);
    const int which = device_of(of->id).ordinal;
    const auto found = pool->access.find(which);
    *result = found != pool->access.end() ? found->second
              : which == pool->device     ? abi::access_flags::read_write
                                          : abi::access_flags::none;
  });
}

abi::status mem_pool_export(void* result, abi::memory_pool handle, abi::shared_handle_type type, abi::ulong flags) {
  return entry([&] {
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(result != nullptr && flags == 0 && type == as_descriptor && pool->file && !pool->is_imported);
    const int descriptor = pool->file.another_descriptor();
    require(descriptor >= 0, abi::error_operating_system);
    pool->is_exported = true;
    *static_cast<int*>(result) = descriptor;
  });
}

abi::status mem_pool_import(abi::memory_pool* result, void* from, abi::shared_handle_type type, abi::ulong flags) {
  return entry([&] {
    require(result != nullptr && flags == 0 && type == as_descriptor);
    const auto made = std::make_shared<pool_object>();
    made->file = shared_file::from(static_cast<int>(reinterpret_cast<std::intptr_t>(from)), shared_kind::pool);
    require(static_cast<bool>(made->file));
    made->is_imported = true;
    made->device = device_of(made->file.facts().device).ordinal;
    made->handle = state<pool_state>().pools.add(made);
    state<ledger>().add(object_kind::pool, made->handle);
    *result = made->handle;
  });
}

namespace {

/// The handle by which another process finds memory of a pool.
struct exported_memory {
  std::uint64_t pool;
  std::uint64_t offset;
  std::uint64_t bytes;
};
static_assert(sizeof(exported_memory) <= sizeof(abi::pool_export_data));

}  // namespace

abi::status mem_pool_export_pointer(abi::pool_export_data* result, abi::device_pointer pointer) {
  return entry([&] {
    require(result != nullptr);
    const memory_block& block = state<memory_table>().require_block(pointer);
    // The driver exports memory only after its pool.
    require(block.pool != nullptr && block.is_shared && block.pool->is_exported);
    const exported_memory told{block.pool->file.facts().identity, block.file_offset, block.bytes};
    *result = {};
    std::memcpy(result->bytes, &told, sizeof told);
  });
}

abi::status mem_pool_import_pointer(abi::device_pointer* result, abi::memory_pool handle, abi::pool_export_data* from) {
  return entry([&] {
    context& current = current_context();
    const std::shared_ptr<pool_object> pool = pool_of(handle);
    require(result != nullptr && from != nullptr && pool->is_imported);
    exported_memory told{};
    std::memcpy(&told, from->bytes, sizeof told);
    const shared_facts there = pool->file.facts();
    require(told.pool == there.identity && told.bytes != 0 && told.offset % 4096 == 0);
    require(told.offset <= there.bytes && told.bytes <= there.bytes - told.offset);
    memory_block& made = state<memory_table>().open_shared(current, pool, told.offset, told.bytes);
    *result = note_allocation(object_kind::device_memory, made);
    made.order = current.legacy;
  });
}

}  // namespace yoke::simulator::entries
