// SPDX-License-Identifier: MIT
// Entries about page-locked memory: the driver's own and the program's.
#include <cstdio>
#include <cstring>
#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

std::uintptr_t number_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Returns: the page-locked block around the address. Throws: refusal.
memory_block& pagelocked_block(const void* pointer) {
  require(!state<memory_table>().is_departed(number_of(pointer)), abi::error_context_is_destroyed);
  memory_block& found = state<memory_table>().require_block(number_of(pointer));
  require(!found.is_device());
  check_context(*found.owner);
  return found;
}

/// Returns: whether the process may read all of the range, and write to it if asked; true if the system does not say.
bool is_mapped(std::uintptr_t begin, std::size_t bytes, bool writable) {
  const std::uintptr_t end = begin + bytes;
  if (end < begin) return false;
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, closer> maps(std::fopen("/proc/self/maps", "re"));
  if (maps == nullptr) return true;
  char line[512];
  bool is_start = true;  // whether a line starts here: long paths come in several reads
  while (begin < end && std::fgets(line, sizeof line, maps.get()) != nullptr) {
    unsigned long first = 0;
    unsigned long last = 0;
    char rights[5] = "";
    const bool is_range = is_start && std::sscanf(line, "%lx-%lx %4s", &first, &last, rights) == 3;
    is_start = std::strchr(line, '\n') != nullptr;
    if (!is_range || last <= begin) continue;  // ranges come in their order
    if (first > begin || rights[0] != 'r' || (writable && rights[1] != 'w')) return false;
    begin = last;
  }
  return begin >= end;
}

}  // namespace

abi::status mem_host_alloc(void** result, std::size_t bytes, unsigned flags) {
  return entry([&] {
    context& current = current_context();
    constexpr unsigned known = abi::host_alloc_portable | abi::host_alloc_device_map | abi::host_alloc_write_combined;
    require(result != nullptr && (flags & ~known) == 0);
    if (bytes == 0) {
      *result = nullptr;  // a success (measured on 580.159)
      return;
    }
    // With unified addressing every page-locked block is portable and mapped, whatever the flags.
    const memory_block& made = state<memory_table>().allocate(current, bytes, memory_kind::host, flags);
    *result = reinterpret_cast<void*>(note_allocation(object_kind::host_memory, made));
  });
}

abi::status mem_free_host(void* pointer) {
  return entry([&](driver_lock& lock) -> abi::status {
    if (pointer == nullptr) return abi::success;
    state<ledger>().remove(object_kind::host_memory, number_of(pointer));
    memory_block& found = pagelocked_block(pointer);
    require(found.kind == memory_kind::host && found.base == number_of(pointer));
    memory_table::begin_free(found);
    context& owner = *found.owner;
    wait_for_users(lock, found);
    state<memory_table>().release(number_of(pointer));
    return owner.error;
  });
}

abi::status mem_host_get_device_pointer(abi::device_pointer* result, void* pointer, unsigned flags) {
  return entry([&] {
    require(result != nullptr && flags == 0);
    pagelocked_block(pointer);
    *result = number_of(pointer);
  });
}

abi::status mem_host_get_flags(unsigned* flags, void* pointer) {
  return entry([&] {
    (void)current_context();
    require(flags != nullptr);
    const memory_block& found = pagelocked_block(pointer);
    require(found.kind == memory_kind::host);
    *flags = found.flags | abi::host_alloc_device_map;
  });
}

abi::status mem_host_register(void* pointer, std::size_t bytes, unsigned flags) {
  return entry([&] {
    context& current = current_context();
    constexpr unsigned known = abi::host_register_portable | abi::host_register_device_map |
                               abi::host_register_io_memory | abi::host_register_read_only;
    require(pointer != nullptr && bytes != 0 && (flags & ~known) == 0);
    require((flags & abi::host_register_io_memory) == 0, abi::error_not_supported);
    const memory_block* const there = state<memory_table>().find(number_of(pointer));
    require(there == nullptr || there->managed == nullptr);  // managed memory cannot be page-locked
    require(!state<memory_table>().overlaps(number_of(pointer), bytes), abi::error_host_memory_already_registered);
    require(is_mapped(number_of(pointer), bytes, (flags & abi::host_register_read_only) == 0));
    state<memory_table>().enter(current, number_of(pointer), bytes, memory_kind::registered, flags);
    state<ledger>().add(object_kind::registered_range, number_of(pointer), bytes);
  });
}

abi::status mem_host_unregister(void* pointer) {
  return entry([&](driver_lock& lock) -> abi::status {
    state<ledger>().remove(object_kind::registered_range, number_of(pointer));
    memory_block* const found = state<memory_table>().find(number_of(pointer));
    require(!state<memory_table>().is_departed(number_of(pointer)), abi::error_context_is_destroyed);
    const bool known = found != nullptr && found->kind == memory_kind::registered && found->base == number_of(pointer);
    require(known && !found->freeing, abi::error_host_memory_not_registered);
    check_context(*found->owner);
    found->freeing = true;
    context& owner = *found->owner;
    wait_for_all(lock, owner);
    state<memory_table>().remove(number_of(pointer));
    return owner.error;
  });
}

}  // namespace yoke::simulator::entries
