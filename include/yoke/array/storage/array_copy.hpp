// SPDX-License-Identifier: MIT
// Copies between arrays of any layouts, on the device and to the host, with as few driver calls as possible.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_COPY_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_COPY_HPP

#include <yoke/array/evaluation/evaluation.hpp>
#include <yoke/array/storage/array_pool.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/memory/fill.hpp>

#include <cstddef>

namespace yoke::inline v0_1::detail {

/// The size of memory on the host, where the last row of a box needs no padding.
inline constexpr std::size_t on_host = ~std::size_t{0};
/// Whether one driver call copies the boxes at a good speed. Units: the sizes of the memories, in bytes.
[[nodiscard]] YOKE_API bool is_quick(const copy_boxes& boxes, std::size_t to_bytes, std::size_t from_bytes) noexcept;

/// Effects: enqueues a copy within the device: one driver call where the layouts allow it, else a kernel.
/// Requires: source and destination share no byte.
template <class Order>
void copy_on_device(const Order& order, const array_memory<port_of_order<Order>>& to,
                    const array_memory<port_of_order<Order>>& from, const merged_copy& plan,
                    const source_location& where) {
  if (plan.is_empty) return;
  const copy_boxes boxes = boxes_of(plan);
  const bool row_by_row = to.memory == from.memory && !memory_is_address(order.context_of().port(where)) &&
                          have_other_pitches(bytes_of(boxes.from, 0, 1), bytes_of(boxes.to, 0, 1), boxes.to.depth);
  if (is_quick(boxes, to.bytes, from.bytes) && !(row_by_row && boxes.to.height * boxes.to.depth != 1)) {
    const auto whole_to = to.span();
    const auto whole_from = from.span();
    auto destination = strided(device_span(whole_to), boxes.to, where);
    enqueue_copy(strided(device_span(whole_from), boxes.from, where), destination, order, where);
    return;
  }
  launch_word_copy(order, to, from, plan, where);
}

template <class Port>
[[nodiscard]] array_memory<Port> memory_of(const device_allocation<std::byte, Port>& of) noexcept {
  return {of.native_handle(), of.size(), of.context_of().native_handle(), of.maps()};
}
/// Memory for a temporary of work in an order. In a stream it is freed in the stream's order, when this object ends; a
/// recorder's graph keeps it.
template <class Order>
class temporary_memory {
  using allocation = device_allocation<std::byte, port_of_order<Order>>;

 public:
  temporary_memory() noexcept = default;
  /// Throws: as `device_array`.
  temporary_memory(const Order& order, std::size_t bytes, const source_location& where) {
    if constexpr (is_a_stream<Order>) {
      held_ = allocate_for_array<std::byte>(order, bytes, where);
    } else {
      held_ = &allocate_for_array<std::byte>(order, bytes, where);
    }
  }
  [[nodiscard]] const allocation& get() const noexcept {
    if constexpr (is_a_stream<Order>) {
      return held_;
    } else {
      return *held_;
    }
  }

 private:
  std::conditional_t<is_a_stream<Order>, allocation, allocation*> held_{};
};

/// Returns: a native handle as a number: an address, or a `cl_mem`.
template <class Handle>
[[nodiscard]] std::uintptr_t number_of_handle(const Handle& handle) noexcept {
  if constexpr (requires { handle.value; }) {
    return number_of_handle(handle.value);
  } else if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uintptr_t>(handle);
  }
}
/// Returns: the native handle of a number, as of an address or a `cl_mem`.
template <class Handle>
[[nodiscard]] Handle handle_of_number(std::uintptr_t number) noexcept {
  if constexpr (requires(Handle h) { h.value; }) {
    Handle made{};
    made.value = handle_of_number<decltype(made.value)>(number);
    return made;
  } else if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<Handle>(number);
  } else {
    return static_cast<Handle>(number);
  }
}
/// A layout of a given shape, without gaps in C order, at the start of its memory.
struct dense_axes {
  constexpr dense_axes(const const_axes& like, std::size_t element_bytes) : extents(like.extents), rank(like.rank) {
    set_dense_strides(extents, strides, rank, element_bytes, array_order::c, {});
  }
  [[nodiscard]] const_axes axes() const noexcept { return {extents, strides, rank}; }
  const std::size_t* extents;
  std::ptrdiff_t strides[max_array_rank]{};
  std::size_t rank;
};

/// Throws: `logic_error` for a destination whose elements share bytes.
YOKE_API void check_writable(const byte_layout& to, const source_location& where);

/// Effects: enqueues a copy between two views. It uses a temporary where they may share bytes.
/// Requires: equal extents.
template <class Order>
void copy_views(const Order& order, const array_memory<port_of_order<Order>>& to, const byte_layout& to_side,
                const array_memory<port_of_order<Order>>& from, const byte_layout& from_side,
                const source_location& where) {
  operation_memory operation(order);
  check_memory(operation, from, memory_use::reads, "source", where);
  check_memory(operation, to, memory_use::writes, "destination", where);
  check_writable(to_side, where);
  const merged_copy plan = merge_copy(to_side.axes, to_side.offset, from_side.axes, from_side.offset, to_side.element);
  if (plan.is_empty) return;
  const auto& port = order.context_of().port(where);
  if (!may_share(port, to, to_side.first, to_side.end, from, from_side.first, from_side.end)) {
    return copy_on_device(order, to, from, plan, where);
  }
  const dense_axes dense(from_side.axes, from_side.element);
  const auto& between = allocate_for_array<std::byte>(order, from_side.bytes(), where);
  copy_on_device(order, memory_of(between), from,
                 merge_copy(dense.axes(), 0, from_side.axes, from_side.offset, from_side.element), where);
  copy_on_device(order, to, memory_of(between),
                 merge_copy(to_side.axes, to_side.offset, dense.axes(), 0, to_side.element), where);
}

/// A box of bytes in a page-locked array.
template <class Port>
struct staged_bytes {
  template <class T>
  staged_bytes(pagelocked_array<T, Port>& of, const box_layout& within) noexcept
      : at(reinterpret_cast<std::byte*>(of.data())),
        size(of.size() * sizeof(T)),
        context(of.context_of().native_handle()),
        keep_alive(of.keep_alive()),
        box(within) {}
  /// The same from a description of page-locked memory; const memory is only read.
  template <class T>
  staged_bytes(const memory_side<pagelocked_place<Port>, T>& of, const box_layout& within) noexcept
      : at(reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(of.at))),
        size(of.size * sizeof(T)),
        context(of.context),
        keep_alive(of.keep_alive),
        box(within) {}
  std::byte* at;
  std::size_t size;
  typename Port::context_handle context;
  kept_alive keep_alive;
  box_layout box;
};

/// Effects: calls `transfer(box)` with the device bytes that hold the elements of a view in C order: the view's own
/// bytes, or a packed copy. `host` is the box on the host.
template <class Order, class Transfer>
void read_view(const Order& order, const array_memory<port_of_order<Order>>& from, const byte_layout& side,
               Transfer&& transfer, const source_location& where) {
  operation_memory operation(order);
  check_memory(operation, from, memory_use::reads, "source", where);
  const dense_axes dense(side.axes, side.element);
  const merged_copy plan = merge_copy(dense.axes(), 0, side.axes, side.offset, side.element);
  if (plan.is_empty) return;
  if (const copy_boxes boxes = boxes_of(plan); is_quick(boxes, on_host, from.bytes)) {
    return transfer(strided(from.span(), boxes.from, where), boxes.to);
  }
  const auto& packed = allocate_for_array<std::byte>(order, side.bytes(), where);
  launch_word_copy(order, memory_of(packed), from, plan, where);
  transfer(strided(memory_of(packed).span(), box_layout{.width = side.bytes()}, where),
           box_layout{.width = side.bytes()});
}
/// The same for writing: `transfer` writes the elements in C order.
template <class Order, class Transfer>
void write_view(const Order& order, const array_memory<port_of_order<Order>>& to, const byte_layout& side,
                Transfer&& transfer, const source_location& where) {
  operation_memory operation(order);
  check_memory(operation, to, memory_use::writes, "destination", where);
  check_writable(side, where);
  const dense_axes dense(side.axes, side.element);
  const merged_copy plan = merge_copy(side.axes, side.offset, dense.axes(), 0, side.element);
  if (plan.is_empty) return;
  if (const copy_boxes boxes = boxes_of(plan); is_quick(boxes, to.bytes, on_host)) {
    return transfer(strided(to.span(), boxes.to, where), boxes.from);
  }
  const auto& packed = allocate_for_array<std::byte>(order, side.bytes(), where);
  transfer(strided(memory_of(packed).span(), box_layout{.width = side.bytes()}, where),
           box_layout{.width = side.bytes()});
  launch_word_copy(order, to, memory_of(packed), plan, where);
}

/// Effects: copies the elements of a view to the host, in C order. Returns when the copy is done.
template <class Port>
void read_to_host(const stream<Port>& stream, const array_memory<Port>& from, const byte_layout& side,
                  std::span<std::byte> to, const source_location& where) {
  read_view(
      stream, from, side,
      [&](auto on_device, const box_layout& box) { copy(on_device, strided(to, box, where), stream, where); }, where);
}
/// Effects: copies elements, in C order, from the host to a view. Returns when the host's memory may be used again.
template <class Port>
void write_from_host(const stream<Port>& stream, const array_memory<Port>& to, const byte_layout& side,
                     std::span<const std::byte> from, const source_location& where) {
  write_view(
      stream, to, side,
      [&](auto on_device, const box_layout& box) { copy(strided(from, box, where), on_device, stream, where); }, where);
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
template <class Port>
struct memory_access<detail::staged_bytes<Port>> {
  static memory_side<pagelocked_place<Port>, std::byte> describe(const detail::staged_bytes<Port>& of) noexcept {
    return {.at = of.at,
            .size = of.size,
            .context = of.context,
            .keep_alive = of.keep_alive,
            .box = of.box,
            .strided = true};
  }
};
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/array_copy.ipp>
#endif

#endif
