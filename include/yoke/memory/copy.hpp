// SPDX-License-Identifier: MIT
// Copies between host and device memory of any shape: blocking, asynchronous, or enqueued.
#ifndef YOKE_MEMORY_COPY_HPP
#define YOKE_MEMORY_COPY_HPP

#include <yoke/execution/other_streams.hpp>
#include <yoke/memory/device_allocation.hpp>
#include <yoke/memory/pagelocked_array.hpp>
#include <yoke/memory/staged_copy.hpp>
#include <yoke/memory/transfer.hpp>
#include <yoke/memory/whole_copy.hpp>

namespace yoke::inline v0_1 {

// Wrong copies do not compile. The compiler's first error names a missing member of `copy_mismatch` whose name says
// what to write; the template arguments show what was given.
template <class... Given>
struct copy_mismatch {};

namespace detail {

/// Ends the compilation: the argument cannot be a side of a copy.
template <class Given>
constexpr void refuse_side() {
  using wrong = copy_mismatch<Given>;
  if constexpr (std::is_pointer_v<Given>) {
    (void)wrong::a_pointer_has_no_size_pass_a_std_span_of_pointer_and_count;
  } else if constexpr (accessible_memory<std::remove_const_t<Given>>) {
    (void)wrong::its_memory_access_describes_no_const_memory_so_it_is_no_source;
  } else {
    (void)wrong::pass_device_memory_or_a_contiguous_host_range;
  }
}

/// Whether an argument holds sources and destinations: a `copy_list`.
template <class Type>
inline constexpr bool has_both_sides = false;
template <class Type>
concept one_side = !has_both_sides<std::remove_cvref_t<Type>>;

/// Ends the compilation: a copy got two arguments and lacks a third.
template <class First, class Second>
constexpr void refuse_two_sides() {
  using second = std::remove_cvref_t<Second>;
  if constexpr (is_a_stream<std::remove_cv_t<First>> || is_a_stream<second>) {
    (void)copy_mismatch<First, second>::pass_the_source_the_destination_and_the_stream;
  } else {
    (void)copy_mismatch<First, second>::pass_a_stream_as_the_last_argument;
  }
}

template <class Place, class Other>
concept copies_place = !Place::on_host && (Other::on_host || Place::template copies_with<Other>);

/// Places whose memory has no addresses, such as images.
template <class Place>
concept is_opaque_place = requires { requires Place::is_opaque; };

/// Sides in pageable memory or memory of the stream's backend.
template <class Side, class Port>
concept side_of_backend = std::same_as<typename Side::place, pageable_place> || std::same_as<typename Side::port, Port>;

template <class Source, class Destination, class Port, bool Async>
constexpr void check_copy_types() {
  using from = typename Source::element;
  using to = typename Destination::element;
  using from_place = typename Source::place;
  using to_place = typename Destination::place;
  constexpr bool from_pageable = std::same_as<from_place, pageable_place>;
  constexpr bool to_pageable = std::same_as<to_place, pageable_place>;
  if constexpr (!std::is_trivially_copyable_v<from>) {
    (void)copy_mismatch<from>::the_elements_are_not_trivially_copyable_copy_plain_data;
  } else if constexpr (std::is_const_v<to>) {
    (void)copy_mismatch<to>::the_destination_is_const_pass_memory_that_is_not_const;
  } else if constexpr (!std::same_as<std::remove_const_t<from>, to>) {
    if constexpr (is_opaque_place<from_place> || is_opaque_place<to_place>) {
      (void)
          copy_mismatch<from, to>::the_element_types_differ_see_a_range_by_as_texels_of_unorm_std_uint8_t_4_or_its_like;
    } else {
      (void)copy_mismatch<from, to>::the_element_types_differ_pass_memory_of_the_same_type;
    }
  } else if constexpr (from_place::on_host && to_place::on_host) {
    (void)copy_mismatch<from, to>::both_sides_are_on_the_host_use_std_ranges_copy;
  } else if constexpr (!side_of_backend<Source, Port> || !side_of_backend<Destination, Port>) {
    (void)copy_mismatch<typename Source::port,
                        typename Destination::port>::memory_and_stream_are_of_different_backends_pass_those_of_one;
  } else if constexpr (Async && from_pageable) {
    (void)copy_mismatch<from>::pass_a_pagelocked_array_or_use_yoke_copy;
  } else if constexpr (Async && to_pageable) {
    (void)copy_mismatch<to>::pass_a_pagelocked_array_or_use_yoke_copy;
  } else if constexpr (!copies_place<from_place, to_place> && !copies_place<to_place, from_place>) {
    (void)copy_mismatch<from_place, to_place>::these_places_copy_with_none_of_each_other_copy_through_host_memory;
  }
}

/// Whether an argument is a temporary that may own memory, which ends with the statement. Views are copyable, so they
/// may be temporaries.
template <class Given>
inline constexpr bool ends_here = !std::is_lvalue_reference_v<Given> && !std::is_copy_constructible_v<Given>;

/// Places that copy between contexts, if the driver does.
template <class Place>
concept place_between_contexts = requires { requires Place::between_contexts; };

/// Whether the sides are of two contexts, one of them the stream's, between which the driver copies.
template <class Port, class Source, class Destination>
[[nodiscard]] bool is_between_contexts(const stream<Port>& stream, const Source& source,
                                       const Destination& destination) noexcept {
  if constexpr (place_between_contexts<typename Source::place> && place_between_contexts<typename Destination::place>) {
    const auto here = stream.context_of().native_handle();
    return !(source.context == destination.context) && (source.context == here || destination.context == here) &&
           port_traits<Port>::copies_between_contexts(stream.context_of().shared()->port);
  }
  return false;
}

/// Effects: orders an operation with other streams' work on the side's memory, if it is an array's.
/// Throws: as `other_streams::use`.
template <class Port, class Side>
void use_side(other_streams<Port>& operation, const Side& side, memory_use kind, const source_location& where,
              bool is_elsewhere = false) {
  if constexpr (std::same_as<typename Side::port, Port>) {
    if (is_elsewhere) return operation.use_elsewhere(side.uses, side.keep_alive.count(), kind, where);
    operation.use(side.uses, side.keep_alive.count(), kind, where);
  }
}

/// Throws: `logic_error` if the sides of a copy overlap in device memory.
template <class Port, class Source, class Destination>
void check_overlap(const Port& port, const Source& source, const Destination& destination, const copy_plan& plan,
                   const source_location& where) {
  using place = typename Source::place;
  if constexpr (!place::on_host && std::same_as<place, typename Destination::place>) {
    std::uintptr_t from_base = 0;
    std::uintptr_t to_base = 0;
    if (!place::share_base(port, source.at, destination.at, from_base, to_base)) return;
    constexpr std::size_t element = sizeof(typename Source::element);
    box_side from = bytes_of(plan.source, place::first(source.at), element);
    box_side to = bytes_of(plan.destination, place::first(destination.at), element);
    // Let both offsets count from the lower base.
    (from_base < to_base ? to : from).offset += from_base < to_base ? to_base - from_base : from_base - to_base;
    check_apart(from, to, {plan.source.width * element, plan.source.height, plan.source.depth}, where);
  }
}

/// Whether recording an event behind the copy takes fewer driver calls than asking the copy for one.
template <class Port>
[[nodiscard]] bool is_recorded_apart(const Port& port) noexcept {
  if constexpr (!recorded_in_context<Port>) {
    return false;
  } else if constexpr (requires { port.copies_give_events(); }) {
    return !port.copies_give_events();
  } else {
    return true;
  }
}

/// Effects: lets the place of either side enqueue the copy. If one of its commands is refused, waits for the earlier
/// ones, because the caller may free their memory as soon as this throws.
template <class Port, class Source, class Destination>
void start_copy(const stream<Port>& stream, const Source& source, const Destination& destination, const copy_plan& plan,
                completion<typename Port::event_handle> done, const source_location& where) {
  using from = typename Source::place;
  using to = typename Destination::place;
  const context_state<Port>& in = stream.context_of().state(where);
  const auto native = stream.native_handle();
  const bool apart = done.wanted() && is_recorded_apart(in.port);
  const auto watched = apart ? decltype(done)::unwatched() : done;
  try {
    if constexpr (stageable_places<from, to, Port>) {
      if (done.blocks() && stage_copy(in, native, source, destination, plan, where)) return;
    }
    if constexpr (copies_place<from, to>) {
      from::copy(in.port, native, source, destination, plan, watched, where);
    } else if constexpr (copies_place<to, from>) {  // `check_copy_types` rejects other pairs
      to::copy(in.port, native, source, destination, plan, watched, where);
    }
    if constexpr (event_reusing_port<Port>) {
      if (apart && in.port.reuses_events(native)) return done.give(record_reused<false, Port>(in, native, where));
    }
    if constexpr (recorded_in_context<Port>) {
      if (apart) done.give(in.port.record_in(in.native, native, where));
    }
  } catch (...) {
    try {
      in.port.synchronize(native, where);
    } catch (...) {  // rethrow the first failure below
    }
    throw;
  }
}

/// Effects: checks a copy, and makes the stream wait for what is to be done before: `after`, if it is not null, and
/// other streams' work with the memory. Returns: the plan; for an empty copy the stream does not wait.
template <class Port, class Source, class Destination>
copy_plan prepare_copy(other_streams<Port>& operation, const stream<Port>& stream, const Source& source,
                       const Destination& destination, const source_location& where,
                       const std::type_identity_t<wait_list<Port>>* after = nullptr) {
  if (!stream) throw_empty_handle("stream", where);
  const bool between = is_between_contexts(stream, source, destination);
  check_side(stream, source, "source", where, between);
  check_side(stream, destination, "destination", where, between);
  const copy_plan plan = plan_sides(source, destination, where);
  if (plan.nothing) return plan;
  check_overlap(stream.context_of().port(where), source, destination, plan, where);
  if (after != nullptr && !after->empty()) stream.wait(*after, where);
  const auto is_elsewhere = [&](const auto& side) {
    if constexpr (std::same_as<typename std::remove_cvref_t<decltype(side)>::port, Port>) {
      return between && !(side.context == stream.context_of().native_handle());
    } else {
      return false;
    }
  };
  use_side(operation, source, memory_use::reads, where, is_elsewhere(source));
  use_side(operation, destination, memory_use::writes, where, is_elsewhere(destination));
  return plan;
}

/// Effects: checks and starts a copy.
template <class Source, class Destination, class Port>
[[gnu::noinline]] void copy_sides(const Source& source, Destination& destination, const stream<Port>& stream,
                                  completion<typename Port::event_handle> done, const source_location& where) {
  const auto from = detail::describe(source);
  const auto to = detail::describe(destination);
  other_streams<Port> operation(stream);
  const auto plan = prepare_copy(operation, stream, from, to, where);
  if (!plan.nothing) start_copy(stream, from, to, plan, done, where);
}

/// Effects: checks and starts a copy of described sides behind events, unless `after` is null.
/// Returns: its event; an empty one for an empty copy that waits for nothing.
template <class From, class To, class Port>
[[nodiscard]] event<Port> start_sides(const From& from, const To& to, const stream<Port>& stream,
                                      const std::type_identity_t<wait_list<Port>>* after,
                                      const source_location& where) {
  other_streams<Port> operation(stream);
  const auto plan = prepare_copy(operation, stream, from, to, where, after);
  if (plan.nothing) return after == nullptr ? event<Port>() : stream.record(*after, where);
  typename Port::event_handle done{};
  start_copy(stream, from, to, plan, completion<typename Port::event_handle>::into(done), where);
  return event<Port>::own_recorded(stream.origin(), stream.native_handle(), done);
}
/// Effects: the same; the transfer keeps the memory of the sides.
template <class Source, class Destination, class Port>
[[nodiscard]] transfer<Port> start_transfer(const Source& source, Destination& destination, const stream<Port>& stream,
                                            const std::type_identity_t<wait_list<Port>>* after,
                                            const source_location& where) {
  auto from = detail::describe(source);
  auto to = detail::describe(destination);
  event<Port> done = start_sides(from, to, stream, after, where);
  if (!done) return {};
  return transfer<Port>(std::move(done), std::move(from.keep_alive), std::move(to.keep_alive));
}
/// Effects: copies behind events, and waits for the copy.
template <class Source, class Destination, class Port>
void copy_behind(const Source& source, Destination& destination, const stream<Port>& stream,
                 const wait_list<Port>& after, const source_location& where) {
  const auto from = detail::describe(source);
  const auto to = detail::describe(destination);
  other_streams<Port> operation(stream);
  const auto plan = prepare_copy(operation, stream, from, to, where, &after);
  if (plan.nothing) return stream.record(after, where).wait(where);
  start_copy(stream, from, to, plan, completion<typename Port::event_handle>::blocking(), where);
}

template <class Memory, class Port>
concept side_of_a_copy =
    accessible_memory<Memory> && side_of_backend<decltype(detail::describe(std::declval<Memory&>())), Port>;
template <class Source, class Destination, class Port>
concept sides_of_a_copy = side_of_a_copy<const Source, Port> && side_of_a_copy<Destination, Port>;

/// Ends the compilation unless the source can be copied to the destination.
template <class Source, class Destination, class Port, bool Async>
constexpr void check_sides() {
  if constexpr (!accessible_memory<const Source>) {
    refuse_side<Source>();
  } else if constexpr (!accessible_memory<Destination>) {
    refuse_side<Destination>();
  } else {
    check_copy_types<decltype(detail::describe(std::declval<const Source&>())),
                     decltype(detail::describe(std::declval<Destination&>())), Port, Async>();
  }
}

template <class From, class To>
inline constexpr direct_command whole_copy_command = From::place::on_host ? direct_command::write
                                                     : To::place::on_host ? direct_command::read
                                                                          : direct_command::copy;

/// Effects: enqueues a copy of one whole range to another by one driver call, and a reused event behind it.
/// Returns: the copy; an empty transfer if `start_copy` has to check and make it. Throws: as `start_copy`.
template <class Source, class Destination, event_reusing_port Port>
[[nodiscard]] transfer<Port> start_whole_copy(const Source& source, const Destination& destination,
                                              const stream<Port>& stream, const source_location& where) {
  using from = decltype(detail::describe(source));
  using element = typename from::element;
  constexpr auto command = whole_copy_command<from, decltype(detail::describe(destination))>;
  const auto native = stream.native_handle();
  if (!stream || !stream.context_of().shared()->port.reuses_events(native)) return {};
  const context_state<Port>& in = *stream.context_of().shared();
  const std::int32_t code = enqueue_directly<command, element, true>(source, destination, stream);
  if (code != 0) [[unlikely]] {
    if (code != direct_unusual) {
      check_refused_copy<element>(in.port, native, command, code, whole_of(in, source), whole_of(in, destination),
                                  where);
    }
    return {};
  }
  try {
    return {event<Port>::own_recorded(stream.origin(), native, record_reused<false, Port>(in, native, where)),
            detail::describe(source).keep_alive, detail::describe(destination).keep_alive};
  } catch (...) {
    try {
      in.port.synchronize(native, where);
    } catch (...) {  // rethrow the first failure below
    }
    throw;
  }
}

}  // namespace detail

/// Copies all elements of one range to another. Returns when the copy is done.
///
/// Either side is a contiguous host range, a `pagelocked_array`, a `device_allocation`, a `device_span`, SVM, any other
/// memory that `memory_access` describes, or a `strided` view of one of these; at least one side is on the device.
/// Sizes or shapes must agree; a plain range takes the shape of a strided side with as many elements.
/// Effects: runs in the stream's order. Leaves bytes between rows unchanged. An empty copy is legal and makes no driver
/// call. On CUDA, pageable host memory of 64 MiB and more goes through page-locked blocks (`set_staging`). On CUDA,
/// device memory of one side may belong to another context or device than the stream.
/// Throws: `logic_error` before anything is enqueued when sizes differ, memory is mapped, empty or of another context,
/// or source and destination overlap in device memory; `error`.
/// Thread safety: safe if nobody else uses the ranges.
/// Wraps `clEnqueueReadBuffer`, `clEnqueueWriteBuffer`, `clEnqueueCopyBuffer` and their `Rect` forms,
/// `clEnqueueSVMMemcpy`, `clWaitForEvents`.
template <class Source, class Destination, class Port>
void copy(const Source& source, Destination&& destination, const stream<Port>& stream,
          const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_sides<Source, given_destination, Port, false>();
  if constexpr (detail::sides_of_a_copy<Source, given_destination, Port>) {
    detail::copy_sides(source, destination, stream, completion<typename Port::event_handle>::blocking(), where);
  }
}

/// The same behind the options' events, for which the device waits: `yoke::copy(x, host, stream, {.after = ready})`.
/// Throws: as above; `runtime_error` when an event's command has failed.
template <class Source, class Destination, class Port>
void copy(const Source& source, Destination&& destination, const stream<Port>& stream,
          const std::type_identity_t<copy_options<Port>>& options,
          const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_sides<Source, given_destination, Port, false>();
  if constexpr (detail::sides_of_a_copy<Source, given_destination, Port>) {
    detail::copy_behind(source, destination, stream, options.after, where);
  }
}

template <detail::one_side Source, class Destination>
void copy(const Source&, Destination&&) {
  detail::refuse_two_sides<Source, Destination>();
}

/// Starts a copy and returns at once. Does not compile with pageable host memory.
///
/// Requires: device memory on either side lives until the copy is done.
/// Returns: the copy in flight, which keeps page-locked and SVM memory alive and waits when destroyed.
/// Throws, thread safety, wraps: as `copy`.
template <class Source, class Destination, class Port>
[[nodiscard]] transfer<Port> copy_async(const Source& source, Destination&& destination, const stream<Port>& stream,
                                        const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_sides<Source, given_destination, Port, true>();
  if constexpr (detail::sides_of_a_copy<Source, given_destination, Port>) {
    if constexpr (detail::event_reusing_port<Port> &&
                  detail::enqueued_directly<const Source, given_destination, Port>) {
      if (auto started = detail::start_whole_copy(source, destination, stream, where); started.done()) return started;
    }
    return detail::start_transfer(source, destination, stream, nullptr, where);
  }
  return {};
}
/// The same behind the options' events: `yoke::copy_async(x, host, stream, {.after = {first, second}})`. An empty copy
/// gives an event, too, behind these.
/// Throws: as above; `runtime_error` when an event's command has failed.
template <class Source, class Destination, class Port>
[[nodiscard]] transfer<Port> copy_async(const Source& source, Destination&& destination, const stream<Port>& stream,
                                        const std::type_identity_t<copy_options<Port>>& options,
                                        const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_sides<Source, given_destination, Port, true>();
  if constexpr (detail::sides_of_a_copy<Source, given_destination, Port>) {
    return detail::start_transfer(source, destination, stream, &options.after, where);
  }
  return {};
}

template <detail::one_side Source, class Destination>
void copy_async(const Source&, Destination&&) {
  detail::refuse_two_sides<Source, Destination>();
}

namespace detail {
/// Effects: checks and makes a copy that `enqueue_directly` has not made.
/// Throws: the driver's error if it refused the direct copy.
template <direct_command Command, class Element, class Source, class Destination, class Port>
[[gnu::noinline, gnu::cold]] void enqueue_otherwise(const Source& source, Destination& destination,
                                                    const stream<Port>& stream, std::int32_t code,
                                                    const source_location& where) {
  if constexpr (map_port<Port>) {
    // `enqueue_directly` gives up while any memory is mapped; these two sides may not be.
    if (code == direct_unusual && !detail::describe(source).maps.mapped() &&
        !detail::describe(destination).maps.mapped()) {
      code = enqueue_directly<Command, Element, false>(source, std::as_const(destination), stream);
    }
  }
  if (code == 0) return;
  if (code != direct_unusual) {
    const context_state<Port>& in = stream.context_of().state();
    check_refused_copy<Element>(in.port, stream.native_handle(), Command, code, whole_of(in, source),
                                whole_of(in, std::as_const(destination)), where);
  }
  copy_sides(source, destination, stream, completion<typename Port::event_handle>::unwatched(), where);
}

/// Whether a side of a copy is a temporary that owns its memory. `Memory` is its type as the copy uses it.
template <class Given, class Memory>
inline constexpr bool is_temporary_memory = ends_here<Given> && accessible_memory<Memory>;

/// Whether the memory of both sides outlives the statement that enqueues the copy.
template <class Source, class Destination>
inline constexpr bool both_stay = !is_temporary_memory<Source, const std::remove_reference_t<Source>> &&
                                  !is_temporary_memory<Destination, std::remove_reference_t<Destination>>;

/// Ends the compilation with a hint unless both sides stay and can be copied.
template <class Source, class Destination, class Port>
constexpr void check_staying_sides() {
  using given_source = std::remove_reference_t<Source>;
  using given_destination = std::remove_reference_t<Destination>;
  if constexpr (is_temporary_memory<Source, const given_source>) {
    (void)copy_mismatch<given_source>::the_memory_ends_with_the_statement_pass_a_variable;
  } else if constexpr (!both_stay<Source, Destination>) {
    (void)copy_mismatch<given_destination>::the_memory_ends_with_the_statement_pass_a_variable;
  } else {
    check_sides<given_source, given_destination, Port, true>();
  }
}
}  // namespace detail

/// Enqueues a copy and returns at once. It keeps no memory alive; wait for the stream to know that it is done.
///
/// Effects: one driver call, without the event of `copy_async`; copies of boxes may take several.
/// Requires: memory on either side lives until the stream has passed the copy (`synchronize`, or an event behind it).
/// Does not compile with temporary memory or pageable host memory.
/// Throws, thread safety, wraps: as `copy`.
template <class Source, class Destination, class Port>
[[gnu::always_inline]] inline void enqueue_copy(Source&& source, Destination&& destination, const stream<Port>& stream,
                                                const source_location& where = source_location::current()) {
  using given_source = std::remove_reference_t<Source>;
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_staying_sides<Source, Destination, Port>();
  if constexpr (detail::both_stay<Source, Destination>) {
    if constexpr (detail::enqueued_directly<given_source, given_destination, Port>) {
      using from = decltype(detail::describe(std::as_const(source)));
      using to = decltype(detail::describe(destination));
      constexpr auto command = detail::whole_copy_command<from, to>;
      using element = typename from::element;
      const std::int32_t code =
          detail::enqueue_directly<command, element, true>(std::as_const(source), std::as_const(destination), stream);
      // Copies `where` only on failure, so that it otherwise stays in registers.
      if (code != 0) [[unlikely]] {
        detail::enqueue_otherwise<command, element>(std::as_const(source), destination, stream, code,
                                                    source_location(where));
      }
    } else if constexpr (detail::sides_of_a_copy<given_source, given_destination, Port>) {
      detail::copy_sides(std::as_const(source), destination, stream,
                         completion<typename Port::event_handle>::unwatched(), where);
    }
  }
}

/// The same behind the options' events. Returns: the copy's event.
/// Throws: as above; `runtime_error` when an event's command has failed.
template <class Source, class Destination, class Port>
event<Port> enqueue_copy(Source&& source, Destination&& destination, const stream<Port>& stream,
                         const std::type_identity_t<copy_options<Port>>& options,
                         const source_location& where = source_location::current()) {
  using given_source = std::remove_reference_t<Source>;
  using given_destination = std::remove_reference_t<Destination>;
  detail::check_staying_sides<Source, Destination, Port>();
  if constexpr (detail::both_stay<Source, Destination> &&
                detail::sides_of_a_copy<given_source, given_destination, Port>) {
    return detail::start_sides(detail::describe(std::as_const(source)), detail::describe(destination), stream,
                               &options.after, where);
  }
  return {};
}

template <detail::one_side Source, class Destination>
void enqueue_copy(Source&&, Destination&&) {
  detail::refuse_two_sides<std::remove_reference_t<Source>, Destination>();
}

template <class T, class Port>
template <detail::host_range Range>
device_allocation<T, Port>::device_allocation(const context<Port>& context, const Range& range,
                                              const stream<Port>& stream, const source_location& where)
    : device_allocation(context, std::size(range), stream, where) {
  copy(range, *this, stream, where);
}

/// Copies a contiguous host range into new device memory: `device_allocation{stream.context_of(), range, stream}`.
///
/// Effects: returns when the host may use the range again. The memory is freed in the order of `stream`, behind the
/// work enqueued there before the handle ends. Other streams that use it need `x.record_use(other)` after their last
/// use; without it, the memory may be freed before their work has run.
/// Throws: as `device_allocation` and `copy`. Thread safety, wraps: as these.
/// Example: `auto x = yoke::to_device(host, stream); kernel(other, shape, x); x.record_use(other);`
template <detail::host_range Range, class Port>
[[nodiscard]] auto to_device(const Range& range, const stream<Port>& stream,
                             const source_location& where = source_location::current()) {
  using element = std::remove_const_t<std::remove_pointer_t<decltype(std::data(range))>>;
  return device_allocation<element, Port>(stream.context_of(), range, stream, where);
}

/// Copies device memory into a new `std::vector`: an allocation, a span, a sub-buffer, SVM, pitched memory, or a
/// `strided` view of one of these, whose rows are then packed without gaps.
///
/// Returns: the elements, once they are copied. Throws: as `copy`; `std::bad_alloc`. Thread safety, wraps: as `copy`.
/// Example: `std::vector<float> result = yoke::to_host(x, stream);`
template <class Source, class Port>
[[nodiscard]] auto to_host(const Source& source, const stream<Port>& stream,
                           const source_location& where = source_location::current()) {
  if constexpr (!accessible_memory<const Source>) {
    detail::refuse_side<Source>();
  } else {
    const auto side = detail::describe(source);
    using element = std::remove_const_t<typename decltype(side)::element>;
    if constexpr (std::same_as<element, bool>) {
      (void)copy_mismatch<Source>::std_vector_of_bool_is_no_range_use_yoke_copy_into_an_array;
    } else {
      std::vector<element> result(detail::volume(side.layout()));
      copy(source, result, stream, where);
      return result;
    }
  }
}

}  // namespace yoke::inline v0_1

#endif
