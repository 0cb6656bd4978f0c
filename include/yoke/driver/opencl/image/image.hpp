// SPDX-License-Identifier: MIT
// The OpenCL port's images: made, checked and described.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_IMAGE_HPP
#define YOKE_DRIVER_OPENCL_IMAGE_IMAGE_HPP

#include <yoke/driver/image_types.hpp>
#include <yoke/driver/opencl/facet.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl {

namespace abi {
/// Returns: the names of a format without their `CL_`: "RGBA, UNORM_INT8"; for an unknown enumerator its number.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string to_string(const image_format& of);
}  // namespace abi

/// A driver's facts about an image. Counts along axes that the image does not have are 0.
struct image_description {
  abi::image_format format{};
  std::size_t element_bytes = 0;
  std::size_t row_pitch_bytes = 0;
  std::size_t slice_pitch_bytes = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t depth = 0;
  std::size_t layers = 0;
  std::uint32_t mip_levels = 0;
  std::uint32_t samples = 0;
  abi::memory buffer = nullptr;  ///< the buffer whose memory the image shares
};
/// The texels of the host that a new image copies, or lies over. Pitches of 0: without gaps. Units: bytes.
struct image_host {
  void* texels = nullptr;
  std::size_t bytes = 0;
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
};
/// A part of `port`. An image handle is the native image.
class image_functions : public facet<image_functions> {
 public:
  using image_handle = abi::memory;
  using native_image = abi::memory;

  /// Throws: `unsupported_error` when a device has no images or the context does not support the format; `logic_error`
  /// for a shape beyond a device's limit, with the limit; `memory_error`.
  YOKE_API abi::memory create_image(abi::context context, image_format format, const image_shape& shape,
                                    kernel_access kernels, const source_location& where) const;
  /// As `create_image`, with `CL_MEM_...` flags, and with texels of the host unless those are null.
  /// Throws: also `logic_error` for pitches below the rows, or without the host's texels, and for too few of these.
  YOKE_API abi::memory create_image_with(abi::context context, abi::ulong flags, image_format format,
                                         const image_shape& shape, const image_host& host,
                                         const source_location& where) const;
  /// As `create_image`, over a buffer's memory: a 1D image, or a 2D image whose rows are `row_pitch` bytes apart.
  YOKE_API abi::memory create_image_of(abi::context context, abi::memory buffer, image_format format,
                                       const image_shape& shape, std::size_t row_pitch,
                                       const source_location& where) const;
  /// Throws: `logic_error` unless the native image is of this context, kind, format and shape.
  YOKE_API abi::memory adopt_image(abi::context context, abi::memory native, image_format format,
                                   const image_shape& shape, bool owned, const source_location& where) const;
  YOKE_API release_result release_image(abi::context context, abi::memory image) const noexcept;
  /// Returns: the access that kernels have, by the flags of the image's memory.
  YOKE_API kernel_access access_to_image(abi::memory image, const source_location& where) const;
  [[nodiscard]] abi::memory native_of_image(abi::memory image) const noexcept { return image; }
  [[nodiscard]] kernel_argument image_argument(abi::memory) const noexcept {
    return {argument_kind::memory, nullptr, sizeof(abi::memory)};
  }
  /// Returns: the formats that every device of the context has for images of this kind.
  YOKE_API std::vector<abi::image_format> supported_formats(abi::context context, abi::ulong flags, abi::uint type,
                                                            const source_location& where) const;

  YOKE_API image_description describe_image(abi::memory image, const source_location& where) const;
  /// Throws: `unsupported_error` when a device of the context has no 2D images over buffers; `logic_error` for a pitch
  /// or a size that it does not take, with the value and the limit.
  YOKE_API void check_image_of(abi::context context, const image_shape& shape, std::size_t texel_bytes,
                               std::size_t row_pitch, std::size_t buffer_bytes, const source_location& where) const;
};

namespace detail {
/// Returns: the driver's enumerators for a format and for a kind of image.
[[nodiscard]] YOKE_API abi::image_format native_format(image_format of) noexcept;
[[nodiscard]] YOKE_API abi::uint native_image_type(image_kind of) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1::opencl

template <>
struct std::hash<yoke::opencl::abi::image_format> {
  std::size_t operator()(const yoke::opencl::abi::image_format& of) const noexcept {
    return std::hash<std::uint64_t>{}(std::uint64_t{of.channel_order} << 32 | of.channel_data_type);
  }
};

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/image/image.ipp>
#endif

#endif
