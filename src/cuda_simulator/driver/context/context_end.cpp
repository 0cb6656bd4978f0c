// SPDX-License-Identifier: MIT
// Waits for a context's work, and takes its objects out of every table.
#include "driver/context/context_end.hpp"

#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/image/arrays.hpp"
#include "machine/memory/memory.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator {

namespace {

void close_stream(const std::shared_ptr<stream>& each) {
  each->closing = true;
  if (each->handle != nullptr) state<stream_state>().streams.orphan(each->handle);
}

}  // namespace

void tear_down(driver_lock& lock, context& which) {
  which.alive = false;
  wait_for_all(lock, which);
  for (const ticket& each : state<memory_table>().users_of(which)) wait_for(lock, each);
  for (const std::shared_ptr<stream>& each : which.streams) {
    close_stream(each);
    state<ledger>().depart(&which, object_kind::stream, reinterpret_cast<std::uintptr_t>(each->handle));
  }
  which.streams.clear();
  which.per_thread.clear();
  which.legacy.reset();
  state<stream_state>().changed.notify_all();
  state<stream_state>().events.orphan_if([&](const event& each) { return &each.owner == &which; },
                                         [&](abi::event each) {
                                           state<ledger>().depart(&which, object_kind::event,
                                                                  reinterpret_cast<std::uintptr_t>(each));
                                         });
  forget_instances(which);
  release_arrays(which);
  for (const std::uintptr_t base : state<memory_table>().release_context(which)) {
    using enum object_kind;
    for (const object_kind kind : {device_memory, host_memory, registered_range, imported_memory})
      state<ledger>().depart(&which, kind, base);
  }
  for (const std::unique_ptr<context>& each : state<context_state>().contexts) each->peers.erase(&which);
  which.peers.clear();
}

}  // namespace yoke::simulator
