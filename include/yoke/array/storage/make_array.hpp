// SPDX-License-Identifier: MIT
// Makes arrays of zeros, ones, a value, a sequence, the host's elements, or the shape of another array.
#ifndef YOKE_ARRAY_STORAGE_MAKE_ARRAY_HPP
#define YOKE_ARRAY_STORAGE_MAKE_ARRAY_HPP

#include <yoke/array/storage/device_array.hpp>
#include <yoke/array/storage/sequence.hpp>

namespace yoke::inline v0_1 {

namespace detail {
/// An array or a view, whose shape a new array can take.
template <class A>
concept array_like = requires(const A& of) {
  typename A::value_type;
  typename A::port_type;
  { of.layout() };
  { of.stream() };
  A::rank();
};
template <array_like A>
using array_of = device_array<typename A::value_type, A::rank(), typename A::port_type>;
/// Returns: F for an array in F order, else C.
template <array_like A>
array_order order_of(const A& of) noexcept {
  return of.layout().is_f_contiguous() && !of.layout().is_c_contiguous() ? array_order::f : array_order::c;
}
/// Does not compile: the message asks for a stream.
template <class T>
auto refuse_without_stream() {
  static_assert(!std::same_as<T, T>,
                "an array is made in a stream, which is the last argument: write zeros<float>({3, 4}, stream), "
                "arange(5, stream), to_device_array(host, stream)");
  return 0;
}
/// A host mdspan of any library.
template <class M>
concept host_mdspan = requires(const M& of) {
  typename M::element_type;
  { M::rank() } -> std::convertible_to<std::size_t>;
  { of.data_handle() } -> std::convertible_to<const void*>;
  { of.extent(0) } -> std::convertible_to<std::size_t>;
  { of.stride(0) } -> std::convertible_to<std::ptrdiff_t>;
};
}  // namespace detail

/// Copies a contiguous range of the host, given in C order, to a new array of any order.
///
/// Returns: the array, when the range may be used again. Throws: `logic_error` when the number of elements differs
/// from that of the shape; as `device_array` and `copy`.
/// Example: `auto a = yoke::to_device_array(host, {4, 4}, stream);`
template <detail::host_range Range, std::size_t Rank, class Port>
  requires device_element<detail::host_element<Range>>
[[nodiscard]] auto to_device_array(const Range& range, const shape<Rank>& extents, const stream<Port>& stream,
                                   array_order order = array_order::c,
                                   const source_location& where = source_location::current()) {
  const array_layout<Rank> wanted(extents, sizeof(detail::host_element<Range>), order, where);
  if (std::size(range) != wanted.size()) detail::throw_range_size(std::size(range), wanted.axes(), where);
  device_array<detail::host_element<Range>, Rank, Port> result(stream, extents, order, where);
  result.assign(range, where);
  return result;
}
/// The same with memory of a pool or of a `memory_resource`, as every function here that takes `from`: what is made
/// from the array comes from there, too. Throws: also as `device_array` of a pool.
/// Example: `auto a = yoke::to_device_array(host, {4, 4}, stream, pool);`
template <detail::host_range Range, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  requires device_element<detail::host_element<Range>>
[[nodiscard]] auto to_device_array(const Range& range, const shape<Rank>& extents, const stream<Port>& stream,
                                   const From& from, array_order order = array_order::c,
                                   const source_location& where = source_location::current()) {
  return to_device_array(range, extents, detail::stream_with(stream, from, where), order, where);
}
template <detail::host_range Range, std::size_t Rank, class Port>
  requires device_element<detail::host_element<Range>>
[[nodiscard]] auto to_device_array(const Range& range, const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                   array_order order = array_order::c,
                                   const source_location& where = source_location::current()) {
  return to_device_array(range, shape<Rank>::of(extents), stream, order, where);
}
template <detail::host_range Range, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  requires device_element<detail::host_element<Range>>
[[nodiscard]] auto to_device_array(const Range& range, const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                   const From& from, array_order order = array_order::c,
                                   const source_location& where = source_location::current()) {
  return to_device_array(range, shape<Rank>::of(extents), stream, from, order, where);
}
/// The same for an array of rank 1.
template <detail::host_range Range, class Port>
  requires device_element<detail::host_element<Range>>
[[nodiscard]] auto to_device_array(const Range& range, const stream<Port>& stream,
                                   const source_location& where = source_location::current()) {
  return to_device_array(range, shape<1>(std::size(range)), stream, array_order::c, where);
}
template <detail::host_range Range, class Port, detail::memory_origin<Port> From>
  requires device_element<detail::host_element<Range>>
[[nodiscard]] auto to_device_array(const Range& range, const stream<Port>& stream, const From& from,
                                   const source_location& where = source_location::current()) {
  return to_device_array(range, shape<1>(std::size(range)), stream, from, array_order::c, where);
}
/// The same for elements or rows in braces, or for a built-in array: `to_device_array({{1, 2}, {3, 4}}, stream)`.
template <device_element T, std::size_t Size, class Port>
[[nodiscard]] device_array<T, 1, Port> to_device_array(const T (&elements)[Size], const stream<Port>& stream,
                                                       const source_location& where = source_location::current()) {
  return to_device_array(std::span<const T>(elements), shape<1>(Size), stream, array_order::c, where);
}
template <device_element T, std::size_t Size, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, 1, Port> to_device_array(const T (&elements)[Size], const stream<Port>& stream,
                                                       const From& from,
                                                       const source_location& where = source_location::current()) {
  return to_device_array(std::span<const T>(elements), shape<1>(Size), stream, from, array_order::c, where);
}
template <device_element T, std::size_t Rows, std::size_t Columns, class Port>
[[nodiscard]] device_array<T, 2, Port> to_device_array(const T (&rows)[Rows][Columns], const stream<Port>& stream,
                                                       const source_location& where = source_location::current()) {
  return to_device_array(std::span<const T>(&rows[0][0], Rows * Columns), shape<2>(Rows, Columns), stream,
                         array_order::c, where);
}
template <device_element T, std::size_t Rows, std::size_t Columns, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, 2, Port> to_device_array(const T (&rows)[Rows][Columns], const stream<Port>& stream,
                                                       const From& from,
                                                       const source_location& where = source_location::current()) {
  return to_device_array(rows, detail::stream_with(stream, from, where), where);
}
/// The same for an mdspan of the host with any strided layout, of the standard library or another.
template <detail::host_mdspan Span, class Port>
[[nodiscard]] auto to_device_array(const Span& span, const stream<Port>& stream,
                                   const source_location& where = source_location::current()) {
  using element = std::remove_cv_t<typename Span::element_type>;
  const auto layout = detail::layout_of_mdspan(span, where);
  std::vector<element> packed(layout.size());
  const array_layout<Span::rank()> dense(layout.shape(), sizeof(element), array_order::c, where);
  detail::copy_on_host(reinterpret_cast<std::byte*>(packed.data()),
                       reinterpret_cast<const std::byte*>(span.data_handle()),
                       detail::merge_copy(dense.axes(), 0, layout.axes(), layout.offset_bytes(), sizeof(element)));
  return to_device_array(packed, layout.shape(), stream, array_order::c, where);
}
template <detail::host_mdspan Span, class Port, detail::memory_origin<Port> From>
[[nodiscard]] auto to_device_array(const Span& span, const stream<Port>& stream, const From& from,
                                   const source_location& where = source_location::current()) {
  return to_device_array(span, detail::stream_with(stream, from, where), where);
}
/// Copies the elements of an array or a view to an mdspan of the host with the same shape. Returns when the copy is
/// done. Memory between the elements keeps its values. Throws: `logic_error` for another shape; `error`;
/// `std::bad_alloc`.
template <detail::array_like Array, detail::host_mdspan Span>
void copy_to_mdspan(const Array& array, const Span& span, const source_location& where = source_location::current()) {
  using element = typename Array::value_type;
  static_assert(std::same_as<typename Span::element_type, element>, "the mdspan has other elements, or const ones");
  static_assert(Span::rank() == Array::rank(), "the mdspan has another number of axes");
  const auto layout = detail::layout_of_mdspan(span, where);
  if (!(layout.shape() == array.shape())) {
    detail::throw_broadcast(array.shape().begin(), Array::rank(), "to the mdspan's", layout.shape().begin(),
                            Array::rank(), detail::differing_axis(array.shape(), layout.shape()), where);
  }
  std::vector<element> packed(layout.size());
  array.copy_to(packed, where);
  const array_layout<Span::rank()> dense(layout.shape(), sizeof(element), array_order::c, where);
  detail::copy_on_host(reinterpret_cast<std::byte*>(span.data_handle()),
                       reinterpret_cast<const std::byte*>(packed.data()),
                       detail::merge_copy(layout.axes(), layout.offset_bytes(), dense.axes(), 0, sizeof(element)));
}

namespace detail {
/// The element type of an array filled with one value: the given type, or that of the value.
template <class Given, class Value>
using full_element = std::conditional_t<std::is_void_v<Given>, Value, Given>;
}  // namespace detail

/// An array whose elements are all `value`, of the type of `value` or `T`. Throws: as `device_array` and `fill`.
/// Example: `auto a = yoke::full(1.5f, {3, 4}, stream); auto b = yoke::full<double>(1, {3, 4}, stream);`
template <class T = void, class Value = T, std::size_t Rank, class Port>
  requires device_element<detail::full_element<T, Value>>
[[nodiscard]] device_array<detail::full_element<T, Value>, Rank, Port> full(
    const Value& value, const shape<Rank>& extents, const stream<Port>& stream, array_order order = array_order::c,
    const source_location& where = source_location::current()) {
  device_array<detail::full_element<T, Value>, Rank, Port> result(stream, extents, order, where);
  result.fill(value, where);
  return result;
}
template <class T = void, class Value = T, std::size_t Rank, class Port>
  requires device_element<detail::full_element<T, Value>>
[[nodiscard]] device_array<detail::full_element<T, Value>, Rank, Port> full(
    const Value& value, const axis_extent (&extents)[Rank], const stream<Port>& stream,
    array_order order = array_order::c, const source_location& where = source_location::current()) {
  return full<T>(value, shape<Rank>::of(extents), stream, order, where);
}
template <class T = void, class Value = T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  requires device_element<detail::full_element<T, Value>>
[[nodiscard]] device_array<detail::full_element<T, Value>, Rank, Port> full(
    const Value& value, const shape<Rank>& extents, const stream<Port>& stream, const From& from,
    array_order order = array_order::c, const source_location& where = source_location::current()) {
  return full<T>(value, extents, detail::stream_with(stream, from, where), order, where);
}
template <class T = void, class Value = T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  requires device_element<detail::full_element<T, Value>>
[[nodiscard]] device_array<detail::full_element<T, Value>, Rank, Port> full(
    const Value& value, const axis_extent (&extents)[Rank], const stream<Port>& stream, const From& from,
    array_order order = array_order::c, const source_location& where = source_location::current()) {
  return full<T>(value, shape<Rank>::of(extents), stream, from, order, where);
}
/// An array whose bytes are all 0. Throws: as `full`.
/// Example: `auto a = yoke::zeros<float>({3, 4}, stream); auto b = yoke::zeros<float>({3, 4}, stream, pool);`
template <device_element T, std::size_t Rank, class Port>
[[nodiscard]] device_array<T, Rank, Port> zeros(const shape<Rank>& extents, const stream<Port>& stream,
                                                array_order order = array_order::c,
                                                const source_location& where = source_location::current()) {
  device_array<T, Rank, Port> result(stream, extents, order, where);
  const auto memory = result.view(where).memory();
  if (!result.empty()) yoke::fill(memory.span(), std::byte{0}, result.stream(where), where);
  return result;
}
template <device_element T, std::size_t Rank, class Port>
[[nodiscard]] device_array<T, Rank, Port> zeros(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                array_order order = array_order::c,
                                                const source_location& where = source_location::current()) {
  return zeros<T>(shape<Rank>::of(extents), stream, order, where);
}
template <device_element T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, Rank, Port> zeros(const shape<Rank>& extents, const stream<Port>& stream,
                                                const From& from, array_order order = array_order::c,
                                                const source_location& where = source_location::current()) {
  return zeros<T>(extents, detail::stream_with(stream, from, where), order, where);
}
template <device_element T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, Rank, Port> zeros(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                const From& from, array_order order = array_order::c,
                                                const source_location& where = source_location::current()) {
  return zeros<T>(shape<Rank>::of(extents), stream, from, order, where);
}
/// An array of ones. Throws: as `full`.
template <device_element T, std::size_t Rank, class Port>
[[nodiscard]] device_array<T, Rank, Port> ones(const shape<Rank>& extents, const stream<Port>& stream,
                                               array_order order = array_order::c,
                                               const source_location& where = source_location::current()) {
  return full(static_cast<T>(1), extents, stream, order, where);
}
template <device_element T, std::size_t Rank, class Port>
[[nodiscard]] device_array<T, Rank, Port> ones(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                               array_order order = array_order::c,
                                               const source_location& where = source_location::current()) {
  return ones<T>(shape<Rank>::of(extents), stream, order, where);
}
template <device_element T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, Rank, Port> ones(const shape<Rank>& extents, const stream<Port>& stream, const From& from,
                                               array_order order = array_order::c,
                                               const source_location& where = source_location::current()) {
  return ones<T>(extents, detail::stream_with(stream, from, where), order, where);
}
template <device_element T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, Rank, Port> ones(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                               const From& from, array_order order = array_order::c,
                                               const source_location& where = source_location::current()) {
  return ones<T>(shape<Rank>::of(extents), stream, from, order, where);
}

/// A matrix of zeros with ones on one diagonal: that on which the column is `k` more than the row. Without `columns` it
/// is square. A diagonal outside of the matrix leaves zeros alone.
/// Throws: `logic_error` for an extent below 0 and for a `k` that `std::ptrdiff_t` cannot hold; as `full`. Source:
/// NumPy's `eye`. Example: `auto a = yoke::eye<float>(3, stream); auto b = yoke::eye<float>(3, 4, 1, stream, pool);`
template <device_element T, integer Rows, integer Columns, integer Diagonal, class Port>
[[nodiscard]] device_array<T, 2, Port> eye(Rows rows, Columns columns, Diagonal k, const stream<Port>& stream,
                                           array_order order = array_order::c,
                                           const source_location& where = source_location::current()) {
  const auto offset = detail::narrow<std::ptrdiff_t>(k, "k", where);
  device_array<T, 2, Port> result = zeros<T>(shape<2>(rows, columns), stream, order, where);
  const auto diagonal = result.diagonal(offset, 0, 1, where);
  if (!diagonal.empty()) diagonal.fill(static_cast<T>(1), where);
  return result;
}
template <device_element T, integer Rows, integer Columns, class Port>
[[nodiscard]] device_array<T, 2, Port> eye(Rows rows, Columns columns, const stream<Port>& stream,
                                           array_order order = array_order::c,
                                           const source_location& where = source_location::current()) {
  return eye<T>(rows, columns, 0, stream, order, where);
}
template <device_element T, integer Rows, class Port>
[[nodiscard]] device_array<T, 2, Port> eye(Rows rows, const stream<Port>& stream, array_order order = array_order::c,
                                           const source_location& where = source_location::current()) {
  return eye<T>(rows, rows, 0, stream, order, where);
}
template <device_element T, integer Rows, integer Columns, integer Diagonal, class Port,
          detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, 2, Port> eye(Rows rows, Columns columns, Diagonal k, const stream<Port>& stream,
                                           const From& from, array_order order = array_order::c,
                                           const source_location& where = source_location::current()) {
  return eye<T>(rows, columns, k, detail::stream_with(stream, from, where), order, where);
}
template <device_element T, integer Rows, integer Columns, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, 2, Port> eye(Rows rows, Columns columns, const stream<Port>& stream, const From& from,
                                           array_order order = array_order::c,
                                           const source_location& where = source_location::current()) {
  return eye<T>(rows, columns, 0, stream, from, order, where);
}
template <device_element T, integer Rows, class Port, detail::memory_origin<Port> From>
[[nodiscard]] device_array<T, 2, Port> eye(Rows rows, const stream<Port>& stream, const From& from,
                                           array_order order = array_order::c,
                                           const source_location& where = source_location::current()) {
  return eye<T>(rows, rows, 0, stream, from, order, where);
}

// These overloads do not compile: the message asks for a stream.
#define YOKE_X_WITHOUT_STREAM(name)                                                                                    \
  template <device_element T, std::size_t Rank>                                                                        \
  auto name(const shape<Rank>&) {                                                                                      \
    return detail::refuse_without_stream<T>();                                                                         \
  }                                                                                                                    \
  template <device_element T, std::size_t Rank>                                                                        \
  auto name(const axis_extent(&)[Rank]) {                                                                              \
    return detail::refuse_without_stream<T>();                                                                         \
  }
YOKE_X_WITHOUT_STREAM(zeros)
YOKE_X_WITHOUT_STREAM(ones)
#undef YOKE_X_WITHOUT_STREAM
// These overloads do not compile: a shape needs braces, also with one axis.
#define YOKE_X_WITHOUT_BRACES(name)                                                                                    \
  template <class T = void, integer Extent, class Port>                                                                \
  auto name(Extent, const stream<Port>&) {                                                                             \
    static_assert(!std::same_as<Extent, Extent>, "a shape has braces: write zeros<float>({3}, stream)");               \
    return 0;                                                                                                          \
  }
YOKE_X_WITHOUT_BRACES(zeros)
YOKE_X_WITHOUT_BRACES(ones)
#undef YOKE_X_WITHOUT_BRACES
template <device_element T, integer... Numbers>
auto eye(Numbers...) {
  return detail::refuse_without_stream<T>();
}
// Extents of a matrix have no braces here, as NumPy's have none.
template <device_element T, std::size_t Rank, class Port>
auto eye(const axis_extent (&)[Rank], const stream<Port>&) {
  static_assert(!std::same_as<T, T>, "rows and columns have no braces: write eye<float>(3, 4, stream)");
  return 0;
}
template <class T = void, class Value = T, std::size_t Rank>
auto full(const Value&, const shape<Rank>&) {
  return detail::refuse_without_stream<Value>();
}
template <class T = void, class Value = T, std::size_t Rank>
auto full(const Value&, const axis_extent (&)[Rank]) {
  return detail::refuse_without_stream<Value>();
}
template <detail::host_range Range>
auto to_device_array(const Range&) {
  return detail::refuse_without_stream<Range>();
}
template <detail::host_range Range, std::size_t Rank>
auto to_device_array(const Range&, const axis_extent (&)[Rank]) {
  return detail::refuse_without_stream<Range>();
}

/// A new array with the shape, order, element type and stream of an array or a view: uninitialised, of zeros, ones, or
/// a value. Its memory comes from the pool or resource of that array, or from `from`.
/// Throws: as `full`, and `logic_error` for an empty array or view.
template <detail::array_like A>
[[nodiscard]] detail::array_of<A> empty_like(const A& like, const source_location& where = source_location::current()) {
  return {like.stream(where), like.shape(), detail::order_of(like), where};
}
template <detail::array_like A, detail::memory_origin<typename A::port_type> From>
[[nodiscard]] detail::array_of<A> empty_like(const A& like, const From& from,
                                             const source_location& where = source_location::current()) {
  return {from, like.shape(), like.stream(where), detail::order_of(like), where};
}
template <detail::array_like A>
[[nodiscard]] detail::array_of<A> zeros_like(const A& like, const source_location& where = source_location::current()) {
  return zeros<typename A::value_type>(like.shape(), like.stream(where), detail::order_of(like), where);
}
template <detail::array_like A, detail::memory_origin<typename A::port_type> From>
[[nodiscard]] detail::array_of<A> zeros_like(const A& like, const From& from,
                                             const source_location& where = source_location::current()) {
  return zeros<typename A::value_type>(like.shape(), like.stream(where), from, detail::order_of(like), where);
}
template <detail::array_like A>
[[nodiscard]] detail::array_of<A> ones_like(const A& like, const source_location& where = source_location::current()) {
  return ones<typename A::value_type>(like.shape(), like.stream(where), detail::order_of(like), where);
}
template <detail::array_like A, detail::memory_origin<typename A::port_type> From>
[[nodiscard]] detail::array_of<A> ones_like(const A& like, const From& from,
                                            const source_location& where = source_location::current()) {
  return ones<typename A::value_type>(like.shape(), like.stream(where), from, detail::order_of(like), where);
}
template <detail::array_like A, class Value = typename A::value_type>
[[nodiscard]] detail::array_of<A> full_like(const A& like, const Value& value,
                                            const source_location& where = source_location::current()) {
  return full<typename A::value_type>(value, like.shape(), like.stream(where), detail::order_of(like), where);
}
template <detail::array_like A, class Value, detail::memory_origin<typename A::port_type> From>
[[nodiscard]] detail::array_of<A> full_like(const A& like, const Value& value, const From& from,
                                            const source_location& where = source_location::current()) {
  return full<typename A::value_type>(value, like.shape(), like.stream(where), from, detail::order_of(like), where);
}

namespace detail {
/// The element type of a sequence: the given type, or the common type of the arguments.
template <class Given, class... Arguments>
struct sequence_element {
  using type = Given;
};
template <class... Arguments>
struct sequence_element<void, Arguments...> : std::common_type<Arguments...> {};
template <class Given, class... Arguments>
using sequence_element_t = typename sequence_element<Given, Arguments...>::type;
/// The element type of equally spaced numbers.
template <class Given, class First, class Last>
using spaced_element_t = std::conditional_t<
    !std::is_void_v<Given>, Given,
    std::conditional_t<number_rank_of<First>() != number_rank::whole, First,
                       std::conditional_t<number_rank_of<Last>() != number_rank::whole, Last, double>>>;
}  // namespace detail

/// The numbers `start`, `start + step`, ... before `stop`, of type `T` or, without it, of the common type of the
/// arguments. Real numbers are calculated as `double` where the device has it, `start + i * step` by a product and a
/// sum, and rounded to `T`: all these devices give the same bits.
/// Throws: `logic_error` for a step of 0, a bound that is NaN or infinite, a first or last number that `T` cannot
/// hold, and too many numbers; as `device_array`.
/// Example: `auto a = yoke::arange(0, 10, 2, stream);`
template <class T = void, class Start, class Stop, class Step, class Port>
[[nodiscard]] auto arange(Start start, Stop stop, Step step, const stream<Port>& stream,
                          const source_location& where = source_location::current())
    -> device_array<detail::sequence_element_t<T, Start, Stop, Step>, 1, Port> {
  using element = detail::sequence_element_t<T, Start, Stop, Step>;
  static_assert(detail::is_sequence<element>, "a sequence is of whole numbers, float or double");
  const auto plan = detail::plan_sequence<element>(start, stop, step, where);
  device_array<element, 1, Port> result(stream, shape<1>(plan.size), array_order::c, where);
  if constexpr (std::is_integral_v<element>) {
    detail::launch_sequence(result.stream(where), result.native_handle(), plan.first, plan.step, result.size(), where);
  } else {
    detail::launch_line(result.stream(where), result.native_handle(), detail::line_from<element>(plan.first, plan.step),
                        result.size(), where);
  }
  return result;
}
/// The numbers 0, 1, ... before `stop`, of the type of `stop` or of `T`. Throws: as above.
/// Example: `auto a = yoke::arange(24, stream); auto b = yoke::arange<float>(1000, stream);`
template <class T = void, class Stop, class Port>
[[nodiscard]] auto arange(Stop stop, const stream<Port>& stream,
                          const source_location& where = source_location::current())
    -> device_array<detail::sequence_element_t<T, Stop>, 1, Port> {
  using element = detail::sequence_element_t<T, Stop>;
  return arange<element>(Stop{0}, stop, Stop{1}, stream, where);
}
/// The same with memory of a pool or a resource. Example: `auto a = yoke::arange(2000, stream, pool);`
template <class T = void, class Start, class Stop, class Step, class Port, detail::memory_origin<Port> From>
[[nodiscard]] auto arange(Start start, Stop stop, Step step, const stream<Port>& stream, const From& from,
                          const source_location& where = source_location::current())
    -> device_array<detail::sequence_element_t<T, Start, Stop, Step>, 1, Port> {
  return arange<T>(start, stop, step, detail::stream_with(stream, from, where), where);
}
template <class T = void, class Stop, class Port, detail::memory_origin<Port> From>
[[nodiscard]] auto arange(Stop stop, const stream<Port>& stream, const From& from,
                          const source_location& where = source_location::current())
    -> device_array<detail::sequence_element_t<T, Stop>, 1, Port> {
  return arange<T>(stop, detail::stream_with(stream, from, where), where);
}
// These overloads do not compile: the message asks for a stream.
template <class T = void, class Start, class... Rest>
  requires(sizeof...(Rest) <= 2 && (std::is_arithmetic_v<Start> && ... && std::is_arithmetic_v<Rest>))
auto arange(Start, Rest...) {
  return detail::refuse_without_stream<Start>();
}
template <class T = void, class First, class Last, integer Count>
auto linspace(First, Last, Count) {
  return detail::refuse_without_stream<First>();
}

/// `count` equally spaced numbers from `first` to `last`; both ends are exact, and a single number is `first`. Their
/// type is `T` or, without it, the real type of `first`, else of `last`, else `double`. They are calculated as those
/// of `arange`, with `step = (last - first) / (count - 1)`.
/// Throws: `logic_error` for a negative count, and ends that the type cannot hold; as `device_array`.
/// Example: `auto a = yoke::linspace(0, 10, 5, stream); auto b = yoke::linspace<float>(0, 1, 11, stream);`
template <class T = void, class First, class Last, integer Count, class Port>
[[nodiscard]] auto linspace(First first, Last last, Count count, const stream<Port>& stream,
                            const source_location& where = source_location::current())
    -> device_array<detail::spaced_element_t<T, First, Last>, 1, Port> {
  using element = detail::spaced_element_t<T, First, Last>;
  static_assert(std::floating_point<element>, "numbers equally far apart are of float or double");
  device_array<element, 1, Port> result(stream, shape<1>(count), array_order::c, where);
  const auto from = detail::given_element<element>(first, "first", where);
  const auto to = detail::given_element<element>(last, "last", where);
  const std::size_t size = result.size();
  detail::launch_line(result.stream(where), result.native_handle(), detail::line_between<element>(from, to, size), size,
                      where);
  return result;
}
template <class T = void, class First, class Last, integer Count, class Port, detail::memory_origin<Port> From>
[[nodiscard]] auto linspace(First first, Last last, Count count, const stream<Port>& stream, const From& from,
                            const source_location& where = source_location::current())
    -> device_array<detail::spaced_element_t<T, First, Last>, 1, Port> {
  return linspace<T>(first, last, count, detail::stream_with(stream, from, where), where);
}

}  // namespace yoke::inline v0_1

#endif
