// SPDX-License-Identifier: MIT
// Device memory behind a native handle: how it is copied, filled and passed to kernels.
#ifndef YOKE_MEMORY_DEVICE_PLACE_HPP
#define YOKE_MEMORY_DEVICE_PLACE_HPP

#include <yoke/execution/stream.hpp>
#include <yoke/memory/memory_access.hpp>

#include <concepts>

namespace yoke::inline v0_1 {

namespace detail {
/// Returns: whether the backend's memory handles are addresses, which show overlaps. Makes no driver call.
template <class Port>
bool memory_is_address(const Port& port) noexcept {
  if constexpr (requires { port.memory_is_address(); }) {
    return port.memory_is_address();
  } else {
    return std::integral<typename Port::memory_handle>;
  }
}
}  // namespace detail

template <class Port>
struct device_place {
  using port = Port;
  using stream_handle = typename Port::stream_handle;
  using done_type = completion<typename Port::event_handle>;

  template <class T>
  struct location {
    typename Port::memory_handle memory{};
    std::size_t first = 0;  ///< the first element
  };
  static constexpr bool on_host = false;
  /// Whether `copy` takes `Other` as the other side.
  template <class Other>
  static constexpr bool copies_with = std::same_as<Other, device_place>;
  /// `copy` also takes sides of two contexts, if the driver copies between them.
  static constexpr bool between_contexts = true;

  /// Returns: the first element's index, from the base that `share_base` sets.
  template <class T>
  [[nodiscard]] static std::size_t first(const location<T>& at) noexcept {
    return at.first;
  }
  /// Effects: sets the base addresses of two pieces of memory. If handles are not addresses, the bases stay 0, and only
  /// equal handles may overlap; OpenCL drivers themselves refuse an overlap through different sub-buffers.
  /// Returns: whether the two may overlap.
  template <class T, class U>
  [[nodiscard]] static bool share_base(const Port& with, const location<T>& from, const location<U>& to,
                                       std::uintptr_t& from_base, std::uintptr_t& to_base) noexcept {
    if (!detail::memory_is_address(with)) return from.memory == to.memory;
    from_base = detail::native_value(from.memory);
    to_base = detail::native_value(to.memory);
    return true;
  }

  /// Effects: enqueues a copy between this place and host memory, or within this place. `with` is the port, or a
  /// graph's recording port. Boxes whose slice pitch is not a multiple of the row pitch are copied slice by slice,
  /// because drivers do not take them.
  template <class Commands, class Source, class Destination>
  static void copy(const Commands& with, stream_handle stream, const Source& source, const Destination& destination,
                   const copy_plan& plan, done_type done, const source_location& where) {
    if (is_one_box(plan, source, destination)) {
      copy_box(with, stream, source, destination, plan, done, where);
      return;
    }
    detail::for_each_slice(plan, done, [&](const copy_plan& slice, done_type each) {
      copy_box(with, stream, source, destination, slice, each, where);
    });
  }

  /// Returns: whether drivers take all slices of the copy in one call.
  template <class Source, class Destination>
  [[nodiscard]] static bool is_one_box(const copy_plan& plan, const Source& source,
                                       const Destination& destination) noexcept {
    return plan.one_row || plan.source.depth == 1 ||
           (has_whole_rows(plan.source, source) && has_whole_rows(plan.destination, destination));
  }

  /// Effects: sets `count` elements, starting at `first`, to `value`.
  template <class Commands, class T>
  static void fill(const Commands& with, stream_handle stream, const location<T>& at, std::size_t first,
                   std::size_t count, const T& value, const source_location& where) {
    with.fill(stream, at.memory, (at.first + first) * sizeof(T), &value, sizeof(T), count, where);
  }

  /// Returns: the argument that a kernel gets.
  template <class T>
  [[nodiscard]] static memory_argument<Port> argument(const location<T>& at) noexcept {
    return {at.memory, at.first * sizeof(T)};
  }

 private:
  template <class Side>
  static bool has_whole_rows(const box_layout& box, const Side& side) noexcept {
    // NVIDIA also requires the last slice, gap included, to lie within the buffer.
    const bool last_is_whole = Side::place::on_host || box.offset + box.depth * box.slice_pitch <= side.size;
    return last_is_whole && box.slice_pitch % box.row_pitch == 0 && box.slice_pitch >= box.row_pitch * box.height;
  }

  template <class Commands, class Source, class Destination>
  static void copy_box(const Commands& with, stream_handle stream, const Source& source, const Destination& destination,
                       const copy_plan& plan, done_type done, const source_location& where) {
    constexpr std::size_t element = sizeof(typename Source::element);
    constexpr bool writes = Source::place::on_host;
    constexpr bool reads = Destination::place::on_host;
    const box_size box{plan.source.width * element, plan.source.height, plan.source.depth};
    if constexpr (writes) {
      const box_side from = detail::bytes_of(plan.source, 0, element);
      const box_side to = detail::bytes_of(plan.destination, destination.at.first, element);
      if (!plan.one_row) return with.write_box(stream, destination.at.memory, to, source.at, from, box, done, where);
      with.write(stream, destination.at.memory, to.offset, reinterpret_cast<const std::byte*>(source.at) + from.offset,
                 detail::volume(plan.source) * element, done, where);
    } else if constexpr (reads) {
      const box_side from = detail::bytes_of(plan.source, source.at.first, element);
      const box_side to = detail::bytes_of(plan.destination, 0, element);
      if (!plan.one_row) return with.read_box(stream, source.at.memory, from, destination.at, to, box, done, where);
      with.read(stream, source.at.memory, from.offset, reinterpret_cast<std::byte*>(destination.at) + to.offset,
                detail::volume(plan.source) * element, done, where);
    } else {
      const box_side from = detail::bytes_of(plan.source, source.at.first, element);
      const box_side to = detail::bytes_of(plan.destination, destination.at.first, element);
      if (!(source.context == destination.context)) [[unlikely]] {
        const box_size bytes = plan.one_row ? box_size{detail::volume(plan.source) * element} : box;
        return port_traits<Port>::copy_between(with, stream, source.at.memory, source.context, from,
                                               destination.at.memory, destination.context, to, bytes, done, where);
      }
      if (!plan.one_row)
        return with.copy_box(stream, source.at.memory, from, destination.at.memory, to, box, done, where);
      with.copy(stream, source.at.memory, from.offset, destination.at.memory, to.offset,
                detail::volume(plan.source) * element, done, where);
    }
  }
};

}  // namespace yoke::inline v0_1

#endif
