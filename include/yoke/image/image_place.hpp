// SPDX-License-Identifier: MIT
// Images as sides of copies and fills: boxes of texels, and the port calls that copy and fill them.
#ifndef YOKE_IMAGE_IMAGE_PLACE_HPP
#define YOKE_IMAGE_IMAGE_PLACE_HPP

#include <yoke/driver/operations.hpp>
#include <yoke/memory/device_place.hpp>

#include <concepts>
#include <cstddef>

namespace yoke::inline v0_1 {

namespace detail {

/// The extents of an image for copies; layers are the axis after its last one.
struct image_extents {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
};
[[nodiscard]] constexpr image_extents extents_of(const image_shape& of) noexcept {
  switch (of.kind) {
    case image_kind::d1: return {of.width, 1, 1};
    case image_kind::d2: return {of.width, of.height, 1};
    case image_kind::d3: return {of.width, of.height, of.depth};
    case image_kind::d1_layered: return {of.width, of.layers, 1};
    case image_kind::d2_layered: break;
  }
  return {of.width, of.height, of.layers};
}
[[nodiscard]] constexpr std::size_t texel_count(const image_shape& of) noexcept {
  const image_extents all = extents_of(of);
  return all.width * all.height * all.depth;
}
/// Returns: the box of all texels of an image.
[[nodiscard]] constexpr box_layout whole_box(const image_shape& of) noexcept {
  const image_extents all = extents_of(of);
  return {all.width, all.height, all.depth, all.width, all.width * all.height, 0};
}

/// Returns: the box of an image's region. Throws: `logic_error` with the axis and its limit when it exceeds the image.
YOKE_API box_layout region_box(const image_shape& image, const std::size_t (&origin)[3], const extent3& extent,
                               const source_location& where);
/// Returns: the box in the image's coordinates. Throws: `logic_error` for pitches other than the image's own.
YOKE_API image_box box_of_image(const image_shape& image, std::size_t texel_bytes, const box_layout& box,
                                const source_location& where);

}  // namespace detail

/// The place of images. They copy to and from host memory, device memory and other images.
template <class Port>
struct image_place {
  using port = Port;
  using stream_handle = typename Port::stream_handle;
  using done_type = completion<typename Port::event_handle>;

  template <class T>
  struct location {
    typename Port::image_handle image{};
    image_shape shape{};
    image_format format{};
  };
  static constexpr bool on_host = false;
  static constexpr bool is_opaque = true;    // texels have no addresses
  static constexpr bool is_recorded = true;  // graphs record its copies
  template <class Other>
  static constexpr bool copies_with = std::same_as<Other, image_place> || std::same_as<Other, device_place<Port>>;

  template <class T>
  [[nodiscard]] static std::size_t first(const location<T>&) noexcept {
    return 0;
  }
  template <class T, class U>
  [[nodiscard]] static bool share_base(const Port&, const location<T>& from, const location<U>& to, std::uintptr_t&,
                                       std::uintptr_t&) noexcept {
    return from.image == to.image;
  }

  /// Effects: enqueues a copy. `with` is the port, or a graph's recording port. Boxes whose slice pitch is not a
  /// multiple of the row pitch are copied slice by slice, because drivers do not take them.
  template <class Commands, class Source, class Destination>
  static void copy(const Commands& with, stream_handle stream, const Source& source, const Destination& destination,
                   const copy_plan& plan, done_type done, const source_location& where) {
    const auto has_whole_rows = [](const box_layout& box, bool is_image) {
      return is_image || box.slice_pitch % box.row_pitch == 0;
    };
    if (plan.source.depth == 1 ||
        (has_whole_rows(plan.source, is_image<Source>) && has_whole_rows(plan.destination, is_image<Destination>))) {
      return copy_box(with, stream, source, destination, plan, done, where);
    }
    detail::for_each_slice(plan, done, [&](const copy_plan& slice, done_type each) {
      copy_box(with, stream, source, destination, slice, each, where);
    });
  }

  /// Effects: sets all texels of a box to `value`.
  template <class T>
  static void fill_box(const stream<Port>& on, const location<T>& at, const box_layout& box, const T& value,
                       const source_location& where) {
    const auto& in = on.context_of().state(where);
    in.port.fill_image(in.native, on.native_handle(), at.image, detail::box_of_image(at.shape, sizeof(T), box, where),
                       at.format, &value, where);
  }

 private:
  template <class Side>
  static constexpr bool is_image = std::same_as<typename Side::place, image_place>;

  template <class Commands, class Source, class Destination>
  static void copy_box(const Commands& with, stream_handle stream, const Source& source, const Destination& destination,
                       const copy_plan& plan, done_type done, const source_location& where) {
    constexpr std::size_t bytes = sizeof(typename Source::element);
    using from_place = typename Source::place;
    using to_place = typename Destination::place;
    if constexpr (is_image<Destination>) {
      const image_box to = detail::box_of_image(destination.at.shape, bytes, plan.destination, where);
      if constexpr (is_image<Source>) {
        const image_box from = detail::box_of_image(source.at.shape, bytes, plan.source, where);
        with.copy_image(stream, source.at.image, from, destination.at.image, to, done, where);
      } else if constexpr (from_place::on_host) {
        with.write_image(stream, destination.at.image, to, source.at, detail::bytes_of(plan.source, 0, bytes), done,
                         where);
      } else {
        with.copy_to_image(stream, source.at.memory, detail::bytes_of(plan.source, source.at.first, bytes),
                           destination.at.image, to, done, where);
      }
    } else {
      const image_box from = detail::box_of_image(source.at.shape, bytes, plan.source, where);
      if constexpr (to_place::on_host) {
        with.read_image(stream, source.at.image, from, destination.at, detail::bytes_of(plan.destination, 0, bytes),
                        done, where);
      } else {
        with.copy_from_image(stream, source.at.image, from, destination.at.memory,
                             detail::bytes_of(plan.destination, destination.at.first, bytes), done, where);
      }
    }
  }
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/image/image_place.ipp>
#endif

#endif
