// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/peer.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_PEER_IPP
#define YOKE_DRIVER_CUDA_MEMORY_PEER_IPP

#include <yoke/driver/cuda/memory/peer.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// The accesses that were enabled through this library, with counts, because the driver does not count.
class peer_list {
 public:
  struct access {
    abi::context from = nullptr;
    std::uint64_t from_id = 0;
    abi::context to = nullptr;
    std::uint64_t to_id = 0;
    std::size_t times = 0;
    bool by_others = false;

    [[nodiscard]] bool is_same(const access& other) const noexcept {
      return from == other.from && from_id == other.from_id && to == other.to && to_id == other.to_id;
    }
  };

  /// Effects: adds one to the count. The first time calls `enable`, which returns whether other code had enabled the
  /// access.
  template <class Enable>
  void add(access which, Enable&& enable) {
    const std::lock_guard lock(mutex_);
    for (access& each : list_) {
      if (each.is_same(which)) {
        ++each.times;
        return;
      }
    }
    list_.reserve(list_.size() + 1);
    which.by_others = enable();
    which.times = 1;
    list_.push_back(which);
  }
  /// Effects: subtracts one from the count. Returns: the outcome of `disable`, which the last call makes.
  template <class Disable>
  release_result drop(const access& which, Disable&& disable) noexcept {
    const std::lock_guard lock(mutex_);
    for (auto at = list_.begin(); at != list_.end(); ++at) {
      if (!at->is_same(which)) continue;
      if (--at->times != 0) return {};
      const bool ours = !at->by_others;
      list_.erase(at);
      return ours ? disable() : release_result{};
    }
    return {};
  }

 private:
  std::mutex mutex_;
  std::vector<access> list_;
};

peer_list::access access_between(const abi::functions* table, abi::context from, abi::context to) noexcept {
  return {from, number_of(table, from), to, number_of(table, to)};
}

std::string device_text(const abi::functions* table, abi::device device) {
  char name[256] = {};
  if (table->device_get_name(name, static_cast<int>(sizeof name) - 1, device) != abi::success) name[0] = '\0';
  return text("device ", device, name[0] == '\0' ? "" : " (", name, name[0] == '\0' ? "" : ")");
}

int peer_attribute(const abi::functions* table, abi::p2p_attribute which, abi::device from, abi::device to,
                   const source_location& where) {
  int value = 0;
  invoke<&abi::functions::device_get_p2p_attribute>(table, where, &value, which, from, to);
  return value;
}

}  // namespace detail

bool peer_functions::can_access_peer(device_id from, device_id to, const source_location& where) const {
  int can = 0;
  detail::invoke<&abi::functions::device_can_access_peer>(table(), where, &can, from.native(), to.native());
  return can != 0;
}
peer_facts peer_functions::facts_of_peer(device_id from, device_id to, const source_location& where) const {
  using enum abi::p2p_attribute;
  if (from == to) {
    detail::throw_error(errc::invalid_argument, where, detail::device_text(table(), from),
                        " is no peer of itself: facts of a connection are of two devices");
  }
  const auto get = [&](abi::p2p_attribute which) { return detail::peer_attribute(table(), which, from, to, where); };
  peer_facts facts;
  facts.access = get(access_supported) != 0;
  facts.performance_rank = get(performance_rank);
  facts.native_atomics = get(native_atomic_supported) != 0;
  facts.arrays = get(cuda_array_access_supported) != 0;
  int some = 0;  // drivers before 13.1 do not know it
  facts.some_native_atomics =
      detail::call<&abi::functions::device_get_p2p_attribute>(table(), &some, only_partial_native_atomic_supported,
                                                              from.native(), to.native()) == abi::success &&
      some != 0;
  return facts;
}
void peer_functions::enable_peer_access(abi::context from, abi::context to, const source_location& where) const {
  const abi::device here = detail::device_of(table(), from, where);
  const abi::device there = detail::device_of(table(), to, where);
  if (here == there) {
    detail::throw_error(errc::unsupported, where, "both contexts are of ", detail::device_text(table(), here),
                        ": peer access is between two devices");
  }
  if (!can_access_peer(device_id(here), device_id(there), where)) {
    detail::throw_error(errc::unsupported, where, detail::device_text(table(), here), " cannot access memory of ",
                        detail::device_text(table(), there), ": copies between them go through the host");
  }
  detail::made_part(table()->notes->peers).add(detail::access_between(table(), from, to), [&] {
    const detail::current_context scope(table(), from, where);
    const abi::status status = detail::call<&abi::functions::context_enable_peer_access>(table(), to, 0U);
    if (status == abi::error_peer_access_already_enabled) return true;
    if (status != abi::success) detail::throw_failure(status, "cuCtxEnablePeerAccess", "", where);
    return false;
  });
}
release_result peer_functions::disable_peer_access(abi::context from, abi::context to) const noexcept {
  detail::peer_list* const all = table()->notes->peers.load(yoke::detail::order::acquire);
  if (all == nullptr) return {};
  return all->drop(detail::access_between(table(), from, to), [&]() noexcept {
    return detail::outcome_of("cuCtxDisablePeerAccess", [&] {
      const detail::current_context scope(table(), from, {});
      return detail::release<&abi::functions::context_disable_peer_access>(table(), to);
    });
  });
}

}  // namespace yoke::inline v0_1::cuda

#endif
