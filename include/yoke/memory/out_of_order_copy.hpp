// SPDX-License-Identifier: MIT
// Copies and fills on streams that keep no order.
#ifndef YOKE_MEMORY_OUT_OF_ORDER_COPY_HPP
#define YOKE_MEMORY_OUT_OF_ORDER_COPY_HPP

#include <yoke/memory/fill.hpp>

#include <utility>

namespace yoke::inline v0_1 {

namespace detail {

/// Effects: runs `work(stream)` for an out-of-order stream. Returns: the event of the work.
template <class Port, class Work>
event<Port> run_beside(const out_of_order_stream<Port>& of, const Work& work, const source_location& where) {
  return side_streams<Port>::of(of, where).run(of, work, where);
}

}  // namespace detail

/// Copies in an out-of-order stream: behind the events and the stream's earlier barriers, beside its other commands.
/// Returns when the copy is done. Throws, thread safety: as `copy` in a stream; `runtime_error` when an event's command
/// has failed.
template <class Source, class Destination, out_of_order_port Port>
void copy(const Source& source, Destination&& destination, const out_of_order_stream<Port>& stream,
          const std::type_identity_t<copy_options<Port>>& options,
          const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_sides<Source, given_destination, Port, false>();
  if constexpr (detail::sides_of_a_copy<Source, given_destination, Port>) {
    (void)detail::run_beside(
        stream, [&](const auto& side) { detail::copy_behind(source, destination, side, options.after, where); }, where);
  }
}
template <class Source, class Destination, out_of_order_port Port>
void copy(const Source& source, Destination&& destination, const out_of_order_stream<Port>& stream,
          const source_location& where = source_location::current()) {
  copy(source, destination, stream, copy_options<Port>{}, where);
}

/// Starts a copy in an out-of-order stream: behind the events and earlier barriers, beside its other commands.
/// Returns, throws, thread safety: as `copy_async` in a stream.
/// Example: `auto copied = yoke::copy_async(x, host, unordered, {.after = filled});`
template <class Source, class Destination, out_of_order_port Port>
[[nodiscard]] transfer<Port> copy_async(const Source& source, Destination&& destination,
                                        const out_of_order_stream<Port>& stream,
                                        const std::type_identity_t<copy_options<Port>>& options,
                                        const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_sides<Source, given_destination, Port, true>();
  if constexpr (detail::sides_of_a_copy<Source, given_destination, Port>) {
    auto from = detail::describe(source);
    auto to = detail::describe(destination);
    event<Port> done = detail::run_beside(
        stream, [&](const auto& side) { (void)detail::start_sides(from, to, side, &options.after, where); }, where);
    return transfer<Port>(std::move(done), std::move(from.keep_alive), std::move(to.keep_alive));
  }
  return {};
}
template <class Source, class Destination, out_of_order_port Port>
[[nodiscard]] transfer<Port> copy_async(const Source& source, Destination&& destination,
                                        const out_of_order_stream<Port>& stream,
                                        const source_location& where = source_location::current()) {
  return copy_async(source, destination, stream, copy_options<Port>{}, where);
}

/// The same without keeping memory alive. Returns: the copy's event.
/// Requires, throws, thread safety: as `enqueue_copy` in a stream.
template <class Source, class Destination, out_of_order_port Port>
event<Port> enqueue_copy(Source&& source, Destination&& destination, const out_of_order_stream<Port>& stream,
                         const std::type_identity_t<copy_options<Port>>& options,
                         const source_location& where = source_location::current()) {
  using given_source = std::remove_reference_t<Source>;
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_staying_sides<Source, Destination, Port>();
  if constexpr (detail::both_stay<Source, Destination> &&
                detail::sides_of_a_copy<given_source, given_destination, Port>) {
    const auto from = detail::describe(std::as_const(source));
    const auto to = detail::describe(destination);
    return detail::run_beside(
        stream, [&](const auto& side) { (void)detail::start_sides(from, to, side, &options.after, where); }, where);
  }
  return {};
}
template <class Source, class Destination, out_of_order_port Port>
event<Port> enqueue_copy(Source&& source, Destination&& destination, const out_of_order_stream<Port>& stream,
                         const source_location& where = source_location::current()) {
  return enqueue_copy(std::forward<Source>(source), std::forward<Destination>(destination), stream,
                      copy_options<Port>{}, where);
}

/// Fills in an out-of-order stream: behind the events and the stream's earlier barriers, beside its other commands.
/// Returns: the fill's event. Throws, thread safety: as `fill` in a stream.
/// Example: `auto filled = yoke::fill(x, 0, unordered); kernel.enqueue(unordered, shape, x, {.after = filled});`
template <class Destination, out_of_order_port Port>
event<Port> fill(Destination&& destination,
                 const std::type_identity_t<typename decltype(detail::describe(destination))::element>& value,
                 const out_of_order_stream<Port>& stream, const std::type_identity_t<copy_options<Port>>& options,
                 const source_location& where = source_location::current()) {
  return detail::run_beside(
      stream,
      [&](const auto& side) {
        if (!detail::fill_memory(destination, value, side, &options.after, where)) side.wait(options.after, where);
      },
      where);
}
template <class Destination, out_of_order_port Port>
event<Port> fill(Destination&& destination,
                 const std::type_identity_t<typename decltype(detail::describe(destination))::element>& value,
                 const out_of_order_stream<Port>& stream, const source_location& where = source_location::current()) {
  return fill(destination, value, stream, copy_options<Port>{}, where);
}

}  // namespace yoke::inline v0_1

#endif
