// SPDX-License-Identifier: MIT
// Helpers of the functions of `pass`, whose results are calculated when they are assigned.
#ifndef YOKE_ARRAY_EXPRESSION_ARRAY_PASS_HPP
#define YOKE_ARRAY_EXPRESSION_ARRAY_PASS_HPP

#include <yoke/array/expression/expression_operators.hpp>

namespace yoke::inline v0_1::detail {

/// Throws: `logic_error` where two shapes of the same rank differ.
YOKE_API void check_same_shape(const std::size_t* left, const std::size_t* right, std::size_t rank,
                               const source_location& where);
/// Throws: `logic_error` where the shapes of a result and its destination, of the same rank, differ.
YOKE_API void check_result_shape(const std::size_t* result, const std::size_t* destination, std::size_t rank,
                                 const source_location& where);

/// A temporary of uninitialised elements without gaps in C order. It lives until the work of the order that uses it is
/// done.
template <class T, std::size_t Rank, class Order>
class dense_elements {
  using port = port_of_order<Order>;

 public:
  /// `stream` is that of the view. Requires: at least one element. Throws: as `device_array`.
  dense_elements(const Order& order, const shape<Rank>& extents, const stream<port>& stream,
                 const source_location& where)
      : layout_(extents, sizeof(T), array_order::c, where),
        stream_(&stream),
        memory_(order, layout_.size_bytes(), where) {}

  [[nodiscard]] device_view<T, Rank, port> view() const noexcept {
    return {memory_of(memory_.get()), *stream_, layout_};
  }

 private:
  array_layout<Rank> layout_;
  const stream<port>* stream_;
  temporary_memory<Order> memory_;
};

/// Whether two views may share bytes.
template <class Order, class To, class From>
[[nodiscard]] bool views_share(const Order& order, const To& to, const From& from, const source_location& where) {
  const byte_layout left(to.layout());
  const byte_layout right(from.layout());
  return may_share(order.context_of().port(where), to.memory(), left.first, left.end, from.memory(), right.first,
                   right.end);
}
/// Whether a view may share bytes with any of the operands.
template <class Order, class To, class Port>
[[nodiscard]] bool shares_any(const Order& order, const To& to, std::span<const evaluation_operand<Port>> operands,
                              const source_location& where) {
  const byte_layout own(to.layout());
  return std::any_of(operands.begin(), operands.end(), [&](const evaluation_operand<Port>& each) {
    return may_share(order.context_of().port(where), to.memory(), own.first, own.end, each.memory, each.side.first,
                     each.side.end);
  });
}

/// Throws: `logic_error` for a view that the operation cannot write, or that repeats elements.
template <class Order, class View>
void check_destination(operation_memory<Order>& operation, const View& to, const source_location& where) {
  check_memory(operation, to.memory(), memory_use::writes, "destination", where);
  check_writable(to.layout(), where);
}

/// Effects: `write(view)` enqueues work that writes all elements of a view without gaps, in C order, from the start of
/// its memory. This view is `to` itself if `in_place` is true and `to` lies so, else a temporary that is copied to
/// `to`. A view without elements needs no work.
/// Throws: `logic_error` for a view that the order cannot use, or that repeats elements; `error`.
template <class Order, class T, std::size_t Rank, class Port, class Write>
void write_dense(const Order& order, const device_view<T, Rank, Port>& to, bool in_place, const Write& write,
                 const source_location& where) {
  operation_memory operation(order);
  check_destination(operation, to, where);
  if (to.empty()) return;
  if (in_place && to.is_c_contiguous() && to.layout().offset_bytes() == 0) return write(to);
  const dense_elements<T, Rank, Order> between(order, to.shape(), to.stream(where), where);
  write(between.view());
  assign_in(order, to, between.view(), where);
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
/// Deduces the array type of the result of a function of `pass`: `device_array sums(pass::cumsum(a))`.
template <class Item>
  requires requires {
    typename Item::pass_tag;
    Item::result::rank();
  }
device_array(const Item&)
    -> device_array<typename Item::result::value_type, Item::result::rank(), typename Item::result::port_type>;
}  // namespace yoke::inline v0_1

#endif
