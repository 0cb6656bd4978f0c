// SPDX-License-Identifier: MIT
// The device memory of an array, and the checks and waits before an operation uses it.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_MEMORY_HPP
#define YOKE_ARRAY_EVALUATION_ARRAY_MEMORY_HPP

#include <yoke/execution/other_streams.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/memory/device_span.hpp>

#include <cstddef>

namespace yoke::inline v0_1::detail {

/// The device memory of a view. Units: bytes.
template <class Port>
struct array_memory {
  typename Port::memory_handle memory{};
  std::size_t bytes = 0;
  typename Port::context_handle context{};
  map_watch maps{};
  shared_count* owner = nullptr;  // counts the owners; null: the caller keeps the memory alive
  uses_of_memory<Port> uses{};    // uses by other streams

  /// Returns: an owner that keeps the memory alive for work that uses it later. Requires: the memory is alive.
  [[nodiscard]] kept_alive share() const noexcept {
    if (owner == nullptr) return {};
    owner->add();
    return {owner, owner};
  }
  [[nodiscard]] device_span<std::byte, Port> span() const noexcept { return {context, memory, 0, bytes, maps}; }
};

/// The port of an order of work. An order is a stream, which runs work, or a recorder, which makes nodes of it.
template <class Order>
struct order_port;
template <template <class> class Order, class Port>
struct order_port<Order<Port>> {
  using type = Port;
};
template <class Order>
using port_of_order = typename order_port<Order>::type;

/// The memory that one operation uses. Each function that enqueues or records work of arrays makes one, and passes it
/// to `check_memory` with each memory that the work uses.
template <class Order>
class operation_memory;
template <class Port>
class operation_memory<stream<Port>> {
 public:
  explicit operation_memory(const stream<Port>& in) noexcept : in_(in), others_(in) {}
  [[nodiscard]] const stream<Port>& order() const noexcept { return in_; }
  void use(const array_memory<Port>& memory, memory_use kind, const source_location& where) {
    others_.use(memory.uses, memory.owner, kind, where);
  }

 private:
  const stream<Port>& in_;
  other_streams<Port> others_;
};
/// A recorder keeps the memory alive, and each launch of the recording takes account of its use.
template <template <class> class Recording, class Port>
class operation_memory<Recording<Port>> {
 public:
  explicit operation_memory(const Recording<Port>& in) noexcept : in_(in) {}
  [[nodiscard]] const Recording<Port>& order() const noexcept { return in_; }
  void use(const array_memory<Port>& memory, memory_use kind, const source_location&) {
    in_.keep(memory.share(), memory.uses, kind);
  }

 private:
  const Recording<Port>& in_;
};
template <class Order>
operation_memory(const Order&) -> operation_memory<Order>;

/// Effects: orders the operation behind earlier work of other streams with the memory, and lets later work wait for
/// it.
/// Throws: `logic_error` for memory that the operation's order cannot use; `error`.
template <class Order>
void check_memory(operation_memory<Order>& operation, const array_memory<port_of_order<Order>>& memory, memory_use kind,
                  const char* name, const source_location& where) {
  const auto span = memory.span();
  check_side(operation.order(), describe(span), name, where);
  operation.use(memory, kind, where);
}

/// Effects: makes the stream that owns the memory wait for work of other streams, before a caller gets the native
/// handle. Throws: `error`.
template <class Port>
void settle(const array_memory<Port>& memory, memory_use kind, const source_location& where) {
  if (memory.uses.uses == nullptr || memory.uses.is_bound) return;
  const stream<Port>& home = memory.uses.uses->home();
  other_streams<Port>(home).use(memory.uses, memory.owner, kind, where);
}

/// Whether two views may share bytes.
template <class Port>
bool may_share(const Port& port, const array_memory<Port>& left, std::size_t left_first, std::size_t left_end,
               const array_memory<Port>& right, std::size_t right_first, std::size_t right_end) noexcept {
  using place = device_place<Port>;
  const typename place::template location<std::byte> one{left.memory, 0};
  const typename place::template location<std::byte> two{right.memory, 0};
  std::uintptr_t one_base = 0;
  std::uintptr_t two_base = 0;
  if (!place::share_base(port, one, two, one_base, two_base)) return false;
  return one_base + left_first < two_base + right_end && two_base + right_first < one_base + left_end;
}

}  // namespace yoke::inline v0_1::detail

#endif
