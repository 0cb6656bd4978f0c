// SPDX-License-Identifier: MIT
// A view of an array on the device: a layout over memory that another object owns.
#ifndef YOKE_ARRAY_STORAGE_DEVICE_VIEW_HPP
#define YOKE_ARRAY_STORAGE_DEVICE_VIEW_HPP

#include <yoke/array/geometry/layout_facts.hpp>
#include <yoke/array/geometry/subscripts.hpp>
#include <yoke/array/storage/array_block.hpp>
#include <yoke/array/storage/array_member.hpp>
#include <yoke/array/storage/assignment.hpp>
#include <yoke/array/storage/host_view.hpp>
#include <yoke/array/storage/pending_result.hpp>
#include <yoke/graph/graph_types.hpp>
#include <yoke/memory/kept_pages.hpp>

#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

namespace yoke::inline v0_1 {

template <class T, std::size_t Rank, class Port>
class recorded_view;

namespace detail {
template <class R>
using host_element = std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<const R&>()))>>;

/// Throws: `logic_error` that an operation on elements was given an empty destination.
[[noreturn, gnu::cold]] YOKE_API void throw_empty_destination(const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_beyond(const const_axes& of, std::size_t end, std::size_t bytes,
                                                   const source_location& where);
}  // namespace detail

/// The elements of an array on the device, or a part of them. It shares the array's memory and stream, which live as
/// long as any view of them. Elements of a `device_view<const T, Rank>` are read-only.
///
/// A view refers to elements. A copy of a view refers to the same elements; assignment to a view writes them, as in
/// NumPy. Work is enqueued in the view's stream, which orders it behind other streams' work with the elements.
/// Thread safety: a value.
template <class T, std::size_t Rank, class Port>
class device_view : public detail::subscripts<device_view<T, Rank, Port>>,
                    public detail::layout_facts<device_view<T, Rank, Port>, Rank> {
 public:
  using value_type = std::remove_const_t<T>;
  static_assert(device_element<value_type>, "device arrays hold trivially copyable, non-pointer types");
  using element_type = T;
  using port_type = Port;
  using native_type = typename Port::memory_handle;

  /// An empty view; using it throws `logic_error`.
  device_view() noexcept = default;
  /// A view of the elements of an allocation or a span, in a given shape and without gaps. It does not keep the memory
  /// alive, and does not order work of other streams. Requires: the memory and the stream outlive the view.
  /// Throws: `logic_error` when the number of elements differs from that of the shape, and for an extent below 0.
  device_view(const device_span<T, Port>& memory, const shape<Rank>& extents, const stream<Port>& stream,
              array_order order = array_order::c, const source_location& where = source_location::current())
      : device_view(detail::array_memory<Port>{memory.native_handle(), (memory.offset() + memory.size()) * sizeof(T),
                                               memory.native_context(), memory.maps()},
                    stream,
                    array_layout<Rank>(extents, array_layout<Rank>(extents, sizeof(T), order, where).strides(),
                                       memory.offset() * sizeof(T), sizeof(T), where)) {
    if (layout_.size() != memory.size()) detail::throw_range_size(memory.size(), layout_.axes(), where);
  }
  /// The same with any strides; elements may share bytes, and are then only read.
  /// Throws: `logic_error` for a layout that leaves the memory, has elements of another size, or misaligned ones.
  template <detail::layout_of_rank<Rank> Layout>
  device_view(const device_span<T, Port>& memory, const Layout& layout, const stream<Port>& stream,
              const source_location& where = source_location::current())
      : device_view(detail::array_memory<Port>{memory.native_handle(), (memory.offset() + memory.size()) * sizeof(T),
                                               memory.native_context(), memory.maps()},
                    stream,
                    array_layout<Rank>(layout.shape(), layout.strides(),
                                       memory.offset() * sizeof(T) + layout.offset_bytes(), sizeof(T), where)) {
    detail::check_layout(layout, memory.size(), sizeof(T), alignof(T), where);
  }
  // A view of an array's memory.
  device_view(const detail::array_memory<Port>& memory, const stream<Port>& stream, const array_layout<Rank>& layout,
              kept_alive keep_alive = {}) noexcept
      : memory_(memory), stream_(&stream), keep_alive_(std::move(keep_alive)), layout_(layout) {
    if (memory_.owner == nullptr) memory_.owner = keep_alive_.count();
  }
  device_view(const device_view&) noexcept = default;
  /// The other view is empty afterwards.
  device_view(device_view&& other) noexcept
      : memory_(std::exchange(other.memory_, {})),
        stream_(std::exchange(other.stream_, nullptr)),
        keep_alive_(std::move(other.keep_alive_)),
        layout_(std::exchange(other.layout_, none())) {}
  /// Adds const: a view whose elements can be written converts to a read-only one.
  template <class U>
    requires(std::same_as<T, const U> && !std::is_const_v<U>)
  device_view(const device_view<U, Rank, Port>& other) noexcept  // NOLINT: adding const is harmless
      : memory_(other.memory()),
        stream_(other.stream_pointer()),
        keep_alive_(other.keep_alive()),
        layout_(other.layout()) {}
  /// Converts an array, so that a parameter of type view takes one. It shares the array's memory.
  /// Throws: `logic_error` for an empty array.
  template <class U>
    requires(std::same_as<T, U> && !std::is_const_v<U>)
  device_view(device_array<U, Rank, Port>& of,  // NOLINT: as above
              const source_location& where = source_location::current())
      : device_view(of.share(where)) {}
  template <class U>
    requires std::same_as<T, const U>
  device_view(const device_array<U, Rank, Port>& of,  // NOLINT: as above
              const source_location& where = source_location::current())
      : device_view(of.share(where)) {}
  ~device_view() = default;

  /// Copies the elements of another view into this one's. Throws: as `assign`, without a place in the program.
  // A template, so that `view = array` does not convert the array to a view first.
  template <class View = device_view>
    requires std::same_as<View, device_view>
  device_view& operator=(const View& other) {  // NOLINT: assignment to itself copies nothing
    assign(other, source_location{});
    return *this;
  }
  device_view& operator=(const device_view&)
    requires(Rank > max_array_rank)  // never
  = delete;
  /// Copies the elements of any view or array, evaluates an expression into these elements, or sets all of them to a
  /// value: `view = 5`. Throws: as `assign` and `fill`.
  device_view& operator=(const detail::assigned<T, Rank, Port>& source) {
    source.assign_to(*this);
    return *this;
  }

  [[nodiscard]] const array_layout<Rank>& layout() const noexcept { return layout_; }
  /// Returns: the stream of its work. Throws: `logic_error` for an empty view.
  [[nodiscard]] const yoke::stream<Port>& stream(const source_location& where = source_location::current()) const {
    if (stream_ == nullptr) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this device view is empty (moved from or never set)", where);
    return *stream_;
  }
  /// Returns: a view of the same elements whose work goes to another stream; the view keeps it alive. The streams do
  /// not wait for each other: the program orders them where that matters. What is made from the view comes from the
  /// array's pool or resource, too. Throws: `logic_error` for an empty view or
  /// stream; `error`, `std::bad_alloc`.
  [[nodiscard]] device_view bind(const yoke::stream<Port>& stream,
                                 const source_location& where = source_location::current()) const {
    auto* const from = this->stream(where).memory();
    auto bound = detail::make_shared<const detail::bound_stream<Port>>(memory_.share(), stream, from, where);
    const yoke::stream<Port>& kept = bound->stream;
    detail::array_memory<Port> memory = memory_;
    memory.uses.bind(kept, where);
    return {memory, kept, layout_, kept_alive(std::move(bound))};
  }
  /// Returns: a view of the same elements, whose operations are recorded as nodes of the recorder's graph.
  /// Throws: `logic_error` for an empty view. Example: `y.bind(record) = 2 * x + 1;`
  template <class Recorder>
    requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
  [[nodiscard]] recorded_view<T, Rank, Port> bind(Recorder&& recorder,
                                                  const source_location& where = source_location::current()) const {
    static_assert(std::same_as<typename std::remove_cvref_t<Recorder>::port_type, Port>,
                  "the recorder is of another backend than the array");
    (void)stream(where);
    return {*this, recorder};
  }
  // For functions that enqueue work with the elements.
  [[nodiscard]] const detail::array_memory<Port>& memory() const noexcept { return memory_; }
  [[nodiscard]] const yoke::stream<Port>* stream_pointer() const noexcept { return stream_; }
  [[nodiscard]] const kept_alive& keep_alive() const noexcept { return keep_alive_; }
  /// Returns: a view of the same memory with another layout. Requires: the layout stays within the memory.
  template <class U = T, std::size_t Other>
  [[nodiscard]] device_view<U, Other, Port> with(const array_layout<Other>& layout) const noexcept {
    return {memory_, *stream_, layout, keep_alive_};
  }
  /// Returns: the elements as plain device memory, in the order of memory. The program orders work that uses it.
  /// Effects: the array's stream waits for the work of other streams with the elements so far.
  /// Throws: `logic_error` with shape and strides unless they lie without gaps, in C or F order; `error`.
  [[nodiscard]] device_span<T, Port> span(const source_location& where = source_location::current()) const {
    const device_span<T, Port> plain = ordered_span(where);
    detail::settle(memory_, std::is_const_v<T> ? detail::memory_use::reads : detail::memory_use::writes, where);
    return plain;
  }
  // The same without that wait, for work that orders itself behind other streams.
  [[nodiscard]] device_span<T, Port> ordered_span(const source_location& where) const {
    (void)stream(where);
    if (!layout_.is_c_contiguous() && !layout_.is_f_contiguous()) detail::throw_not_contiguous(layout_.axes(), where);
    if (layout_.offset_bytes() % sizeof(T) != 0) {
      detail::throw_within_element(layout_.offset_bytes(), sizeof(T), where);
    }
    return {memory_.context, memory_.memory, layout_.offset_bytes() / sizeof(T), layout_.size(), memory_.maps};
  }

  /// Returns: a part: `a(slice(1, none), 2)`; see `array_layout`. Throws: `logic_error` with axis, index and shape.
  using detail::subscripts<device_view>::operator();
  template <array_index... Indices>
  [[nodiscard]] auto part_at(const source_location& where, const Indices&... indices) const {
    (void)stream(where);
    return with(layout_.part_at(where, indices...));
  }
  /// Reverses the order of the axes, or puts them in the order given. Throws: `logic_error` for an axis that does not
  /// exist or is given twice.
  [[nodiscard]] device_view transpose(const source_location& where = source_location::current()) const {
    (void)stream(where);
    return with(layout_.transpose());
  }
  [[nodiscard]] device_view transpose(const int (&order)[Rank == 0 ? 1 : Rank],
                                      const source_location& where = source_location::current()) const
    requires(Rank > 0)
  {
    (void)stream(where);
    return with(layout_.transpose(order, where));
  }
  /// Repeats the elements; the result is read-only. Throws: `logic_error` with both shapes and the axis.
  template <std::size_t New>
  [[nodiscard]] device_view<const value_type, New, Port> broadcast_to(
      const yoke::shape<New>& extents, const source_location& where = source_location::current()) const {
    (void)stream(where);
    return with<const value_type>(layout_.broadcast_to(extents, where));
  }
  template <std::size_t New>
  [[nodiscard]] device_view<const value_type, New, Port> broadcast_to(
      const axis_extent (&extents)[New], const source_location& where = source_location::current()) const {
    return broadcast_to(yoke::shape<New>::of(extents), where);
  }
  /// Drops an axis of extent 1. Throws: `logic_error` for another extent.
  [[nodiscard]] auto squeeze(int axis, const source_location& where = source_location::current()) const
    requires(Rank > 0)
  {
    (void)stream(where);
    return with(layout_.squeeze(axis, where));
  }
  /// Selects a diagonal of two axes: the elements whose index along `axis2` is `offset` more than that along `axis1`.
  /// The two axes make one, which is the last of the result. A diagonal outside of the matrix has no elements.
  /// Throws: `logic_error` for an axis that does not exist or is given twice. Source: NumPy's `diagonal`.
  /// Example: `auto trace = yoke::sum(a.diagonal()); a.diagonal() += 1;`
  [[nodiscard]] auto diagonal(std::ptrdiff_t offset = 0, int axis1 = 0, int axis2 = 1,
                              const source_location& where = source_location::current()) const
    requires(Rank > 1)
  {
    (void)stream(where);
    return with(layout_.diagonal(offset, axis1, axis2, where));
  }
  /// Gives the same elements, in the same order, another shape. One extent may be -1: it is calculated from the
  /// others. It never copies.
  /// Throws: `logic_error` where the shape needs a copy, or the number of elements differs.
  template <std::size_t New>
  [[nodiscard]] device_view<T, New, Port> reshape(const yoke::shape<New>& extents, array_order order = array_order::c,
                                                  const source_location& where = source_location::current()) const {
    (void)stream(where);
    return with(layout_.reshape(extents, order, where));
  }
  template <std::size_t New>
  [[nodiscard]] device_view<T, New, Port> reshape(const axis_extent (&extents)[New], array_order order = array_order::c,
                                                  const source_location& where = source_location::current()) const {
    return reshape(yoke::shape<New>::of(extents), order, where);
  }
  /// The same. Returns: an empty optional where the shape needs a copy. Throws: `logic_error` for another number of
  /// elements.
  template <std::size_t New>
  [[nodiscard]] std::optional<device_view<T, New, Port>> try_reshape(
      const yoke::shape<New>& extents, array_order order = array_order::c,
      const source_location& where = source_location::current()) const {
    (void)stream(where);
    const auto found = layout_.try_reshape(extents, order, where);
    if (!found) return std::nullopt;
    return std::optional<device_view<T, New, Port>>(with(*found));
  }
  template <std::size_t New>
  [[nodiscard]] std::optional<device_view<T, New, Port>> try_reshape(
      const axis_extent (&extents)[New], array_order order = array_order::c,
      const source_location& where = source_location::current()) const {
    return try_reshape(yoke::shape<New>::of(extents), order, where);
  }
  /// The same as a new array, which works for every layout.
  template <std::size_t New>
  [[nodiscard]] device_array<value_type, New, Port> reshape_copy(
      const yoke::shape<New>& extents, array_order order = array_order::c,
      const source_location& where = source_location::current()) const;
  template <std::size_t New>
  [[nodiscard]] device_array<value_type, New, Port> reshape_copy(
      const axis_extent (&extents)[New], array_order order = array_order::c,
      const source_location& where = source_location::current()) const {
    return reshape_copy(yoke::shape<New>::of(extents), order, where);
  }
  /// Regards the memory as elements in any shape and with any strides, from this view's first element on: windows that
  /// overlap, diagonals. Elements may share bytes; such a view cannot be written.
  /// Units: strides in bytes. Throws: `logic_error` with the bytes and their limit for a shape that leaves the array's
  /// memory, and for strides that the alignment of the elements does not allow. Source: NumPy's `as_strided`.
  /// Example: `auto windows = a.as_strided({a.size() - 2, 3}, {4, 4});`
  template <std::size_t New>
  [[nodiscard]] device_view<T, New, Port> as_strided(const yoke::shape<New>& extents,
                                                     const std::array<std::ptrdiff_t, New>& strides,
                                                     const source_location& where = source_location::current()) const {
    (void)stream(where);
    const array_layout<New> layout(extents, strides, layout_.offset_bytes(), sizeof(T), where);
    if (layout.empty()) return with(layout);
    if (layout.end_byte() > memory_.bytes) detail::throw_beyond(layout.axes(), layout.end_byte(), memory_.bytes, where);
    detail::check_alignment(layout.axes(), layout.offset_bytes(), alignof(T), where);
    return with(layout);
  }
  template <std::size_t New>
  [[nodiscard]] device_view<T, New, Port> as_strided(const axis_extent (&extents)[New],
                                                     const std::ptrdiff_t (&strides)[New],
                                                     const source_location& where = source_location::current()) const {
    return as_strided(yoke::shape<New>::of(extents), std::to_array(strides), where);
  }
  /// Puts all elements along one axis. Throws: `logic_error` where that needs a copy.
  [[nodiscard]] device_view<T, 1, Port> ravel(array_order order = array_order::c,
                                              const source_location& where = source_location::current()) const {
    (void)stream(where);
    return with(layout_.ravel(order, where));
  }
  /// Returns: the pieces of a given length along an axis; the last may be shorter. Throws: `logic_error` for a length
  /// below 1.
  [[nodiscard]] std::vector<device_view> chunks(std::ptrdiff_t length, int axis = 0,
                                                const source_location& where = source_location::current()) const {
    (void)stream(where);
    std::vector<device_view> result;
    const std::size_t count = layout_.chunk_count(length, axis, where);
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i) result.push_back(with(layout_.chunk(i, length, axis, where)));
    return result;
  }
  /// Returns: a given number of pieces along an axis. Their lengths differ by one at most; the longer pieces come
  /// first.
  /// Throws: `logic_error` for a count below 1.
  [[nodiscard]] std::vector<device_view> parts(std::ptrdiff_t count, int axis = 0,
                                               const source_location& where = source_location::current()) const {
    (void)stream(where);
    std::vector<device_view> result;
    std::size_t i = 0;
    do result.push_back(with(layout_.part(i, count, axis, where)));
    while (++i < static_cast<std::size_t>(count));
    return result;
  }
  /// Selects one member of each struct: `particles.member<&particle::mass>()`. The extents of a member that is a
  /// built-in array become further axes of the view: `member<&particle::position>()(whole, 2)`. Throws: `logic_error`
  /// for an empty view.
  template <auto Member>
    requires detail::is_array_member<Member>
  [[nodiscard]] auto member(const source_location& where = source_location::current()) const {
    using whole_type = detail::pointed_member_t<Member>;
    using type = std::remove_all_extents_t<whole_type>;
    static_assert(device_element<type>, "a member of an array's elements is a value, or a built-in array of values");
    constexpr std::size_t more = std::rank_v<whole_type>;
    (void)stream(where);
    const array_layout<Rank> outer =
        layout_.member(detail::member_offset<value_type, Member>(), sizeof(whole_type), where);
    yoke::shape<Rank + more> extents;
    std::array<std::ptrdiff_t, Rank + more> strides{};
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      extents[axis] = layout_.extent(axis);
      strides[axis] = layout_.strides()[axis];
    }
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((extents[Rank + K] = std::extent_v<whole_type, static_cast<unsigned>(K)>), ...);
    }(std::make_index_sequence<more>());
    auto step = static_cast<std::ptrdiff_t>(sizeof(type));
    for (std::size_t axis = Rank + more; axis-- > Rank;) {
      strides[axis] = step;
      step *= static_cast<std::ptrdiff_t>(extents[axis]);
    }
    return with<detail::element_of<T, type>>(
        array_layout<Rank + more>(extents, strides, outer.offset_bytes(), sizeof(type), where));
  }
  template <auto Member>
  [[nodiscard]] auto member(const source_location& where = source_location::current()) const {
    using type = detail::type_of_member<value_type, Member>;
    (void)stream(where);
    return with<detail::element_of<T, type>>(
        layout_.member(detail::member_offset<value_type, Member>(), sizeof(type), where));
  }
  /// Regards the same memory as elements of another type. Where sizes differ, the last axis becomes longer or shorter.
  /// Throws: `logic_error` where the sizes differ and the last axis has gaps or its bytes are not a multiple of the
  /// new size, or where `U` would be misaligned.
  template <class U>
  [[nodiscard]] auto as(const source_location& where = source_location::current()) const {
    static_assert(device_element<U>, "device arrays hold trivially copyable, non-pointer types");
    (void)stream(where);
    const array_layout<Rank> layout = layout_.reinterpret(sizeof(U), where);
    detail::check_alignment(layout.axes(), layout.offset_bytes(), alignof(U), where);
    return with<detail::element_of<T, U>>(layout);
  }

  /// Sets every element. Effects: runs in the stream's order; bytes between elements keep their values.
  /// Throws: `logic_error` for an empty view, one that repeats elements, and a number that the elements cannot hold;
  /// `error`.
  template <class Value = value_type>
  void fill(const Value& value, const source_location& where = source_location::current()) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    detail::fill_view(stream(where), *this, detail::given_element<value_type>(value, "value", where), where);
  }
  /// Assigns the elements of another view or array, of an expression or of the result of a function of `pass`; they
  /// broadcast to this view's shape.
  ///
  /// Effects: enqueues the work in this view's stream. A copy is one driver call where the layouts allow it, else a
  /// kernel; an expression is a kernel. Where an input shares bytes with other elements than its own, the result goes
  /// through a temporary. Bytes between elements keep their values. Numbers of another type are converted as C++ does;
  /// converting real numbers to integers, and complex ones to real ones, does not compile.
  /// Throws: `logic_error` for shapes that do not broadcast, an empty view, one that repeats elements, or one of
  /// another context; `error`; as the function of `pass`.
  template <class Source>
    requires(detail::assignable<Source> || detail::is_device_view<Source>)
  void assign(const Source& source, const source_location& where = source_location::current()) const {
    detail::assign_in(stream(where), *this, source, where);
  }
  template <class U, std::size_t Other>
  void assign(const device_array<U, Other, Port>& source,
              const source_location& where = source_location::current()) const {
    assign(source.view(where), where);
  }
  template <class U>
  void assign(const device_value<U, Port>& source, const source_location& where = source_location::current()) const {
    assign(source.array(), where);
  }
  /// Copies the elements of a contiguous range of the host, in C order. Returns when the range may be used again.
  /// Throws: `logic_error` for another number of elements; as above.
  template <detail::host_range Range>
    requires std::same_as<detail::host_element<Range>, std::remove_const_t<T>>
  void assign(const Range& range, const source_location& where = source_location::current()) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    const auto& order = stream(where);
    if (std::size(range) != layout_.size()) detail::throw_range_size(std::size(range), layout_.axes(), where);
    const auto bytes = std::as_bytes(std::span(std::data(range), std::size(range)));
    detail::write_from_host<Port>(order, memory_, layout_, bytes, where);
  }
  /// Copies the elements of a view of the host with the same shape, of any strides. Returns when they may be changed.
  /// Throws: `logic_error` for another shape; as above; `std::bad_alloc`.
  template <class U>
    requires std::same_as<std::remove_const_t<U>, std::remove_const_t<T>>
  void assign(const host_view<U, Rank>& source, const source_location& where = source_location::current()) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    const auto& order = stream(where);
    detail::check_same_shape(source.shape(), "to the array's", layout_.shape(), where);
    if (source.is_c_contiguous()) {
      return detail::write_from_host<Port>(order, memory_, layout_, std::as_bytes(source.span(where)), where);
    }
    const auto packed = detail::pack_on_host(source.layout(), reinterpret_cast<const std::byte*>(source.memory()));
    detail::write_from_host<Port>(order, memory_, layout_, packed, where);
  }

  /// Copies the elements to a contiguous range of the host, in C order. Returns when the copy is done.
  /// Throws: `logic_error` for another number of elements, and for an empty view; `error`.
  template <detail::host_range Range>
    requires std::same_as<detail::host_element<Range>, std::remove_const_t<T>>
  void copy_to(Range&& range, const source_location& where = source_location::current()) const {
    const auto& order = stream(where);
    if (std::size(range) != layout_.size()) detail::throw_range_size(std::size(range), layout_.axes(), where);
    const auto bytes = std::as_writable_bytes(std::span(std::data(range), std::size(range)));
    detail::read_to_host<Port>(order, memory_, layout_, bytes, where);
    if constexpr (std::same_as<value_type, bool>) {
      // Normalises bools to 0 or 1: a kernel may have written any byte.
      for (std::byte& each : bytes) each = std::byte{each != std::byte{0}};
    }
  }
  /// The same for a view of the host with the same shape, of any strides; memory between its elements keeps its values.
  /// Throws: `logic_error` for another shape, and for elements that share bytes; as above; `std::bad_alloc`.
  void copy_to(const host_view<value_type, Rank>& to, const source_location& where = source_location::current()) const {
    (void)stream(where);
    detail::check_same_shape(layout_.shape(), "to the host view's", to.shape(), where);
    detail::check_writable(to.layout(), where);
    if (to.is_c_contiguous()) return copy_to(to.span(where), where);
    std::vector<std::byte> packed(layout_.size_bytes());
    copy_to(std::span(reinterpret_cast<value_type*>(packed.data()), layout_.size()), where);
    detail::unpack_on_host(to.layout(), reinterpret_cast<std::byte*>(to.memory()), packed.data());
  }
  /// Returns: the elements in C order, once they have arrived. Effects: on CUDA, 64 KiB to 2 MiB arrive in page-locked
  /// memory that the context keeps, unless `set_staging` has switched staging off. Throws: `logic_error` for an empty
  /// view; `error`; `std::bad_alloc`.
  [[nodiscard]] std::vector<value_type> to_host(const source_location& where = source_location::current()) const {
    if constexpr (std::same_as<value_type, bool>) {
      // Copies bytes, because a bool on the device may be neither 0 nor 1.
      std::vector<std::uint8_t> bytes(layout_.size());
      detail::read_to_host<Port>(stream(where), memory_, layout_, std::as_writable_bytes(std::span(bytes)), where);
      return {bytes.begin(), bytes.end()};
    } else {
      const std::size_t bytes = layout_.size_bytes();
      if (bytes >= detail::least_kept_bytes && bytes <= detail::most_kept_bytes) {
        auto& kept = detail::kept_pages_of(stream(where).context_of(), where);
        // New memory of the host is not there before it is written: a device would wait for each page.
        if (const typename detail::kept_pages<Port>::lease pages(kept, where); !pages.get().empty()) {
          const std::span<value_type> arrived(reinterpret_cast<value_type*>(pages.get().data()), layout_.size());
          copy_to(arrived, where);
          return {arrived.begin(), arrived.end()};
        }
      }
      std::vector<value_type> result(layout_.size());
      copy_to(result, where);
      return result;
    }
  }
  /// Copies the elements to page-locked memory without waiting. Requires: the memory lives until its stream has passed
  /// the copy.
  /// Throws: as above. Example: `auto later = a.to_host_async(); ...; auto values = std::move(later).get();`
  [[nodiscard]] pending_result<pagelocked_array<value_type, Port>, Port> to_host_async(
      const source_location& where = source_location::current()) const {
    const auto& order = stream(where);
    pagelocked_array<value_type, Port> result(order.context_of(), layout_.size(), where);
    transfer<Port> copying;
    detail::read_view(
        order, memory_, layout_,
        [&](auto on_device, const box_layout& box) {
          const detail::staged_bytes<Port> to{result, box};
          copying = yoke::copy_async(on_device, to, order, where);
        },
        where);
    return {std::move(copying), std::move(result)};
  }
  /// Returns: the only element of a view of rank 0: `a(1, 2).value()`. Throws: as `to_host`.
  [[nodiscard]] value_type value(const source_location& where = source_location::current()) const
    requires(Rank == 0)
  {
    value_type result{};
    copy_to(std::span<value_type>(&result, 1), where);
    return result;
  }
  /// Returns: a new array with the same elements, in F order if they lie so, else in C order. Throws: `logic_error`,
  /// `error`.
  [[nodiscard]] device_array<value_type, Rank, Port> copy(
      const source_location& where = source_location::current()) const;
  /// Returns: a new array with the elements converted as C++ converts them. Values outside the range of `U` depend on
  /// the device.
  /// Throws: `logic_error`, `error`.
  template <class U>
  [[nodiscard]] device_array<U, Rank, Port> astype(const source_location& where = source_location::current()) const;

 private:
  static array_layout<Rank> none() noexcept { return {yoke::shape<Rank>{}, sizeof(T)}; }

  detail::array_memory<Port> memory_{};
  const yoke::stream<Port>* stream_ = nullptr;
  kept_alive keep_alive_{};
  array_layout<Rank> layout_ = none();
};

/// Copies and kernels take views without gaps in C order. They refuse other views, because their elements are not
/// contiguous: copy these by `assign`, `copy_to` or `copy`, or take their memory by `span`.
template <class T, std::size_t Rank, class Port>
struct memory_access<device_view<T, Rank, Port>> {
  static memory_side<device_place<Port>, T> describe(const device_view<T, Rank, Port>& view) noexcept {
    const detail::array_memory<Port>& memory = view.memory();
    memory_side<device_place<Port>, T> side{.at = {memory.memory, view.layout().offset_bytes() / sizeof(T)},
                                            .size = view.size(),
                                            .context = memory.context,
                                            .keep_alive = view.keep_alive(),
                                            .maps = memory.maps,
                                            .uses = memory.uses};
    detail::describe_axes(side, view.layout());
    return side;
  }
  static kept_alive kept(const device_view<T, Rank, Port>& view) noexcept { return view.memory().share(); }
  [[gnu::always_inline]] static detail::launched_memory<Port> launched(
      const device_view<T, Rank, Port>& view) noexcept {
    const detail::array_memory<Port>& memory = view.memory();
    if (view.layout().offset_bytes() != 0 || memory.maps.mapped() || !is_plain(view.layout())) return {};
    return {&memory.memory, nullptr, nullptr, memory.context, memory.uses};
  }

 private:
  static bool is_plain(const array_layout<Rank>& layout) noexcept {
    return layout.is_c_contiguous() && layout.offset_bytes() % sizeof(T) == 0;
  }
};

namespace detail {
template <class T, std::size_t Rank, class Port>
inline constexpr bool is_view_value<device_view<T, Rank, Port>> = true;

/// Whether a fill of this memory checks numbers against an element type: true for arrays.
template <class Memory>
inline constexpr bool has_elements = is_device_view<Memory>;
/// Whether a fill passes a number whose type differs from that of the elements.
template <class Memory, class Value>
concept filled_by_number =
    has_elements<Memory> && is_number<Value> && is_number<typename Memory::value_type> &&
    !std::same_as<Value, typename Memory::value_type> && std::convertible_to<const Value&, typename Memory::value_type>;

}  // namespace detail

/// Fills an array, a view or a value with a number of another type, in any stream or on a recorder.
/// Throws: as `fill` with the elements' type; `logic_error` for a number that the elements cannot hold.
template <class Array, class Value, class Order>
  requires detail::filled_by_number<std::remove_cvref_t<Array>, Value>
auto fill(Array&& to, const Value& value, Order&& order, const source_location& where = source_location::current()) {
  using element = typename std::remove_cvref_t<Array>::value_type;
  return fill(std::forward<Array>(to), detail::given_element<element>(value, "value", where),
              std::forward<Order>(order), where);
}
/// The same behind events. Returns: the fill's event. Throws: as above.
template <class Array, class Value, class Order>
  requires detail::filled_by_number<std::remove_cvref_t<Array>, Value>
auto fill(Array&& to, const Value& value, const Order& order,
          const std::type_identity_t<copy_options<typename Order::port_type>>& options,
          const source_location& where = source_location::current()) {
  using element = typename std::remove_cvref_t<Array>::value_type;
  return fill(std::forward<Array>(to), detail::given_element<element>(value, "value", where), order, options, where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/device_view.ipp>
#endif

#endif
