// SPDX-License-Identifier: MIT
// Copies between any two memories, of any shape: blocking, asynchronous, or left to the stream.
#ifndef YOKE_MEMORY_COPY_HPP
#define YOKE_MEMORY_COPY_HPP

#include <yoke/memory/copy_overlap.hpp>
#include <yoke/memory/copy_side.hpp>
#include <yoke/memory/transfer.hpp>
#include <yoke/memory/usual_side.hpp>

namespace yoke::inline YOKE_ABI {

// Copies that do not compile name their reason in the first line of the message.
template <class Source, class Destination>
struct copy_element_types_differ;
template <class Destination>
struct copy_destination_is_const;
template <class Given>
struct copy_element_is_not_trivially_copyable;
template <class Source, class Destination>
struct copy_between_host_ranges_needs_no_device;
template <class Source, class Destination>
struct copy_of_another_backend;
template <class Given>
struct asynchronous_copy_needs_pagelocked_memory;
template <class Given>
struct enqueued_copy_of_memory_that_ends_here;
template <class Given>
struct not_a_side_of_a_copy;
template <class Given>
struct vector_of_bool_is_no_range;

namespace detail {

inline constexpr bool on_host(side_kind kind) noexcept {
  return kind == side_kind::pageable || kind == side_kind::pagelocked;
}

template <class Source, class Destination, class Port, bool Async>
constexpr void check_copy_types() {
  using from = typename Source::element;
  using to = typename Destination::element;
  if constexpr (!std::is_trivially_copyable_v<from>) {
    (void)sizeof(copy_element_is_not_trivially_copyable<from>);
  } else if constexpr (std::is_const_v<to>) {
    (void)sizeof(copy_destination_is_const<to>);
  } else if constexpr (!std::same_as<std::remove_const_t<from>, to>) {
    (void)sizeof(copy_element_types_differ<from, to>);
  } else if constexpr (on_host(Source::kind) && on_host(Destination::kind)) {
    (void)sizeof(copy_between_host_ranges_needs_no_device<from, to>);
  } else if constexpr ((Source::kind != side_kind::pageable && !std::same_as<typename Source::port, Port>) ||
                       (Destination::kind != side_kind::pageable && !std::same_as<typename Destination::port, Port>)) {
    (void)sizeof(copy_of_another_backend<typename Source::port, typename Destination::port>);
  } else if constexpr (Async && Source::kind == side_kind::pageable) {
    (void)sizeof(asynchronous_copy_needs_pagelocked_memory<from>);
  } else if constexpr (Async && Destination::kind == side_kind::pageable) {
    (void)sizeof(asynchronous_copy_needs_pagelocked_memory<to>);
  }
}

/// Whether an argument is memory that ends with the statement. Views may be temporaries.
template <class Given>
inline constexpr bool ends_here = !std::is_lvalue_reference_v<Given> && !std::is_copy_constructible_v<Given>;

template <class Port, class Side>
void check_side(const stream<Port>& stream, const Side& side, const char* name, const source_location& where) {
  if constexpr (Side::kind != side_kind::pageable) {
    if (side.context == typename Port::context_handle{}) {
      throw_error(errc::empty_handle, text("the ", name, " is empty (moved from, released or never set)"), where);
    }
    if (!(side.context == stream.context_of().native_handle())) {
      throw_error(errc::wrong_context, text("the ", name, " is of another context than the stream"), where);
    }
    check_not_mapped(side.maps, name, where);
  }
}

/// Returns: a whole range, as a box of one row.
template <class Side>
box_layout box_of(const Side& side) noexcept {
  return side.strided ? side.box : box_layout{side.size, 1, 1, side.size, side.size, 0};
}
inline std::size_t volume(const box_layout& box) noexcept { return box.width * box.height * box.depth; }
inline bool dense(const box_layout& box) noexcept {
  return (box.height == 1 || box.row_pitch == box.width) &&
         (box.depth == 1 || box.slice_pitch == box.row_pitch * box.height);
}

/// A copy ready to be enqueued: two boxes of equal shape, or one row.
struct copy_plan {
  box_layout source;
  box_layout destination;
  bool nothing = false;
  bool one_row = false;
};

inline std::string shape_text(const box_layout& box) {
  if (box.height == 1 && box.depth == 1) return text(box.width);
  if (box.depth == 1) return text(box.width, " x ", box.height);
  return text(box.width, " x ", box.height, " x ", box.depth);
}

inline copy_plan plan_copy(box_layout source, bool source_strided, box_layout destination, bool destination_strided,
                           const source_location& where) {
  const bool same =
      source.width == destination.width && source.height == destination.height && source.depth == destination.depth;
  const bool mixed = source_strided != destination_strided && volume(source) == volume(destination);
  if (!same && !mixed) {
    throw_error(errc::size_mismatch,
                text("source has ", shape_text(source), " elements, destination ", shape_text(destination)), where);
  }
  if (!same) {  // a plain range takes the shape of the other side's box, without gaps
    box_layout& plain = source_strided ? destination : source;
    const box_layout& shaped = source_strided ? source : destination;
    plain = {shaped.width, shaped.height, shaped.depth, shaped.width, shaped.width * shaped.height, plain.offset};
  }
  copy_plan plan{source, destination, volume(source) == 0, dense(source) && dense(destination)};
  return plan;
}

inline box_side bytes_of(const box_layout& box, std::size_t first, std::size_t element) noexcept {
  // A single slice has no next one, but drivers check its pitch.
  const std::size_t slice_pitch = box.depth == 1 ? box.row_pitch * box.height : box.slice_pitch;
  return {(box.offset + first) * element, box.row_pitch * element, slice_pitch * element};
}

/// Throws: `logic_error` for a copy within one piece of device memory whose sides overlap. Compares addresses where there
/// are any, else handles: OpenCL drivers themselves refuse an overlap through different sub-buffers.
template <class Port, class Source, class Destination>
void check_overlap(const Port& port, const Source& source, const Destination& destination, const copy_plan& plan,
                   const source_location& where) {
  if constexpr (!on_host(Source::kind) && Source::kind == Destination::kind) {
    constexpr std::size_t element = sizeof(typename Source::element);
    box_side from = bytes_of(plan.source, source.first, element);
    box_side to = bytes_of(plan.destination, destination.first, element);
    // Both count from the lower of the two.
    const auto align = [&](auto first, auto second) {
      (first < second ? to : from).offset += static_cast<std::size_t>(first < second ? second - first : first - second);
    };
    if constexpr (Source::kind == side_kind::svm) {
      align(reinterpret_cast<std::uintptr_t>(source.address), reinterpret_cast<std::uintptr_t>(destination.address));
    } else if (memory_is_address(port)) {
      align(native_value(source.memory), native_value(destination.memory));
    } else if (!(source.memory == destination.memory)) {
      return;
    }
    check_apart(from, to, {plan.source.width * element, plan.source.height, plan.source.depth}, where);
  }
}

/// Effects: enqueues one box copy.
template <class Port, class Source, class Destination>
void enqueue_box(const Port& port, typename Port::stream_handle stream, const Source& source,
                 const Destination& destination, const copy_plan& plan, completion<typename Port::event_handle> done,
                 const source_location& where) {
  constexpr std::size_t element = sizeof(typename Source::element);
  const box_size box{plan.source.width * element, plan.source.height, plan.source.depth};
  const box_side from = bytes_of(plan.source, source.first, element);
  const box_side to = bytes_of(plan.destination, destination.first, element);
  if (plan.one_row) {
    const std::size_t bytes = volume(plan.source) * element;
    if constexpr (Source::kind == side_kind::memory && Destination::kind == side_kind::memory) {
      port.copy(stream, source.memory, from.offset, destination.memory, to.offset, bytes, done, where);
    } else if constexpr (Source::kind == side_kind::memory) {
      port.read(stream, source.memory, from.offset, reinterpret_cast<std::byte*>(destination.address) + to.offset,
                bytes, done, where);
    } else {
      port.write(stream, destination.memory, to.offset,
                 reinterpret_cast<const std::byte*>(source.address) + from.offset, bytes, done, where);
    }
  } else if constexpr (Source::kind == side_kind::memory && Destination::kind == side_kind::memory) {
    port.copy_box(stream, source.memory, from, destination.memory, to, box, done, where);
  } else if constexpr (Source::kind == side_kind::memory) {
    port.read_box(stream, source.memory, from, destination.address, to, box, done, where);
  } else {
    port.write_box(stream, destination.memory, to, source.address, from, box, done, where);
  }
}

/// Drivers take slices that are whole rows apart; others are copied slice by slice.
template <class Port, class Source, class Destination>
void enqueue_boxes(const Port& port, typename Port::stream_handle stream, const Source& source,
                   const Destination& destination, copy_plan plan, completion<typename Port::event_handle> done,
                   const source_location& where) {
  const auto whole_rows = [](const box_layout& box, const auto& side) {
    // NVIDIA also requires the last slice, gap included, to lie within the buffer.
    const bool last_is_whole =
        on_host(std::remove_cvref_t<decltype(side)>::kind) || box.offset + box.depth * box.slice_pitch <= side.size;
    return last_is_whole && box.slice_pitch % box.row_pitch == 0 && box.slice_pitch >= box.row_pitch * box.height;
  };
  if (plan.one_row || plan.source.depth == 1 ||
      (whole_rows(plan.source, source) && whole_rows(plan.destination, destination))) {
    enqueue_box(port, stream, source, destination, plan, done, where);
    return;
  }
  const std::size_t depth = std::exchange(plan.source.depth, 1);
  plan.destination.depth = 1;
  for (std::size_t slice = 0; slice < depth; ++slice) {
    const bool last = slice + 1 == depth;
    enqueue_box(port, stream, source, destination, plan, last ? done : decltype(done)::unwatched(), where);
    plan.source.offset += plan.source.slice_pitch;
    plan.destination.offset += plan.destination.slice_pitch;
  }
}

/// How SVM takes part; opencl/svm.hpp defines it.
template <class Port, class Source, class Destination>
struct svm_copier;

template <class Port, class Source, class Destination>
void start_copy(const stream<Port>& stream, const Source& source, const Destination& destination, const copy_plan& plan,
                completion<typename Port::event_handle> done, const source_location& where) {
  const Port& port = stream.context_of().port(where);
  all_or_wait(port, stream.native_handle(), where, [&] {
    if constexpr (Source::kind == side_kind::svm || Destination::kind == side_kind::svm) {
      svm_copier<Port, Source, Destination>::enqueue(port, stream.native_handle(), source, destination, plan, done,
                                                     where);
    } else {
      enqueue_boxes(port, stream.native_handle(), source, destination, plan, done, where);
    }
  });
}

template <class Port, class Source, class Destination>
copy_plan prepare_copy(const stream<Port>& stream, const Source& source, const Destination& destination,
                       const source_location& where) {
  if (!stream) throw_error(errc::empty_handle, "this stream is empty (moved from, released or never set)", where);
  check_side(stream, source, "source", where);
  check_side(stream, destination, "destination", where);
  const copy_plan plan = plan_copy(box_of(source), source.strided, box_of(destination), destination.strided, where);
  if (!plan.nothing) check_overlap(stream.context_of().port(where), source, destination, plan, where);
  return plan;
}

/// Effects: as `copy` and `enqueue_copy`, for sides that need a closer look.
template <class Source, class Destination, class Port>
[[gnu::noinline]] void copy_looking(const Source& source, Destination& destination, const stream<Port>& stream,
                                    completion<typename Port::event_handle> done, const source_location& where) {
  const auto from = describe_side(source);
  const auto to = describe_side(destination);
  const auto plan = prepare_copy(stream, from, to, where);
  if (!plan.nothing) start_copy(stream, from, to, plan, done, where);
}

/// The same for `copy_async`.
template <class Source, class Destination, class Port>
[[nodiscard, gnu::noinline]] transfer<Port> copy_async_looking(const Source& source, Destination& destination,
                                                               const stream<Port>& stream,
                                                               const source_location& where) {
  auto from = describe_side(source);
  auto to = describe_side(destination);
  const auto plan = prepare_copy(stream, from, to, where);
  if (plan.nothing) return {};
  typename Port::event_handle done{};
  start_copy(stream, from, to, plan, completion<typename Port::event_handle>::into(done), where);
  return transfer<Port>(event<Port>::own(stream.origin(), done), std::move(from.keep_alive), std::move(to.keep_alive));
}
/// Returns: what a copy in flight keeps alive of a side.
template <class Side>
[[nodiscard]] shared<const void> kept_by(const Side& side) noexcept {
  if constexpr (requires { side.keep_alive(); }) {
    return side.keep_alive();
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// Copies all elements of one range to another. Returns when the copy is done.
///
/// Either side is a contiguous host range, a `pagelocked_array`, a `device_allocation`, a `device_span`, SVM, or a
/// `strided` view of one of these; at least one is on the device. Sizes or shapes must agree; a plain range takes the
/// shape of a strided one of as many elements.
/// Effects: runs in the stream's order. Never writes bytes between rows. Copying nothing is legal and calls no driver.
/// Throws: `logic_error` before anything is enqueued when sizes differ, memory is mapped, empty or of another context, or
/// source and destination overlap in device memory; `error`.
/// Thread safety: safe if nobody else uses the ranges.
/// Wraps `clEnqueueReadBuffer`, `clEnqueueWriteBuffer`, `clEnqueueCopyBuffer` and their `Rect` forms,
/// `clEnqueueSVMMemcpy`, `clWaitForEvents`.
template <class Source, class Destination, class Port>
void copy(const Source& source, Destination&& destination, const stream<Port>& stream,
          const source_location& where = source_location::current()) {
  using given_destination = std::remove_reference_t<Destination>;
  if constexpr (!detail::copyable_side<const Source>) {
    (void)sizeof(not_a_side_of_a_copy<Source>);
  } else if constexpr (!detail::copyable_side<given_destination>) {
    (void)sizeof(not_a_side_of_a_copy<given_destination>);
  } else {
    using from_type = decltype(detail::describe_side(source));
    using to_type = decltype(detail::describe_side(destination));
    detail::check_copy_types<from_type, to_type, Port, false>();
    if constexpr (detail::copied_directly<Source, given_destination, Port>) {
      const auto native = stream.native_handle();
      if (native != typename Port::stream_handle{}) [[likely]] {
        const detail::context_state<Port>& in = *stream.context_of().shared();
        if (!detail::are_mapped(in.port, source, destination) &&
            detail::copy_usual<typename from_type::element, detail::on_host(from_type::kind),
                               detail::on_host(to_type::kind), true>(in.port, native, detail::whole_side_of(in, source),
                                                                     detail::whole_side_of(in, destination), nullptr,
                                                                     where)) [[likely]]
          return;
      }
    }
    detail::copy_looking(source, destination, stream, completion<typename Port::event_handle>::blocking(), where);
  }
}

/// Starts a copy and returns at once. With host memory that is not page-locked it does not compile.
///
/// Requires: device memory on either side lives until the copy is done.
/// Returns: the copy in flight, which keeps page-locked and SVM memory alive and waits when destroyed.
/// Throws, thread safety, wraps: as `copy`.
template <class Source, class Destination, class Port>
[[nodiscard]] transfer<Port> copy_async(const Source& source, Destination&& destination, const stream<Port>& stream,
                                        const source_location& where = source_location::current()) {
  if constexpr (!detail::copyable_side<const Source>) {
    (void)sizeof(not_a_side_of_a_copy<Source>);
  } else if constexpr (!detail::copyable_side<std::remove_reference_t<Destination>>) {
    (void)sizeof(not_a_side_of_a_copy<std::remove_reference_t<Destination>>);
  } else {
    using from_type = decltype(detail::describe_side(source));
    using to_type = decltype(detail::describe_side(destination));
    detail::check_copy_types<from_type, to_type, Port, true>();
    if constexpr (detail::enqueued_directly<Source, std::remove_reference_t<Destination>, Port>) {
      const auto native = stream.native_handle();
      if (native != typename Port::stream_handle{}) [[likely]] {
        const detail::context_state<Port>& in = *stream.context_of().shared();
        typename Port::event_handle done{};
        if (!detail::are_mapped(in.port, source, destination) &&
            detail::start_usual_copy<typename from_type::element, detail::on_host(from_type::kind),
                                     detail::on_host(to_type::kind)>(
                in, native, detail::usual_side_of(in, source), detail::usual_side_of(in, std::as_const(destination)),
                done, where)) [[likely]] {
          return transfer<Port>(event<Port>::own(stream.origin(), done), detail::kept_by(source),
                                detail::kept_by(destination));
        }
      }
    }
    return detail::copy_async_looking(source, destination, stream, where);
  }
  return {};
}

namespace detail {
/// Effects: enqueues a copy that is one driver call and needs no closer look; with `Views`, only while nothing at all is
/// mapped.
/// Returns: the driver's code, or `direct_unusual`.
template <direct_command Command, class Element, bool Views, class Source, class Destination, class Port>
[[nodiscard, gnu::always_inline]] inline std::int32_t enqueue_directly(const Source& source,
                                                                       const Destination& destination,
                                                                       const stream<Port>& stream) noexcept {
  const auto native = stream.native_handle();
  if (native == typename Port::stream_handle{}) [[unlikely]]
    return direct_unusual;
  const context_state<Port>& in = *stream.context_of().shared();
  if (Views && are_views(in.port)) [[unlikely]]
    return direct_unusual;
  return enqueue_usual_copy<Element, Command == direct_command::write, Command == direct_command::read>(
      in.port, native, usual_side_of(in, source), usual_side_of(in, destination));
}
/// Effects: copies what needs a closer look. Throws: why the driver has refused the direct copy.
template <direct_command Command, class Element, class Source, class Destination, class Port>
[[gnu::noinline, gnu::cold]] void enqueue_otherwise(const Source& source, Destination& destination,
                                                    const stream<Port>& stream, std::int32_t code,
                                                    const source_location& where) {
  if constexpr (map_port<Port>) {
    if (code == direct_unusual && !is_either_mapped(source, destination)) {  // something else may be mapped
      code = enqueue_directly<Command, Element, false>(source, std::as_const(destination), stream);
    }
  }
  if (code == 0) return;
  if (code == direct_unusual)
    return copy_looking(source, destination, stream, completion<typename Port::event_handle>::unwatched(), where);
  const context_state<Port>& in = stream.context_of().state();
  throw_refused_copy<Element, Command == direct_command::write, Command == direct_command::read>(
      in.port, code, usual_side_of(in, source), usual_side_of(in, std::as_const(destination)), where);
}
}  // namespace detail

/// Enqueues a copy and returns at once. Keeps nothing alive and gives nothing to wait for but the stream.
///
/// Effects: one driver call, without the event of `copy_async`; copies of boxes may take several.
/// Requires: memory on either side lives until the stream has passed the copy (`synchronize`, or an event behind it).
/// Memory that ends with the statement does not compile, nor does host memory that is not page-locked.
/// Throws, thread safety, wraps: as `copy`.
template <class Source, class Destination, class Port>
[[gnu::always_inline]] inline void enqueue_copy(Source&& source, Destination&& destination, const stream<Port>& stream,
                                                const source_location& where = source_location::current()) {
  using given_source = std::remove_reference_t<Source>;
  using given_destination = std::remove_reference_t<Destination>;
  if constexpr (!detail::copyable_side<const given_source>) {
    (void)sizeof(not_a_side_of_a_copy<given_source>);
  } else if constexpr (!detail::copyable_side<given_destination>) {
    (void)sizeof(not_a_side_of_a_copy<given_destination>);
  } else if constexpr (detail::ends_here<Source>) {
    (void)sizeof(enqueued_copy_of_memory_that_ends_here<given_source>);
  } else if constexpr (detail::ends_here<Destination>) {
    (void)sizeof(enqueued_copy_of_memory_that_ends_here<given_destination>);
  } else {
    using from_type = decltype(detail::describe_side(std::as_const(source)));
    using to_type = decltype(detail::describe_side(destination));
    detail::check_copy_types<from_type, to_type, Port, true>();
    if constexpr (detail::enqueued_directly<given_source, given_destination, Port>) {
      constexpr auto command = detail::on_host(from_type::kind) ? direct_command::write
                               : detail::on_host(to_type::kind) ? direct_command::read
                                                                : direct_command::copy;
      using element = typename from_type::element;
      const std::int32_t code =
          detail::enqueue_directly<command, element, true>(source, std::as_const(destination), stream);
      // Copies the place only on failure: otherwise it needs no memory.
      if (code != 0) [[unlikely]] {
        detail::enqueue_otherwise<command, element>(source, destination, stream, code, source_location(where));
      }
    } else {
      detail::copy_looking(source, destination, stream, completion<typename Port::event_handle>::unwatched(), where);
    }
  }
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
/// Effects: returns when the host may use the range again. The memory is freed in the order of `stream`: behind what was
/// enqueued there before the handle ends. Work in another stream is not waited for, unless `x.record_use(other)` declared
/// it, which goes behind the last use there; without it the free may come first and leave that work without its memory.
/// Throws: as `device_allocation` and `copy`. Thread safety, wraps: as these.
/// Example: `auto x = yoke::to_device(host, stream); kernel(other, shape, x); x.record_use(other);`
template <detail::host_range Range, class Port>
[[nodiscard]] auto to_device(const Range& range, const stream<Port>& stream,
                             const source_location& where = source_location::current()) {
  using element = std::remove_const_t<std::remove_pointer_t<decltype(std::data(range))>>;
  return device_allocation<element, Port>(stream.context_of(), range, stream, where);
}

/// Copies what is on the device into a new `std::vector`: an allocation, a span, a sub-buffer, SVM, pitched memory, or a
/// `strided` view of one of these, whose rows then lie one behind the other.
///
/// Returns: the elements, when they are there. Throws: as `copy`; `std::bad_alloc`. Thread safety, wraps: as `copy`.
/// Example: `std::vector<float> result = yoke::to_host(x, stream);`
template <class Source, class Port>
[[nodiscard]] auto to_host(const Source& source, const stream<Port>& stream,
                           const source_location& where = source_location::current()) {
  if constexpr (!detail::copyable_side<const Source>) {
    (void)sizeof(not_a_side_of_a_copy<Source>);
  } else {
    const auto side = detail::describe_side(source);
    using element = std::remove_const_t<typename decltype(side)::element>;
    if constexpr (std::same_as<element, bool>) {
      (void)sizeof(vector_of_bool_is_no_range<Source>);
    } else {
      std::vector<element> result(detail::volume(detail::box_of(side)));
      copy(source, result, stream, where);
      return result;
    }
  }
}

}  // namespace yoke::inline YOKE_ABI

#endif
