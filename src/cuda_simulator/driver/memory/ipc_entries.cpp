// SPDX-License-Identifier: MIT
// Entries that share memory and events with other processes, by handles that say where each one's file is found.
#include <unistd.h>

#include <cstring>
#include <utility>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/shared_file.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/guarded_memory.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/shared_recordings.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

/// The content of a handle.
struct handle_bytes {
  std::uint64_t kind = 0;
  file_place place{};
  std::int32_t device = 0;
  std::uint32_t offset = 0;  ///< of the block in the file
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;  ///< checksum of the fields before

  std::uint64_t expected_sum() const noexcept {
    std::uint64_t sum_of = 0xCBF29CE484222325;
    for (const std::uint64_t each :
         {kind, static_cast<std::uint64_t>(place.process), static_cast<std::uint64_t>(place.descriptor), place.identity,
          static_cast<std::uint64_t>(device), std::uint64_t{offset}, bytes}) {
      sum_of = (sum_of ^ each) * 0x100000001B3;
      sum_of ^= sum_of >> 29;
    }
    return sum_of;
  }
};

std::uint64_t kind_of(shared_kind kind) noexcept {
  return 0x2E6D69732D656B6F + static_cast<std::uint64_t>(kind);  // the simulator's own mark
}

template <class Handle>
Handle written(shared_kind kind, const file_place& place, int device, std::size_t offset = 0, std::size_t bytes = 0) {
  handle_bytes told{kind_of(kind), place, device, static_cast<std::uint32_t>(offset), bytes};
  told.sum = told.expected_sum();
  Handle handle{};
  static_assert(sizeof told <= sizeof handle.bytes);
  std::memcpy(handle.bytes, &told, sizeof told);
  return handle;
}

/// Returns: the content of the handle. Throws: refusal, also for a handle of this process.
template <class Handle>
handle_bytes read(shared_kind kind, const Handle& handle) {
  handle_bytes told;
  std::memcpy(&told, handle.bytes, sizeof told);
  require(told.kind == kind_of(kind) && told.sum == told.expected_sum());
  for (std::size_t each = sizeof told; each < sizeof handle.bytes; ++each) require(handle.bytes[each] == 0);
  require(told.place.process != static_cast<std::int32_t>(::getpid()), abi::error_invalid_context);
  return told;
}

/// Effects: moves a plain block into a file, at the same address: after all work in the context's streams, and before
/// later work.
void move_into_file(driver_lock& lock, const memory_block& block) {
  context& owner = *block.owner;
  const page_range range = pages_of(block.base, block.bytes);
  auto file = std::make_shared<shared_file>(shared_file::make(shared_kind::plain, owner.device, range.bytes));
  require(static_cast<bool>(*file), abi::error_out_of_memory);
  const auto is_moved = std::make_shared<bool>(false);
  command move{[file, range, is_moved] {
                 *is_moved = file->write(reinterpret_cast<const void*>(range.begin), range.bytes) &&
                             file->map(range.begin, 0, range.bytes, true) != 0;
               },
               {},
               true};
  for (const memory_use& each : block.uses) move.after.push_back(each.at);
  for (const std::shared_ptr<stream>& each : owner.streams) move.after.push_back(latest_ticket(*each));
  const std::uintptr_t base = block.base;
  const unsigned long long id = block.id;
  const ticket at = submit(*owner.legacy, std::move(move));
  for (const std::shared_ptr<stream>& each : owner.streams) {
    if (each != owner.legacy) submit(*each, command{{}, {at}});
  }
  wait_for(lock, at);
  memory_block* const moved = state<memory_table>().find(base);  // another thread may have freed it
  require(moved != nullptr && moved->id == id);
  require(*is_moved, abi::error_out_of_memory);
  moved->file = std::move(file);
}

}  // namespace

abi::status ipc_get_memory_handle(abi::ipc_memory_handle* result, abi::device_pointer pointer) {
  return entry([&](driver_lock& lock) {
    const context& current = current_context();
    require(result != nullptr);
    const memory_block* block = &state<memory_table>().require_block(pointer);
    check_context(*block->owner);
    require(can_be_opened(*block) && block->owner->device == current.device);
    if (block->file == nullptr) {
      move_into_file(lock, *block);
      block = &state<memory_table>().require_block(pointer);
    }
    *result = written<abi::ipc_memory_handle>(shared_kind::plain, block->file->place(), block->owner->device,
                                              block->base - pages_of(block->base, block->bytes).begin, block->bytes);
  });
}

abi::status ipc_open_memory_handle(abi::device_pointer* result, abi::ipc_memory_handle handle, unsigned flags) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr && flags == abi::ipc_memory_lazy_enable_peer_access);
    const handle_bytes told = read(shared_kind::plain, handle);
    device_of(told.device);
    memory_table& memory = state<memory_table>();
    if (memory_block* const known = memory.find_opened(told.place.identity); known != nullptr && !known->freeing) {
      require(known->owner == &current, abi::error_already_mapped);
      ++known->opened;
      *result = known->base;
      return;
    }
    const auto file = std::make_shared<shared_file>(shared_file::at(told.place, shared_kind::plain));
    require(static_cast<bool>(*file) && told.offset + told.bytes <= file->facts().bytes);
    *result = note_allocation(object_kind::imported_memory, memory.open_plain(current, file, told.offset, told.bytes));
  });
}

abi::status ipc_close_memory_handle(abi::device_pointer pointer) {
  return entry([&](driver_lock& lock) {
    current_context();
    memory_block* const found = state<memory_table>().find(pointer);
    const bool is_opened = found != nullptr && found->kind == memory_kind::imported && found->base == pointer;
    if (!is_opened) state<ledger>().remove(object_kind::imported_memory, pointer);  // its context has ended it already
    require(is_opened && !found->freeing);
    if (--found->opened != 0) return;
    state<ledger>().remove(object_kind::imported_memory, pointer);
    memory_table::begin_free(*found);
    wait_for_users(lock, *found);
    state<memory_table>().release(pointer);
  });
}

abi::status ipc_get_event_handle(abi::ipc_event_handle* result, abi::event handle) {
  return entry([&] {
    const std::shared_ptr<event> which = find_object(state<stream_state>().events, handle);
    check_context(which->owner);
    require(result != nullptr);
    require(which->shared != nullptr && !which->is_opened, abi::error_invalid_handle);
    *result = written<abi::ipc_event_handle>(shared_kind::event, which->shared->file().place(), which->owner.device);
  });
}

abi::status ipc_open_event_handle(abi::event* result, abi::ipc_event_handle handle) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr);
    const handle_bytes told = read(shared_kind::event, handle);
    device_of(told.device);
    shared_file file = shared_file::at(told.place, shared_kind::event);
    require(static_cast<bool>(file));
    const auto made = std::make_shared<event>(event{current, abi::event_disable_timing | abi::event_interprocess});
    made->shared = shared_recordings::open(std::move(file));
    require(made->shared != nullptr, abi::error_out_of_memory);
    made->is_opened = true;
    *result = state<stream_state>().events.add(made);
    state<ledger>().add(object_kind::event, *result);
  });
}

}  // namespace yoke::simulator::entries
