// SPDX-License-Identifier: MIT
// The plain values that ports and handles exchange for images: formats, shapes, boxes, samplers.
#ifndef YOKE_DRIVER_IMAGE_TYPES_HPP
#define YOKE_DRIVER_IMAGE_TYPES_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/types.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace yoke::inline v0_1 {

/// The storage type of a texel's channels. Kernels read and write the types from `half_float` on as `float`, the others
/// as `int` or `unsigned`.
enum class channel_type : std::uint8_t {
  signed8,
  signed16,
  signed32,
  unsigned8,
  unsigned16,
  unsigned32,
  half_float,  ///< 16 bits of floating point
  float32,     ///< `float`
  snorm8,      ///< -127 to 127 stand for -1 to 1
  snorm16,
  unorm8,  ///< 0 to 255 stand for 0 to 1
  unorm16,
  srgb8,    ///< `unorm8` of sRGB colours, converted to linear when read; the fourth channel is linear
  depth16,  ///< a depth as `unorm16`; OpenCL only, like `depth32`
  depth32,  ///< a depth as `float`
};

/// The format of an image: 1, 2 or 4 channels of a type.
struct image_format {
  channel_type type = channel_type::float32;
  std::uint8_t channels = 1;
  [[nodiscard]] friend constexpr auto operator<=>(image_format, image_format) noexcept = default;
};

/// Returns: the name of a format: "unorm8 x 4", "float32". Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string to_string(image_format of);

/// The kind of an image: its dimensions, and whether it has layers.
enum class image_kind : std::uint8_t { d1, d2, d3, d1_layered, d2_layered };

/// The size of an image along each axis; 1 along an axis that it does not have.
struct image_shape {
  image_kind kind = image_kind::d2;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t layers = 1;
  [[nodiscard]] friend constexpr bool operator==(const image_shape&, const image_shape&) noexcept = default;
};

/// The options of an image: `{.kernels = yoke::kernel_access::read_only}`. Copies and fills write any image.
struct image_options {
  kernel_access kernels =
      kernel_access::read_write;  ///< launches refuse other access; drivers may read such images faster
};

/// A box of an image's texels. The layers of a layered image are the axis after its last one. Units: texels.
struct image_box {
  image_kind kind = image_kind::d2;
  std::size_t texel_bytes = 4;
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t z = 0;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
};

/// How a kernel accesses an image parameter; also marks samplers, and parameters that are neither.
enum class image_access : std::uint8_t { neither, read, write, read_write, sampler };

/// Where a sampler reads for coordinates outside the image.
enum class address_mode : std::uint8_t {
  clamp_to_edge,    ///< the nearest texel of the image
  border,           ///< zeros
  repeat,           ///< the image repeated; only with `normalised`
  mirrored_repeat,  ///< the image repeated, every second copy mirrored; only with `normalised`
};
/// How a sampler reads between texels. The centre of the first texel is at 0.5.
enum class filter_mode : std::uint8_t {
  nearest,  ///< the texel around the coordinate
  linear,   ///< weighted means of the 2, 4 or 8 nearest, with weights in steps of 1/256
};

/// How kernels read an image: a launch argument. Thread safety: a value.
/// Example: `yoke::sampler{.address = yoke::address_mode::repeat,
///                          .filter = yoke::filter_mode::linear, .normalised = true}`
struct sampler {
  address_mode address = address_mode::clamp_to_edge;
  filter_mode filter = filter_mode::nearest;
  bool normalised = false;  ///< coordinates go from 0 to 1 along each axis, not from 0 to the number of texels
  [[nodiscard]] friend constexpr auto operator<=>(const sampler&, const sampler&) noexcept = default;
};

namespace detail {

/// The sampler's number in the dialect: one bit for normalised coordinates, two for the address, one for the filter.
[[nodiscard]] constexpr unsigned sampler_code(const sampler& of) noexcept {
  return (of.normalised ? 1u : 0u) | static_cast<unsigned>(of.address) << 1 | static_cast<unsigned>(of.filter) << 3;
}
inline constexpr unsigned sampler_codes = 16;
[[nodiscard]] constexpr sampler sampler_of_code(unsigned code) noexcept {
  return {static_cast<address_mode>(code >> 1 & 3), static_cast<filter_mode>(code >> 3 & 1), (code & 1) != 0};
}
/// Whether the combination is valid: some address modes need normalised coordinates.
[[nodiscard]] constexpr bool is_possible(const sampler& of) noexcept {
  return of.normalised || of.address == address_mode::clamp_to_edge || of.address == address_mode::border;
}

[[nodiscard]] constexpr std::size_t channel_bytes(channel_type type) noexcept {
  switch (type) {
    case channel_type::signed8:
    case channel_type::unsigned8:
    case channel_type::snorm8:
    case channel_type::unorm8:
    case channel_type::srgb8: return 1;
    case channel_type::signed16:
    case channel_type::unsigned16:
    case channel_type::half_float:
    case channel_type::snorm16:
    case channel_type::unorm16:
    case channel_type::depth16: return 2;
    case channel_type::signed32:
    case channel_type::unsigned32:
    case channel_type::float32:
    case channel_type::depth32: break;
  }
  return 4;
}
[[nodiscard]] constexpr std::size_t texel_bytes(image_format of) noexcept {
  return channel_bytes(of.type) * of.channels;
}
/// Whether kernels read the channels as `float`.
[[nodiscard]] constexpr bool is_read_as_float(channel_type type) noexcept { return type >= channel_type::half_float; }
[[nodiscard]] constexpr bool is_depth(channel_type type) noexcept { return type >= channel_type::depth16; }
[[nodiscard]] constexpr bool is_layered(image_kind kind) noexcept { return kind >= image_kind::d1_layered; }

/// Returns: "2D", "2D layered".
[[nodiscard]] YOKE_API const char* kind_text(image_kind of) noexcept;
/// Returns: "640 x 480", "640 x 480, 3 layers".
[[nodiscard]] YOKE_API std::string shape_text(const image_shape& of);
/// Returns: "a 2D image of 640 x 480 of unorm8 x 4, 1228800 bytes".
[[nodiscard]] inline std::string image_text(const image_shape& of, image_format format) {
  const std::size_t bytes = of.width * of.height * of.depth * of.layers * texel_bytes(format);
  return std::string("a ") + kind_text(of.kind) + " image of " + shape_text(of) + " of " + to_string(format) + ", " +
         std::to_string(bytes) + " bytes";
}
/// Throws: `logic_error`, with the sampler's fields, for a sampler that no backend has.
YOKE_API void check_sampler(const sampler& of, const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1

template <>
struct std::hash<yoke::image_format> {
  std::size_t operator()(yoke::image_format of) const noexcept {
    return std::hash<unsigned>{}(static_cast<unsigned>(of.type) << 8 | of.channels);
  }
};
template <>
struct std::hash<yoke::sampler> {
  std::size_t operator()(const yoke::sampler& of) const noexcept {
    return std::hash<unsigned>{}(yoke::detail::sampler_code(of));
  }
};

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/image_types.ipp>
#endif

#endif
