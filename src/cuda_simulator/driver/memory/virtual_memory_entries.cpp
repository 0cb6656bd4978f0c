// SPDX-License-Identifier: MIT
// Entries about virtual memory: reserved addresses, physical memory, mappings, access, and handing memory to others.
#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/shared_file.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/memory.hpp"
#include "machine/memory/virtual_memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;  // as of every recent device
constexpr std::size_t host_page = 4096;
constexpr auto by_descriptor = abi::shared_handle_type::file_descriptor;
constexpr int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void check_properties(const abi::allocation_properties* wanted) {
  require(wanted != nullptr && wanted->type == abi::allocation_type::pinned);
  require(wanted->location.type == abi::memory_location_type::device, abi::error_not_supported);
  device_of(wanted->location.id);
  require(wanted->handle_types == abi::shared_handle_type::none || wanted->handle_types == by_descriptor,
          abi::error_not_supported);
}

physical_block& physical_of(abi::physical_memory handle) {
  const auto found = state<virtual_state>().handles.find(handle);
  require(found != state<virtual_state>().handles.end());
  return *found->second;
}

/// Effects: gives the memory a handle. Returns: the handle.
abi::physical_memory enter(std::shared_ptr<physical_block> made) {
  virtual_state& all = state<virtual_state>();
  constexpr auto kind = static_cast<abi::physical_memory>(handle_kind::physical) << handle_kind_shift;
  const abi::physical_memory handle = kind + 16 * ++all.issued;
  made->handle = handle;
  const std::size_t bytes = made->bytes;
  all.handles.emplace(handle, std::move(made));
  state<ledger>().add(object_kind::physical, handle, bytes);
  return handle;
}

/// Returns: the mappings that the range consists of, all of them whole. Throws: refusal if the range has any other
/// byte.
std::vector<memory_block*> mappings_in(abi::device_pointer pointer, std::size_t bytes) {
  require(bytes != 0);
  std::vector<memory_block*> found;
  for (std::size_t at = 0; at < bytes;) {
    memory_block* const each = state<memory_table>().find(pointer + at);
    require(each != nullptr && each->kind == memory_kind::mapped && each->base == pointer + at);
    require(each->bytes <= bytes - at);
    found.push_back(each);
    at += each->bytes;
  }
  return found;
}

/// Effects: makes the addresses of a mapping inaccessible again.
void close_mapping(std::uintptr_t base, std::size_t bytes) {
  (void)::mmap(reinterpret_cast<void*>(base), bytes, PROT_NONE, nothing | MAP_FIXED, -1, 0);
}

}  // namespace

abi::status mem_address_reserve(abi::device_pointer* result, std::size_t bytes, std::size_t alignment,
                                abi::device_pointer wanted, abi::ulong flags) {
  return entry([&] {
    require(result != nullptr && flags == 0 && bytes != 0 && bytes % host_page == 0 && wanted % host_page == 0);
    require((alignment & (alignment - 1)) == 0);
    const std::size_t step = std::max(alignment, granularity);
    require(bytes <= SIZE_MAX - step, abi::error_out_of_memory);
    char* const whole =
        static_cast<char*>(::mmap(reinterpret_cast<void*>(wanted), bytes + step, PROT_NONE, nothing, -1, 0));
    require(whole != MAP_FAILED, abi::error_out_of_memory);
    const std::size_t before = (step - reinterpret_cast<std::uintptr_t>(whole) % step) % step;
    if (before != 0) ::munmap(whole, before);
    if (before != step) ::munmap(whole + before + bytes, step - before);
    const auto base = reinterpret_cast<std::uintptr_t>(whole + before);
    state<virtual_state>().ranges.emplace(base, bytes);
    state<ledger>().add(object_kind::address_range, base, bytes);
    *result = base;
  });
}

abi::status mem_address_free(abi::device_pointer pointer, std::size_t bytes) {
  return entry([&] {
    auto& ranges = state<virtual_state>().ranges;
    const auto found = ranges.find(pointer);
    require(found != ranges.end() && found->second == bytes);
    require(!state<memory_table>().overlaps(pointer, bytes));
    ::munmap(reinterpret_cast<void*>(pointer), bytes);
    ranges.erase(found);
    state<ledger>().remove(object_kind::address_range, pointer);
  });
}

abi::status mem_create(abi::physical_memory* result, std::size_t bytes, const abi::allocation_properties* wanted,
                       abi::ulong flags) {
  return entry([&] {
    require(result != nullptr && flags == 0 && bytes != 0);
    check_properties(wanted);
    require(bytes % granularity == 0);
    count_allocation();
    device& of = device_of(wanted->location.id);
    require(bytes <= of.total_bytes - of.used_bytes, abi::error_out_of_memory);
    auto made = std::make_shared<physical_block>();
    made->device = of.ordinal;
    made->bytes = bytes;
    made->handle_types = wanted->handle_types;
    made->file = shared_file::make(shared_kind::memory, of.ordinal, bytes);
    require(static_cast<bool>(made->file), abi::error_out_of_memory);
    of.used_bytes += bytes;
    made->is_counted = true;
    *result = enter(std::move(made));
  });
}

abi::status mem_release(abi::physical_memory handle) {
  return entry([&] {
    physical_block& which = physical_of(handle);
    if (--which.references != 0) return;
    state<ledger>().remove(object_kind::physical, handle);
    state<virtual_state>().handles.erase(handle);
  });
}

abi::status mem_map(abi::device_pointer pointer, std::size_t bytes, std::size_t offset, abi::physical_memory handle,
                    abi::ulong flags) {
  return entry([&] {
    physical_block& which = physical_of(handle);
    require(flags == 0 && offset == 0 && bytes != 0 && bytes % granularity == 0 && pointer % granularity == 0);
    require(bytes <= which.bytes);
    const auto behind = state<virtual_state>().ranges.upper_bound(pointer);
    require(behind != state<virtual_state>().ranges.begin());
    const auto& [base, room] = *std::prev(behind);
    require(pointer - base <= room && bytes <= room - (pointer - base));
    require(!state<memory_table>().overlaps(pointer, bytes));
    const auto mapped = std::make_shared<mapped_block>();
    mapped->memory = state<virtual_state>().handles.at(handle);
    require(which.file.map(pointer, 0, bytes, false) != 0, abi::error_out_of_memory);
    try {
      memory_block& made =
          state<memory_table>().enter(*device_of(which.device).primary, pointer, bytes, memory_kind::mapped);
      made.mapped = mapped;
      made.made = call_site::here();
      state<ledger>().add(object_kind::mapping, pointer, bytes);
    } catch (...) {
      state<memory_table>().remove(pointer);
      close_mapping(pointer, bytes);
      throw;
    }
  });
}

// Unmapping memory that kernels use would end the process, so this waits for them.
abi::status mem_unmap(abi::device_pointer pointer, std::size_t bytes) {
  return entry([&](driver_lock& lock) {
    (void)mappings_in(pointer, bytes);
    for (std::size_t each = 0; each < state<context_state>().contexts.size();
         ++each) {  // other mappings may be made meanwhile
      if (state<context_state>().contexts[each]->alive) wait_for_all(lock, *state<context_state>().contexts[each]);
    }
    for (const memory_block* const each : mappings_in(pointer, bytes)) {
      const std::uintptr_t base = each->base;
      close_mapping(base, each->bytes);
      state<memory_table>().remove(base);
      state<ledger>().remove(object_kind::mapping, base);
    }
  });
}

abi::status mem_set_access(abi::device_pointer pointer, std::size_t bytes, const abi::access_descriptor* wanted,
                           std::size_t count) {
  return entry([&] {
    require(wanted != nullptr && count != 0);
    const std::vector<memory_block*> mappings = mappings_in(pointer, bytes);
    for (std::size_t each = 0; each < count; ++each) {
      require(wanted[each].location.type == abi::memory_location_type::device);
      device_of(wanted[each].location.id);
      const abi::access_flags flags = wanted[each].flags;
      require(flags == abi::access_flags::none || flags == abi::access_flags::read ||
              flags == abi::access_flags::read_write);
    }
    for (memory_block* const one : mappings) {
      for (std::size_t each = 0; each < count; ++each) {
        one->mapped->access[wanted[each].location.id] = wanted[each].flags;
      }
      int protection = PROT_NONE;
      for (const auto& [of, flags] : one->mapped->access) {
        if (flags == abi::access_flags::read) protection |= PROT_READ;
        if (flags == abi::access_flags::read_write) protection |= PROT_READ | PROT_WRITE;
      }
      require(::mprotect(reinterpret_cast<void*>(one->base), one->bytes, protection) == 0, abi::error_out_of_memory);
    }
  });
}

abi::status mem_get_access(abi::ulong* result, const abi::memory_location* of, abi::device_pointer pointer) {
  return entry([&] {
    require(result != nullptr && of != nullptr && of->type == abi::memory_location_type::device);
    device_of(of->id);
    const memory_block* const found = state<memory_table>().find(pointer);
    require(found != nullptr && found->mapped != nullptr);
    const auto access = found->mapped->access.find(of->id);
    *result = access == found->mapped->access.end() ? 0 : static_cast<abi::ulong>(access->second);
  });
}

abi::status mem_get_granularity(std::size_t* result, const abi::allocation_properties* wanted,
                                abi::granularity_kind kind) {
  return entry([&] {
    require(result != nullptr && kind <= abi::granularity_kind::recommended);
    check_properties(wanted);
    *result = granularity;
  });
}

abi::status mem_get_properties(abi::allocation_properties* result, abi::physical_memory handle) {
  return entry([&] {
    const physical_block& which = physical_of(handle);
    require(result != nullptr);
    *result = {};
    result->type = abi::allocation_type::pinned;
    result->handle_types = which.handle_types;
    result->location = {abi::memory_location_type::device, which.device};
  });
}

abi::status mem_export(void* result, abi::physical_memory handle, abi::shared_handle_type type, abi::ulong flags) {
  return entry([&] {
    const physical_block& which = physical_of(handle);
    require(result != nullptr && flags == 0 && type == by_descriptor && which.handle_types == by_descriptor);
    const int descriptor = which.file.another_descriptor();
    require(descriptor >= 0, abi::error_operating_system);
    *static_cast<int*>(result) = descriptor;
  });
}

abi::status mem_import(abi::physical_memory* result, void* from, abi::shared_handle_type type) {
  return entry([&] {
    require(result != nullptr && type == by_descriptor);
    auto made = std::make_shared<physical_block>();
    made->file = shared_file::from(static_cast<int>(reinterpret_cast<std::intptr_t>(from)), shared_kind::memory);
    require(static_cast<bool>(made->file));
    const shared_facts told = made->file.facts();
    made->device = device_of(told.device).ordinal;
    made->bytes = told.bytes;
    made->handle_types = by_descriptor;
    *result = enter(std::move(made));
  });
}

abi::status mem_retain(abi::physical_memory* result, void* address) {
  return entry([&] {
    require(result != nullptr);
    const memory_block* const found = state<memory_table>().find(reinterpret_cast<std::uintptr_t>(address));
    require(found != nullptr && found->mapped != nullptr);
    const std::shared_ptr<physical_block>& memory = found->mapped->memory;
    const auto handle = state<virtual_state>().handles.find(memory->handle);
    if (handle != state<virtual_state>().handles.end()) {
      ++memory->references;
      *result = memory->handle;
      return;
    }
    *result = enter(memory);
    memory->references = 1;
  });
}

}  // namespace yoke::simulator::entries
