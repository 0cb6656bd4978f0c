// SPDX-License-Identifier: MIT
// A view of an array on the host: a layout over memory that another object owns.
#ifndef YOKE_ARRAY_STORAGE_HOST_VIEW_HPP
#define YOKE_ARRAY_STORAGE_HOST_VIEW_HPP

#include <yoke/array/geometry/byte_layout.hpp>
#include <yoke/array/geometry/layout_facts.hpp>
#include <yoke/array/geometry/subscripts.hpp>
#include <yoke/memory/device_allocation.hpp>

#include <compare>
#include <concepts>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// The elements that a range gives: const for a range of const elements.
template <class Range>
using lent_element = std::remove_pointer_t<decltype(std::data(std::declval<std::remove_reference_t<Range>&>()))>;
/// Whether the elements of a range outlive the statement that makes the range.
template <class Range>
inline constexpr bool lends_elements =
    std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<std::remove_cvref_t<Range>> ||
    is_view_value<std::remove_cvref_t<Range>>;

/// An mdspan of any library that can be made of a pointer and extents, and takes a host view's rank and elements.
template <class M, class T, std::size_t Rank>
concept mdspan_over = requires {
  typename M::extents_type;
  typename M::mapping_type;
  { M::rank() } -> std::convertible_to<std::size_t>;
  requires M::rank() == Rank;
  requires std::same_as<typename M::element_type, T> || std::same_as<typename M::element_type, const T>;
  requires std::constructible_from<M, T*, typename M::mapping_type>;
};

/// Visits all elements of a layout in C order.
template <class T, std::size_t Rank>
class element_iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;

  element_iterator() noexcept = default;
  element_iterator(T* first, const array_layout<Rank>& layout, difference_type at) noexcept
      : first_(first), layout_(layout), at_(at) {}

  [[nodiscard]] T& operator*() const noexcept { return *element(at_); }
  [[nodiscard]] T* operator->() const noexcept { return element(at_); }
  [[nodiscard]] T& operator[](difference_type by) const noexcept { return *element(at_ + by); }
  element_iterator& operator++() noexcept { return *this += 1; }
  element_iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
  element_iterator& operator--() noexcept { return *this -= 1; }
  element_iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
  element_iterator& operator+=(difference_type by) noexcept {
    at_ += by;
    return *this;
  }
  element_iterator& operator-=(difference_type by) noexcept { return *this += -by; }
  [[nodiscard]] friend element_iterator operator+(element_iterator of, difference_type by) noexcept { return of += by; }
  [[nodiscard]] friend element_iterator operator+(difference_type by, element_iterator of) noexcept { return of += by; }
  [[nodiscard]] friend element_iterator operator-(element_iterator of, difference_type by) noexcept { return of -= by; }
  [[nodiscard]] friend difference_type operator-(const element_iterator& left, const element_iterator& right) noexcept {
    return left.at_ - right.at_;
  }
  [[nodiscard]] friend bool operator==(const element_iterator& left, const element_iterator& right) noexcept {
    return left.at_ == right.at_;
  }
  [[nodiscard]] friend auto operator<=>(const element_iterator& left, const element_iterator& right) noexcept {
    return left.at_ <=> right.at_;
  }

 private:
  [[nodiscard]] T* element(difference_type at) const noexcept {
    auto rest = static_cast<std::size_t>(at);
    std::ptrdiff_t byte = 0;
    for (std::size_t axis = Rank; axis-- > 0;) {
      const std::size_t extent = layout_.shape()[axis];
      byte += static_cast<std::ptrdiff_t>(rest % extent) * layout_.strides()[axis];
      rest /= extent;
    }
    return moved(first_, byte);
  }
  [[nodiscard]] static T* moved(T* from, std::ptrdiff_t bytes) noexcept {
    using byte = element_of<T, std::byte>;
    return reinterpret_cast<T*>(reinterpret_cast<byte*>(from) + bytes);
  }

  T* first_ = nullptr;
  array_layout<Rank> layout_{};
  difference_type at_ = 0;
};

/// Returns: the elements of a layout in C order, without gaps. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::vector<std::byte> pack_on_host(const byte_layout& of, const std::byte* memory);
/// Effects: writes elements, given in C order, to the places of a layout. Requires: no two of them share a byte.
YOKE_API void unpack_on_host(const byte_layout& to, std::byte* memory, const std::byte* packed) noexcept;

/// Throws: `logic_error` with both shapes and the axis unless they are equal.
template <std::size_t Rank>
void check_same_shape(const shape<Rank>& from, const char* word, const shape<Rank>& to, const source_location& where) {
  std::size_t axis = 0;
  while (axis < Rank && from[axis] == to[axis]) ++axis;
  if (axis < Rank) throw_broadcast(from.begin(), Rank, word, to.begin(), Rank, axis, where);
}

/// Effects: gives a side of a copy the axes of an array; refuses an array with gaps, or in F order.
template <class Side, std::size_t Rank>
void describe_axes(Side& side, const array_layout<Rank>& layout) noexcept {
  if constexpr (Rank >= 2) {
    side.box = {layout.shape()[Rank - 1], layout.shape()[Rank - 2], 1};
    for (std::size_t axis = 0; axis + 2 < Rank; ++axis) side.box.depth *= layout.shape()[axis];
  }
  if (!layout.is_c_contiguous() || layout.offset_bytes() % layout.element_bytes() != 0) {
    side.refusal = "is not contiguous in C order: pass a copy of it, or its memory by span()";
  }
}

/// Throws: `logic_error` unless an mdspan's mapping has the layout's strides.
template <class Mapping, std::size_t Rank>
void check_mapping(const Mapping& of, const array_layout<Rank>& layout, const source_location& where) {
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if (layout.shape()[axis] > 1 &&
        static_cast<std::ptrdiff_t>(of.stride(axis)) * static_cast<std::ptrdiff_t>(layout.element_bytes()) !=
            layout.strides()[axis]) {
      throw_no_mdspan(layout.axes(), layout.element_bytes(), where);
    }
  }
}
}  // namespace detail

/// Elements of the host with axes: a layout over memory that somebody else owns, such as a `pagelocked_array`, a
/// mapped buffer or a `std::vector`. Elements of a `host_view<const T, Rank>` are read-only.
///
/// A view refers to elements, and a copy of a view to the same ones. `view(1, 2)` is an element, `view(1, whole)` a
/// view of a part; `view[1][2]` works as well. A loop over a view visits all elements in C order.
/// Requires: the memory outlives the view.
/// Thread safety: as a `std::span`.
/// Example: `yoke::host_view table{host, yoke::shape{3, 4}}; table(1, 2) = 5;`
template <class T, std::size_t Rank>
class host_view : public detail::call_operators<host_view<T, Rank>>,
                  public detail::layout_facts<host_view<T, Rank>, Rank> {
 public:
  using value_type = std::remove_const_t<T>;
  static_assert(device_element<value_type>, "host views hold trivially copyable, non-pointer types");
  using element_type = T;
  using iterator = detail::element_iterator<T, Rank>;

  /// A view of no elements; of rank 0, one that must not be used.
  host_view() noexcept = default;
  /// A view of all elements of a contiguous range, in a given shape and without gaps.
  /// Throws: `logic_error` when the number of elements differs from that of the shape, and for an extent below 0.
  template <detail::host_range Range>
    requires std::convertible_to<detail::lent_element<Range> (*)[], T (*)[]>
  host_view(Range&& memory, const yoke::shape<Rank>& extents, array_order order = array_order::c,
            const source_location& where = source_location::current())
      : memory_(address(memory)), layout_(extents, sizeof(T), order, where) {
    static_assert(detail::lends_elements<Range>,
                  "this range ends with the statement: give it a name, or make a host_array of it");
    if (std::size(memory) != layout_.size()) detail::throw_range_size(std::size(memory), layout_.axes(), where);
  }
  /// A view of elements of a contiguous range, with any strides.
  /// Throws: `logic_error` for a layout that leaves the range, has elements of another size, or misaligned ones.
  template <detail::host_range Range, detail::layout_of_rank<Rank> Layout>
    requires std::convertible_to<detail::lent_element<Range> (*)[], T (*)[]>
  host_view(Range&& memory, const Layout& layout, const source_location& where = source_location::current())
      : memory_(address(memory)), layout_(layout) {
    static_assert(detail::lends_elements<Range>,
                  "this range ends with the statement: give it a name, or make a host_array of it");
    detail::check_layout(layout, std::size(memory), sizeof(T), alignof(T), where);
  }
  /// The same for memory behind a pointer. Requires: the layout stays within the memory.
  template <detail::layout_of_rank<Rank> Layout>
  host_view(T* memory, const Layout& layout) noexcept : memory_(reinterpret_cast<storage*>(memory)), layout_(layout) {}
  /// Adds const.
  template <class U>
    requires(std::same_as<T, const U> && !std::is_const_v<U>)
  host_view(const host_view<U, Rank>& other) noexcept  // NOLINT: adding const is harmless
      : memory_(reinterpret_cast<storage*>(other.memory())), layout_(other.layout()) {}

  [[nodiscard]] const array_layout<Rank>& layout() const noexcept { return layout_; }
  /// The address of the first element: that of index 0 along every axis.
  [[nodiscard]] T* data_handle() const noexcept { return at(layout_.offset_bytes()); }
  /// Returns: the elements as a plain range, in the order of memory. Throws: `logic_error` with shape and strides
  /// unless they lie without gaps, in C or F order.
  [[nodiscard]] std::span<T> span(const source_location& where = source_location::current()) const {
    if (!layout_.is_c_contiguous() && !layout_.is_f_contiguous()) detail::throw_not_contiguous(layout_.axes(), where);
    return {data_handle(), layout_.size()};
  }
  /// All elements in C order.
  [[nodiscard]] iterator begin() const noexcept { return {data_handle(), layout_, 0}; }
  [[nodiscard]] iterator end() const noexcept {
    return {data_handle(), layout_, static_cast<std::ptrdiff_t>(layout_.size())};
  }

  /// Returns: with an integer for each axis, the element, `view(1, 2) = 5`; else a view of a part, as `array_layout`
  /// says. Indices below 0 count from the end. Throws: `logic_error` with axis, index and shape.
  using detail::call_operators<host_view>::operator();
  template <array_index... Indices>
  [[nodiscard]] decltype(auto) part_at(const source_location& where, const Indices&... indices) const {
    if constexpr (sizeof...(Indices) == Rank && (integer<Indices> && ...)) {
      return element(where, indices...);
    } else {
      return with(layout_.part_at(where, indices...));
    }
  }
  /// Returns: the element of a view of rank 1, else the view at an index of the first axis. Throws: as above.
  [[nodiscard]] decltype(auto) operator[](const detail::placed_index<std::ptrdiff_t>& index) const
    requires(Rank > 0)
  {
    return part_at(index.where, index.index);
  }

  /// Reverses the order of the axes, or puts them in the order given. Throws: `logic_error` for an axis that does not
  /// exist or is given twice.
  [[nodiscard]] host_view transpose() const noexcept { return with(layout_.transpose()); }
  [[nodiscard]] host_view transpose(const int (&order)[Rank == 0 ? 1 : Rank],
                                    const source_location& where = source_location::current()) const
    requires(Rank > 0)
  {
    return with(layout_.transpose(order, where));
  }
  /// Repeats the elements; the result is read-only. Throws: `logic_error` with both shapes and the axis.
  template <std::size_t New>
  [[nodiscard]] host_view<const value_type, New> broadcast_to(
      const yoke::shape<New>& extents, const source_location& where = source_location::current()) const {
    return with<const value_type>(layout_.broadcast_to(extents, where));
  }
  template <std::size_t New>
  [[nodiscard]] host_view<const value_type, New> broadcast_to(
      const axis_extent (&extents)[New], const source_location& where = source_location::current()) const {
    return broadcast_to(yoke::shape<New>::of(extents), where);
  }
  /// Drops an axis of extent 1. Throws: `logic_error` for another extent.
  [[nodiscard]] auto squeeze(int axis, const source_location& where = source_location::current()) const
    requires(Rank > 0)
  {
    return with(layout_.squeeze(axis, where));
  }
  /// Selects a diagonal of two axes: the elements whose index along `axis2` is `offset` more than that along `axis1`.
  /// The two axes make one, which is the last of the result. A diagonal outside of the matrix has no elements.
  /// Throws: `logic_error` for an axis that does not exist or is given twice. Source: NumPy's `diagonal`.
  /// Example: `for (float& each : view.diagonal()) each += 1;`
  [[nodiscard]] auto diagonal(std::ptrdiff_t offset = 0, int axis1 = 0, int axis2 = 1,
                              const source_location& where = source_location::current()) const
    requires(Rank > 1)
  {
    return with(layout_.diagonal(offset, axis1, axis2, where));
  }
  /// Gives the same elements, in the same order, another shape. One extent may be -1: it is calculated from the
  /// others. It never copies.
  /// Throws: `logic_error` where the shape needs a copy, or the number of elements differs.
  template <std::size_t New>
  [[nodiscard]] host_view<T, New> reshape(const yoke::shape<New>& extents, array_order order = array_order::c,
                                          const source_location& where = source_location::current()) const {
    return with(layout_.reshape(extents, order, where));
  }
  template <std::size_t New>
  [[nodiscard]] host_view<T, New> reshape(const axis_extent (&extents)[New], array_order order = array_order::c,
                                          const source_location& where = source_location::current()) const {
    return reshape(yoke::shape<New>::of(extents), order, where);
  }
  /// Puts all elements along one axis. Throws: `logic_error` where that needs a copy.
  [[nodiscard]] host_view<T, 1> ravel(array_order order = array_order::c,
                                      const source_location& where = source_location::current()) const {
    return with(layout_.ravel(order, where));
  }
  /// Returns: the pieces of a given length along an axis; the last may be shorter. Throws: `logic_error` for a length
  /// below 1.
  [[nodiscard]] std::vector<host_view> chunks(std::ptrdiff_t length, int axis = 0,
                                              const source_location& where = source_location::current()) const {
    std::vector<host_view> result;
    const std::size_t count = layout_.chunk_count(length, axis, where);
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i) result.push_back(with(layout_.chunk(i, length, axis, where)));
    return result;
  }
  /// Returns: a given number of pieces along an axis. Their lengths differ by one at most; the longer pieces come
  /// first. Throws: `logic_error` for a count below 1.
  [[nodiscard]] std::vector<host_view> parts(std::ptrdiff_t count, int axis = 0,
                                             const source_location& where = source_location::current()) const {
    std::vector<host_view> result;
    std::size_t i = 0;
    do result.push_back(with(layout_.part(i, count, axis, where)));
    while (++i < static_cast<std::size_t>(count));
    return result;
  }

  /// Returns: the view as an mdspan of the standard library or another one. A mapping that takes strides gets the
  /// view's. Throws: `logic_error` with shape and strides where the mapping has others, such as `layout_right` for a
  /// view with gaps, and for strides that are below 0 or no multiple of an element.
  /// Example: `auto m = view.to_mdspan<std::mdspan<float, std::dextents<std::size_t, 2>>>();`
  template <class Mdspan>
    requires detail::mdspan_over<Mdspan, T, Rank>
  [[nodiscard]] Mdspan to_mdspan(const source_location& where = source_location::current()) const {
    using extents_type = typename Mdspan::extents_type;
    using mapping_type = typename Mdspan::mapping_type;
    using index_type = typename extents_type::index_type;
    std::array<index_type, Rank> counts{};
    std::array<index_type, Rank> steps{};
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      const std::ptrdiff_t step = layout_.strides()[axis] / static_cast<std::ptrdiff_t>(sizeof(T));
      if (step < 0 || step * static_cast<std::ptrdiff_t>(sizeof(T)) != layout_.strides()[axis]) {
        detail::throw_no_mdspan(layout_.axes(), sizeof(T), where);
      }
      counts[axis] = detail::narrow<index_type>(layout_.shape()[axis], "extent", where);
      steps[axis] = detail::narrow<index_type>(step, "stride", where);
    }
    if constexpr (std::constructible_from<mapping_type, extents_type, std::array<index_type, Rank>>) {
      return Mdspan(data_handle(), mapping_type(extents_type(counts), steps));
    } else {
      const mapping_type mapping{extents_type(counts)};
      detail::check_mapping(mapping, layout_, where);
      return Mdspan(data_handle(), mapping);
    }
  }
  /// The same as a conversion, for parameters of type mdspan.
  template <class Mdspan>
    requires detail::mdspan_over<Mdspan, T, Rank>
  operator Mdspan() const {  // NOLINT: an mdspan is the same view
    return to_mdspan<Mdspan>(source_location{});
  }

  // The start of memory, from which the layout counts.
  [[nodiscard]] T* memory() const noexcept { return at(0); }

 private:
  template <class U, std::size_t Other>
  friend class host_view;
  using storage = detail::element_of<T, std::byte>;

  template <class Range>
  [[nodiscard]] static storage* address(Range& of) noexcept {
    return reinterpret_cast<storage*>(static_cast<T*>(std::data(of)));
  }
  [[nodiscard]] T* at(std::size_t offset_bytes) const noexcept { return reinterpret_cast<T*>(memory_ + offset_bytes); }
  template <class U = T, std::size_t Other>
  [[nodiscard]] host_view<U, Other> with(const array_layout<Other>& layout) const noexcept {
    return {reinterpret_cast<U*>(memory_), layout};
  }
  template <integer... Indices>
  [[nodiscard]] T& element(const source_location& where, Indices... indices) const {
    const std::array<std::ptrdiff_t, Rank> given{slice_bound::clamped(indices)...};
    auto byte = static_cast<std::ptrdiff_t>(layout_.offset_bytes());
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      const auto extent = static_cast<std::ptrdiff_t>(layout_.shape()[axis]);
      if (given[axis] >= extent || given[axis] < -extent) [[unlikely]]
        detail::throw_index(layout_.shape().begin(), Rank, axis, given[axis], where);
      byte += (given[axis] < 0 ? given[axis] + extent : given[axis]) * layout_.strides()[axis];
    }
    return *at(static_cast<std::size_t>(byte));
  }
  static array_layout<Rank> none() noexcept { return {yoke::shape<Rank>{}, sizeof(T)}; }

  storage* memory_ = nullptr;
  array_layout<Rank> layout_ = none();
};

template <class Range, std::size_t Rank>
host_view(Range&&, const shape<Rank>&) -> host_view<detail::lent_element<Range>, Rank>;
template <class Range, std::size_t Rank>
host_view(Range&&, const shape<Rank>&, array_order) -> host_view<detail::lent_element<Range>, Rank>;
template <class Range, std::size_t Rank>
host_view(Range&&, const array_layout<Rank>&) -> host_view<detail::lent_element<Range>, Rank>;

/// Copies take views without gaps in C order, as pageable memory; they refuse other views.
template <class T, std::size_t Rank>
struct memory_access<host_view<T, Rank>> {
  static memory_side<pageable_place, T> describe(const host_view<T, Rank>& view) noexcept {
    memory_side<pageable_place, T> side{.at = view.data_handle(), .size = view.size()};
    detail::describe_axes(side, view.layout());
    return side;
  }
};

namespace detail {
template <class T, std::size_t Rank>
inline constexpr bool is_view_value<host_view<T, Rank>> = true;
}

}  // namespace yoke::inline v0_1

template <class T, std::size_t Rank>
inline constexpr bool std::ranges::enable_borrowed_range<yoke::host_view<T, Rank>> = true;

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/host_view.ipp>
#endif

#endif
