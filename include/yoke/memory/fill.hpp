// SPDX-License-Identifier: MIT
// Sets device memory to one value of any element type.
#ifndef YOKE_MEMORY_FILL_HPP
#define YOKE_MEMORY_FILL_HPP

#include <yoke/memory/copy.hpp>

namespace yoke::inline v0_1 {

/// Wrong fills do not compile. The compiler's first error names a missing member of this type, which says what to
/// write.
template <class... Given>
struct fill_mismatch {};

namespace detail {
/// Effects: calls `run(first, count)` for each row of a box.
template <class Run>
void for_each_row(const box_layout& box, const Run& run) {
  for (std::size_t slice = 0; slice < box.depth; ++slice) {
    for (std::size_t row = 0; row < box.height; ++row) {
      run(box.offset + slice * box.slice_pitch + row * box.row_pitch, box.width);
    }
  }
}

/// Effects: fills memory behind events, unless `after` is null. Returns: whether there was something to fill; if not,
/// the stream does not wait.
template <class Destination, class Element, class Port>
bool fill_memory(Destination& destination, const Element& value, const stream<Port>& stream,
                 const std::type_identity_t<wait_list<Port>>* after, const source_location& where) {
  const auto to = detail::describe(destination);
  using side = std::remove_const_t<decltype(to)>;
  using place = typename side::place;
  using element = typename side::element;
  if constexpr (place::on_host) {
    (void)fill_mismatch<Destination>::the_memory_is_on_the_host_use_std_ranges_fill;
  } else if constexpr (std::is_const_v<element>) {
    (void)fill_mismatch<element>::the_destination_is_const_pass_memory_that_is_not_const;
  } else if constexpr (!std::same_as<typename side::port, Port>) {
    (void)fill_mismatch<typename side::port, Port>::memory_and_stream_are_of_different_backends_pass_those_of_one;
  } else {
    if (!stream) throw_empty_handle("stream", where);
    check_side(stream, to, "destination", where);
    const box_layout box = to.layout();
    if (volume(box) == 0) return false;
    if (after != nullptr && !after->empty()) stream.wait(*after, where);
    other_streams<Port> operation(stream);
    use_side(operation, to, memory_use::writes, where);
    if constexpr (requires { place::fill_box(stream, to.at, box, value, where); }) {
      place::fill_box(stream, to.at, box, value, where);
    } else {
      const Port& port = stream.context_of().port(where);
      const auto run = [&](std::size_t first, std::size_t count) {
        place::fill(port, stream.native_handle(), to.at, first, count, value, where);
      };
      if (dense(box)) {
        run(box.offset, volume(box));
      } else {
        for_each_row(box, run);
      }
    }
  }
  return true;
}
/// Effects: the same. Returns: the fill's event.
template <class Destination, class Element, class Port>
[[nodiscard]] event<Port> fill_behind(Destination& destination, const Element& value, const stream<Port>& stream,
                                      const wait_list<Port>& after, const source_location& where) {
  return fill_memory(destination, value, stream, &after, where) ? stream.record({}, where)
                                                                : stream.record(after, where);
}

/// The element type of memory.
template <class Memory>
using filled_element = typename decltype(detail::describe(std::declval<Memory&>()))::element;
}  // namespace detail

/// Sets every element of device memory, or of a strided view of it, to `value`; leaves bytes between rows unchanged.
///
/// Effects: runs in the stream's order. The call copies `value` before it returns, also from page-locked memory. If the
/// element size is not a power of two or exceeds 128 bytes (on CUDA already from 8 bytes on), the fill takes one small
/// write and a few device copies; on OpenCL the write waits for the stream.
/// Throws: `logic_error` when the memory is mapped, empty or of another context; `error`. Thread safety: safe.
/// Wraps `clEnqueueFillBuffer`, `clEnqueueSVMMemFill`, `cuMemsetD8Async` and its wider twins.
template <class Destination, class Port>
void fill(Destination&& destination,
          const std::type_identity_t<typename decltype(detail::describe(destination))::element>& value,
          const stream<Port>& stream, const source_location& where = source_location::current()) {
  detail::fill_memory(destination, value, stream, nullptr, where);
}
/// The same behind the options' events: `yoke::fill(x, 0, stream, {.after = {first, second}})`.
/// Returns: the fill's event. Throws: as above; `runtime_error` when an event's command has failed.
template <class Destination, class Port>
event<Port> fill(Destination&& destination,
                 const std::type_identity_t<typename decltype(detail::describe(destination))::element>& value,
                 const stream<Port>& stream, const std::type_identity_t<copy_options<Port>>& options,
                 const source_location& where = source_location::current()) {
  return detail::fill_behind(destination, value, stream, options.after, where);
}

template <class Destination, class Value, class Port>
  requires(!accessible_memory<std::remove_reference_t<Destination>>)
void fill(Destination&&, const Value&, const stream<Port>&) {
  using wrong = fill_mismatch<std::remove_reference_t<Destination>>;
  if constexpr (std::is_pointer_v<std::remove_cvref_t<Destination>>) {
    (void)wrong::a_pointer_has_no_size_pass_device_memory;
  } else {
    (void)wrong::pass_device_memory;
  }
}

template <class Destination, class Value, class Port>
  requires(accessible_memory<std::remove_reference_t<Destination>> &&
           !std::convertible_to<const Value&, detail::filled_element<std::remove_reference_t<Destination>>>)
void fill(Destination&&, const Value&, const stream<Port>&) {
  using side = decltype(detail::describe(std::declval<std::remove_reference_t<Destination>&>()));
  if constexpr (side::place::on_host) {
    (void)fill_mismatch<std::remove_reference_t<Destination>>::the_memory_is_on_the_host_use_std_ranges_fill;
  } else if constexpr (requires { requires side::place::is_opaque; }) {
    (void)fill_mismatch<typename side::element,
                        Value>::the_texels_are_of_another_type_pass_a_unorm_std_uint8_t_4_or_its_like;
  } else {
    (void)fill_mismatch<typename side::element, Value>::the_value_does_not_convert_to_the_element_type;
  }
}

template <class Destination, class Value>
  requires(accessible_memory<std::remove_reference_t<Destination>>)
void fill(Destination&&, const Value&) {
  (void)fill_mismatch<std::remove_reference_t<Destination>>::pass_a_stream_as_the_last_argument;
}

}  // namespace yoke::inline v0_1

#endif
