// SPDX-License-Identifier: MIT
// The device memory behind a view.
#ifndef YOKE_ARRAY_ARRAY_MEMORY_HPP
#define YOKE_ARRAY_ARRAY_MEMORY_HPP

#include <yoke/memory/copy.hpp>
#include <yoke/memory/device_span.hpp>

#include <cstddef>

namespace yoke::inline YOKE_ABI::detail {

/// The device memory behind a view. Units: bytes.
template <class Port>
struct array_memory {
  typename Port::memory_handle memory{};
  std::size_t bytes = 0;
  typename Port::context_handle context{};
  map_watch maps{};
  shared_count* owner = nullptr;  // of what shares it; null: the caller sees to it that it lives

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

/// Effects: what records the work keeps the memory. Throws: `logic_error` unless a view can be used in the order.
template <class Order>
void check_memory(const Order& order, const array_memory<port_of_order<Order>>& memory, const char* name,
                  const source_location& where) {
  const auto span = memory.span();
  check_side(order, describe(span), name, where);
  if constexpr (!is_a_stream<Order>) order.keep(memory.share());
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

}  // namespace yoke::inline YOKE_ABI::detail

#endif
