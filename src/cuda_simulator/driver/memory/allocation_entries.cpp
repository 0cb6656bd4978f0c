// SPDX-License-Identifier: MIT
// Entries that allocate and free device memory: plain, in stream order, and from pools.
#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/graph/capture.hpp"
#include "machine/memory/memory.hpp"
#include "machine/memory/pools.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

abi::device_pointer allocate(context& in, std::size_t bytes, memory_kind kind,
                             const std::shared_ptr<pool_object>& pool = {}) {
  const memory_block& made = state<memory_table>().allocate(in, bytes, kind, 0, pool);
  return note_allocation(object_kind::device_memory, made);
}

/// Effects: allocates in the stream's order, from the device's current pool if `from` is null.
void allocate_in_order(abi::device_pointer* result, std::size_t bytes, std::shared_ptr<pool_object> from,
                       abi::stream on) {
  stream& in = stream_of(on);
  require(result != nullptr);
  if (bytes == 0) {
    *result = 0;  // a success (measured on 580.159)
    return;
  }
  if (from == nullptr) from = device_of(in.owner.device).pool;
  require(from->device == in.owner.device);
  const ticket at = submit(in, command{});
  *result = allocate(in.owner, bytes, memory_kind::stream_ordered, from);
  memory_block& made = *state<memory_table>().find(*result);
  made.order = at.on;
  made.allocated = at;
}

// Reports a misuse that the driver does not detect, and which ends the process later (measured on 580.159).
abi::status mixed_up(const char* what) {
  say(what);
  return abi::error_invalid_value;
}

}  // namespace

abi::status mem_alloc(abi::device_pointer* result, std::size_t bytes) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr && bytes != 0);
    *result = allocate(current, bytes, memory_kind::plain);
  });
}

abi::status mem_alloc_pitch(abi::device_pointer* result, std::size_t* pitch, std::size_t width, std::size_t height,
                            unsigned element_bytes) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr && pitch != nullptr && width != 0 && height != 0);
    require(element_bytes == 4 || element_bytes == 8 || element_bytes == 16);
    constexpr std::size_t step = 512;
    require(width <= SIZE_MAX - step, abi::error_out_of_memory);
    const std::size_t row = (width + step - 1) / step * step;
    require(height <= SIZE_MAX / row, abi::error_out_of_memory);
    *result = allocate(current, row * height, memory_kind::plain);
    *pitch = row;
  });
}

abi::status mem_free(abi::device_pointer pointer) {
  return entry([&](driver_lock& lock) -> abi::status {
    if (pointer == 0) return abi::success;
    memory_block* const found = state<memory_table>().find(pointer);
    state<ledger>().remove(object_kind::device_memory, pointer);
    require(!state<memory_table>().is_departed(pointer), abi::error_context_is_destroyed);
    require(found != nullptr && found->base == pointer && !found->freeing);
    check_context(*found->owner);
    if (found->kind == memory_kind::stream_ordered) return mixed_up("cuMemFree of a block that cuMemAllocAsync made");
    require(found->kind == memory_kind::plain || found->kind == memory_kind::managed);
    memory_table::begin_free(*found);
    context& owner = *found->owner;
    wait_for_users(lock, *found);
    state<memory_table>().release(pointer);
    return owner.error;
  });
}

// In a child of fork() the driver reports that there is no memory (measured on 580.159).
abi::status mem_alloc_async(abi::device_pointer* result, std::size_t bytes, abi::stream on) {
  return entry([&] { allocate_in_order(result, bytes, {}, on); },
               is_made(on) ? abi::error_out_of_memory : abi::error_not_initialized);
}

abi::status mem_alloc_from_pool_async(abi::device_pointer* result, std::size_t bytes, abi::memory_pool from,
                                      abi::stream on) {
  return entry(
      [&] {
        const std::shared_ptr<pool_object> pool = state<pool_state>().pools.find(from);
        require(pool != nullptr && !pool->is_imported);
        allocate_in_order(result, bytes, pool, on);
      },
      is_made(on) ? abi::error_out_of_memory : abi::error_not_initialized);
}

abi::status mem_free_async(abi::device_pointer pointer, abi::stream on) {
  return stream_entry(on, [&]() -> abi::status {
    if (const memory_block* const it = state<memory_table>().find(pointer);
        it != nullptr && it->kind == memory_kind::managed) {
      return abi::error_not_supported;  // and it stays (measured on 580.159)
    }
    state<ledger>().remove(object_kind::device_memory, pointer);
    stream& in = stream_of(on);
    if (pointer == 0) return abi::success;
    memory_block* const found = state<memory_table>().find(pointer);
    require(found != nullptr && found->base == pointer && !found->freeing);
    if (found->kind == memory_kind::plain) return mixed_up("cuMemFreeAsync of a block that cuMemAlloc made");
    require(found->kind == memory_kind::stream_ordered);
    memory_table::begin_free(*found);
    const std::string wrong = memory_table::check_free(*found, next_ticket(in));
    if (!wrong.empty()) break_context(in.owner, abi::error_illegal_address, wrong);
    const unsigned long long id = found->id;
    command release{[pointer, id] {
                      const driver_lock lock(driver_mutex());
                      memory_block* const block = state<memory_table>().find(pointer);
                      if (block != nullptr && block->id == id) state<memory_table>().release(pointer);
                    },
                    {},
                    true};  // also after an error; the context may take the block away before
    // A block that was just reported must not fault as well.
    for (const memory_use& each : found->uses) {
      if (each.at.on.get() != &in) release.after.push_back(each.at);
    }
    submit(in, std::move(release));
    return in.owner.error;
  });
}

abi::status mem_get_info(std::size_t* available, std::size_t* total) {
  return entry([&] {
    const device& of = device_of(current_context().device);
    require(available != nullptr && total != nullptr);
    *available = of.total_bytes - of.used_bytes;
    *total = of.total_bytes;
  });
}

}  // namespace yoke::simulator::entries
