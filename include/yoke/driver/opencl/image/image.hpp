// SPDX-License-Identifier: MIT
// The OpenCL port's images and samplers.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_IMAGE_HPP
#define YOKE_DRIVER_OPENCL_IMAGE_IMAGE_HPP

#include <yoke/driver/image_types.hpp>
#include <yoke/driver/opencl/facet.hpp>

#include <vector>

namespace yoke::inline v0_1::opencl {

/// What a driver says about an image. Counts along axes that the image does not have are 0.
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
  abi::memory buffer = nullptr;  ///< whose memory it shares
};
/// What a driver says about a sampler, in its own enumerators.
struct sampler_description {
  std::uint32_t references = 0;
  abi::context context = nullptr;
  bool normalised = false;
  std::uint32_t address = 0;
  std::uint32_t filter = 0;
  std::vector<std::uint64_t>
      properties{};  ///< what it was made with, 0 at the end; none by fields or before OpenCL 3.0
};

/// A part of `port`. An image handle is the native image.
class image_functions : public facet<image_functions> {
 public:
  using image_handle = abi::memory;
  using native_image = abi::memory;
  using sampler_handle = abi::sampler;

  /// Throws: `unsupported_error` when a device has no images or the context not this format; `logic_error` for a shape
  /// beyond a device's limit, with the limit; `memory_error`.
  YOKE_API abi::memory create_image(abi::context context, image_format format, const image_shape& shape,
                                    const source_location& where) const;
  /// The same over a buffer's memory: a 1D image, or a 2D image whose rows are `row_pitch` bytes apart.
  YOKE_API abi::memory create_image_of(abi::context context, abi::memory buffer, image_format format,
                                       const image_shape& shape, std::size_t row_pitch,
                                       const source_location& where) const;
  /// Throws: `logic_error` unless the native image is of this context, kind, format and shape.
  YOKE_API abi::memory adopt_image(abi::context context, abi::memory native, image_format format,
                                   const image_shape& shape, bool owned, const source_location& where) const;
  YOKE_API release_result release_image(abi::context context, abi::memory image) const noexcept;
  [[nodiscard]] abi::memory native_of_image(abi::memory image) const noexcept { return image; }
  [[nodiscard]] kernel_argument image_argument(abi::memory) const noexcept {
    return {argument_kind::memory, nullptr, sizeof(abi::memory)};
  }
  /// Returns: the formats that every device of the context has for images of this kind.
  YOKE_API std::vector<abi::image_format> supported_formats(abi::context context, abi::ulong flags, abi::uint type,
                                                            const source_location& where) const;

  YOKE_API void write_image(abi::queue stream, abi::memory destination, const image_box& to, const void* source,
                            const box_side& from, completion<abi::event> done, const source_location& where) const;
  YOKE_API void read_image(abi::queue stream, abi::memory source, const image_box& from, void* destination,
                           const box_side& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy_image(abi::queue stream, abi::memory source, const image_box& from, abi::memory destination,
                           const image_box& to, completion<abi::event> done, const source_location& where) const;
  /// Copies rows one by one if there are gaps between them in the buffer, for which the driver has no parameter.
  YOKE_API void copy_to_image(abi::queue stream, abi::memory source, const box_side& from, abi::memory destination,
                              const image_box& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy_from_image(abi::queue stream, abi::memory source, const image_box& from, abi::memory destination,
                                const box_side& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void fill_image(abi::context context, abi::queue stream, abi::memory image, const image_box& box,
                           image_format format, const void* texel, const source_location& where) const;

  YOKE_API abi::sampler create_sampler(abi::context context, const yoke::sampler& fields,
                                       const source_location& where) const;
  YOKE_API release_result release_sampler(abi::sampler made) const noexcept;
  /// Throws: `unsupported_error` before OpenCL 2.0; `error`. `properties` ends in 0.
  YOKE_API abi::sampler create_sampler_with(abi::context context, std::span<const std::uint64_t> properties,
                                            const source_location& where) const;
  YOKE_API void retain_sampler(abi::sampler made, const source_location& where) const;
  YOKE_API sampler_description describe_sampler(abi::sampler made, const source_location& where) const;
  YOKE_API image_description describe_image(abi::memory image, const source_location& where) const;
  /// Throws: `unsupported_error` when a device of the context has no 2D images over buffers; `logic_error` for a pitch or a
  /// size that it does not take, with the value and the limit.
  YOKE_API void check_image_of(abi::context context, const image_shape& shape, std::size_t texel_bytes,
                               std::size_t row_pitch, std::size_t buffer_bytes, const source_location& where) const;
  YOKE_API void* map_image(abi::queue stream, abi::memory image, const image_box& box, map_mode mode,
                           std::size_t& row_pitch, std::size_t& slice_pitch, const source_location& where) const;
  /// Moves an image to the stream's device, or to the host, ahead of its use.
  YOKE_API void migrate_image(abi::queue stream, abi::memory image, bool to_host, const source_location& where) const;
};

namespace detail {
/// Returns: the driver's words for a format and a kind of image.
[[nodiscard]] YOKE_API abi::image_format native_format(image_format of) noexcept;
[[nodiscard]] YOKE_API abi::uint native_image_type(image_kind of) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1::opencl

#endif
