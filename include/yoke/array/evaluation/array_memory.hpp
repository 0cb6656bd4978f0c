// SPDX-License-Identifier: MIT
// The device memory behind a view.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_MEMORY_HPP
#define YOKE_ARRAY_EVALUATION_ARRAY_MEMORY_HPP

#include <yoke/execution/other_streams.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/memory/device_span.hpp>

#include <cstddef>

namespace yoke::inline v0_1::detail {

/// The device memory behind a view. Units: bytes.
template <class Port>
struct array_memory {
  typename Port::memory_handle memory{};
  std::size_t bytes = 0;
  typename Port::context_handle context{};
  map_watch maps{};
  shared_count* owner = nullptr;  // of what shares it; null: the caller sees to it that it lives
  uses_of_memory<Port> uses{};    // of other streams

  /// A share of the memory, for what uses it later. Requires: it is alive.
  [[nodiscard]] kept_alive share() const noexcept {
    if (owner == nullptr) return {};
    owner->add();
    return {owner, owner};
  }
  [[nodiscard]] device_span<std::byte, Port> span() const noexcept { return {context, memory, 0, bytes, maps}; }
};

/// What work of arrays is enqueued in: a stream, or what records it.
template <class Order>
struct order_port;
template <template <class> class Order, class Port>
struct order_port<Order<Port>> {
  using type = Port;
};
template <class Order>
using port_of_order = typename order_port<Order>::type;

/// The memory that one operation uses, in a stream or on what records it. Each function that enqueues work of arrays has one, and
/// checks the memory of all of them with it.
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
/// What records the work keeps the memory, and knows at each launch how it is used.
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

/// Effects: the operation comes behind all work with the memory that it has to wait for, and is waited for.
/// Throws: `logic_error` unless a view can be used in the operation's order; `error`.
template <class Order>
void check_memory(operation_memory<Order>& operation, const array_memory<port_of_order<Order>>& memory, memory_use kind,
                  const char* name, const source_location& where) {
  const auto span = memory.span();
  check_side(operation.order(), describe(span), name, where);
  operation.use(memory, kind, where);
}

/// Effects: the stream that memory belongs to waits for the work of others, before the memory is given away as it is.
/// Throws: `error`.
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
