// SPDX-License-Identifier: MIT
// Makes arrays on the device like arrays of the host, and arrays of the host like those on the device.
#ifndef YOKE_ARRAY_STORAGE_MAKE_HOST_ARRAY_HPP
#define YOKE_ARRAY_STORAGE_MAKE_HOST_ARRAY_HPP

#include <yoke/array/storage/host_array.hpp>
#include <yoke/array/storage/make_array.hpp>

namespace yoke::inline v0_1 {

namespace detail {
template <class T, std::size_t Rank>
[[nodiscard]] array_order order_of(const host_view<T, Rank>& of) noexcept {
  return of.is_f_contiguous() && !of.is_c_contiguous() ? array_order::f : array_order::c;
}
}  // namespace detail

/// A new array on the device with the shape and order of a view of the host, uninitialised.
/// Throws: as `device_array`. Example: `auto d = yoke::empty_like(table, stream);`
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<std::remove_const_t<T>, Rank, Port> empty_like(
    const host_view<T, Rank>& like, const stream<Port>& stream,
    const source_location& where = source_location::current()) {
  return {stream, like.shape(), detail::order_of(like), where};
}
template <class Memory, std::size_t Rank, class Port>
[[nodiscard]] auto empty_like(const host_array<Memory, Rank>& like, const stream<Port>& stream,
                              const source_location& where = source_location::current()) {
  return empty_like(like.view(), stream, where);
}

/// Copies the elements of a view of the host, of any strides, to a new array of the same shape: in F order if they lie
/// so, else in C order. Returns: the array, when the elements may be changed. Throws: as `device_array` and `assign`.
/// Example: `auto d = yoke::to_device_array(table.transpose(), stream);`
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<std::remove_const_t<T>, Rank, Port> to_device_array(
    const host_view<T, Rank>& elements, const stream<Port>& stream,
    const source_location& where = source_location::current()) {
  auto result = empty_like(elements, stream, where);
  result.assign(elements, where);
  return result;
}
template <class Memory, std::size_t Rank, class Port>
[[nodiscard]] auto to_device_array(const host_array<Memory, Rank>& elements, const stream<Port>& stream,
                                   const source_location& where = source_location::current()) {
  return to_device_array(elements.view(), stream, where);
}

/// Page-locked memory of the host with the shape, order and element type of an array or a view on the device, in its
/// context, uninitialised. Throws: `logic_error` for an empty array; as `pagelocked_array`.
/// Example: `auto h = yoke::pagelocked_like(d); yoke::copy_async(d, h, stream).wait();`
template <detail::array_like A>
[[nodiscard]] host_array<pagelocked_array<typename A::value_type, typename A::port_type>, A::rank()> pagelocked_like(
    const A& like, const source_location& where = source_location::current()) {
  return {like.stream(where).context_of(), like.shape(), detail::order_of(like), where};
}
/// An array in page-locked memory that the device reaches, with the shape, order, element type and stream of another,
/// uninitialised: `host()` gives its elements in place. CUDA only.
/// Throws: `logic_error` for an empty array; as `pagelocked_array` and `device_array`.
/// Example: `auto m = yoke::mapped_like(d); m.assign(d); float first = m.host()(0, 0);`
template <detail::array_like A>
  requires pagelocked_options_port<typename A::port_type>
[[nodiscard]] detail::array_of<A> mapped_like(const A& like,
                                              const source_location& where = source_location::current()) {
  using port = typename A::port_type;
  return {pagelocked_array<typename A::value_type, port>(like.stream(where).context_of(), like.layout().size(),
                                                         typename port::pagelocked_options{.mapped = true}, where),
          like.shape(), like.stream(where), detail::order_of(like), where};
}

}  // namespace yoke::inline v0_1

#endif
