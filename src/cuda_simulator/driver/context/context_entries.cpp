// SPDX-License-Identifier: MIT
// Entries of the thread's stack of contexts, and of the current context's properties.
#include <algorithm>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

abi::status context_push(abi::context handle) {
  return entry([&] {
    context& which = context_of(handle);
    require(which.alive, abi::error_invalid_context);
    this_thread_record().stack.push_back(&which);
  });
}

abi::status context_pop(abi::context* result) {
  return entry([&] {
    std::vector<context*>& stack = this_thread_record().stack;
    require(!stack.empty(), abi::error_invalid_context);
    if (result != nullptr) *result = stack.back()->handle;
    stack.pop_back();
  });
}

abi::status context_set_current(abi::context handle) {
  return entry([&] {
    std::vector<context*>& stack = this_thread_record().stack;
    if (handle == nullptr) {
      if (!stack.empty()) stack.pop_back();
      return;
    }
    context& which = context_of(handle);
    require(which.alive, abi::error_invalid_context);
    if (stack.empty()) {
      stack.push_back(&which);
    } else {
      stack.back() = &which;
    }
  });
}

abi::status context_get_current(abi::context* result) {
  return entry([&] {
    require(result != nullptr);
    const context* const top = top_context();
    *result = top == nullptr ? nullptr : top->handle;
  });
}

abi::status context_get_device(abi::device* result) {
  return entry([&] {
    const context* const top = top_context();
    require(top != nullptr, abi::error_invalid_context);
    require(top->alive, abi::error_context_is_destroyed);
    require(result != nullptr);
    *result = top->device;
  });
}

abi::status context_get_flags(unsigned* flags) {
  return entry([&] {
    const context& current = current_context();
    require(flags != nullptr);
    *flags = current.flags;
  });
}

abi::status context_get_id(abi::context handle, abi::ulong* id) {
  return entry([&] {
    const context& which = handle == nullptr ? current_context() : context_of(handle);
    // A caller that learns that the context is gone cannot do more: real drivers crash at the streams of a lost
    // context.
    if (!which.alive) state<ledger>().forgive(&which);
    require(which.alive, abi::error_context_is_destroyed);
    require(id != nullptr);
    *id = which.id;
  });
}

abi::status context_get_api_version(abi::context handle, unsigned* version) {
  return entry([&] {
    const context& which = handle == nullptr ? current_context() : context_of(handle);
    require(which.alive, abi::error_invalid_context);
    require(version != nullptr);
    *version = 3020;
  });
}

abi::status context_synchronize() {
  return entry([&](driver_lock& lock) {
    context& current = current_context();
    wait_for_all(lock, current);
    require(current.alive, abi::error_context_is_destroyed);
    check_work(current);
  });
}

namespace {

/// The limit of a thread's local memory, which contains its stack; the same on every compute capability.
constexpr std::size_t local_memory_limit = std::size_t{512} * 1024;

/// Compute capability 9.0 dropped kernels that launch kernels and wait for them.
bool has_limit(abi::limit what) {
  if (what == abi::limit::dev_runtime_sync_depth) return the_settings().compute_capability < 90;
  return what < abi::limit::shmem_size;
}

std::size_t& limit_of(abi::limit what) {
  context& current = current_context();
  const auto index = static_cast<std::size_t>(what);
  require(index < current.limits.size());
  require(has_limit(what), abi::error_unsupported_limit);
  return current.limits[index];
}

std::size_t rounded_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

/// Returns: the limit that a driver sets for a requested value, as measured on an H200. Throws: refusal.
std::size_t granted(abi::limit what, std::size_t asked, std::size_t device_bytes) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const auto between = [&](std::size_t least, std::size_t most, std::size_t step = 1) {
    return rounded_up(std::clamp(asked, least, std::max(least, most)), step);
  };
  switch (what) {
    case abi::limit::stack_size: require(asked <= local_memory_limit); return rounded_up(asked, 16);
    case abi::limit::printf_fifo_size: return between(mebibyte / 2, std::min(2048 * mebibyte, device_bytes), 256);
    case abi::limit::malloc_heap_size: return between(4 * mebibyte, device_bytes / 8, 65536);
    case abi::limit::dev_runtime_sync_depth: require(asked <= 24); return asked;
    case abi::limit::dev_runtime_pending_launch_count: return between(32, 599186);
    case abi::limit::max_l2_fetch_granularity: require(asked <= 128); return asked;
    case abi::limit::persisting_l2_cache_size: require(asked == 0); return asked;  // as much as the attribute says
    default: return asked;
  }
}

}  // namespace

abi::status context_set_limit(abi::limit what, std::size_t value) {
  return entry([&] {
    std::size_t& limit = limit_of(what);
    limit = granted(what, value, device_of(current_context().device).total_bytes);
  });
}

abi::status context_get_limit(std::size_t* value, abi::limit what) {
  return entry([&] {
    const std::size_t limit = limit_of(what);
    require(value != nullptr);
    *value = limit;
  });
}

abi::status context_get_cache_config(abi::cache_config* result) {
  return entry([&] {
    const context& current = current_context();
    require(result != nullptr);
    *result = current.cache;
  });
}

abi::status context_set_cache_config(abi::cache_config config) {
  return entry([&] {
    context& current = current_context();
    require(config <= abi::cache_config::prefer_equal);
    current.cache = config;
  });
}

abi::status context_get_stream_priority_range(int* least, int* greatest) {
  return entry([&] {
    current_context();
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}

abi::status context_enable_peer_access(abi::context handle, unsigned flags) {
  return entry([&] {
    context& current = current_context();
    context& peer = context_of(handle);
    require(peer.alive, abi::error_invalid_context);
    require(flags == 0);
    require(peer.device != current.device, abi::error_peer_access_unsupported);
    require(current.peers.insert(&peer).second, abi::error_peer_access_already_enabled);
  });
}

abi::status context_disable_peer_access(abi::context handle) {
  return entry([&] {
    context& current = current_context();
    require(current.peers.erase(&context_of(handle)) == 1, abi::error_peer_access_not_enabled);
  });
}

}  // namespace yoke::simulator::entries
