// SPDX-License-Identifier: MIT
// The CUDA port's images: arrays, with the texture and surface objects by which kernels reach them.
#ifndef YOKE_DRIVER_CUDA_IMAGE_IMAGE_HPP
#define YOKE_DRIVER_CUDA_IMAGE_IMAGE_HPP

#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/image_types.hpp>

namespace yoke::inline v0_1::cuda {

struct image_array;

namespace detail {
/// Returns: the driver's enumerators for a channel type, an address mode and a filter mode.
[[nodiscard]] YOKE_API abi::array_format native_format(channel_type type) noexcept;
[[nodiscard]] constexpr abi::address_mode native_address(address_mode of) noexcept {
  constexpr abi::address_mode all[] = {abi::address_mode::clamp, abi::address_mode::border, abi::address_mode::wrap,
                                       abi::address_mode::mirror};
  return all[static_cast<std::size_t>(of)];
}
[[nodiscard]] constexpr abi::filter_mode native_filter(filter_mode of) noexcept {
  return of == filter_mode::linear ? abi::filter_mode::linear : abi::filter_mode::point;
}
/// Returns: the resource descriptor of an array.
[[nodiscard]] inline abi::resource_descriptor resource_of(abi::array of) noexcept {
  abi::resource_descriptor resource{};
  resource.type = abi::resource_type::array;
  resource.of_array.handle = of;
  return resource;
}
}  // namespace detail

/// A sampler on CUDA: its number in the dialect.
struct sampler_number {
  std::uint32_t code = 0;
  [[nodiscard]] friend constexpr bool operator==(sampler_number, sampler_number) noexcept = default;
};

/// A part of `port`. An image handle is the port's record of an array; the record begins with the kernel's parameter.
class image_functions : public facet<image_functions> {
 public:
  using image_handle = image_array*;
  using native_image = abi::array;
  using sampler_handle = sampler_number;

  /// Throws: `unsupported_error` for a format that CUDA lacks; `logic_error` for a shape beyond the device's limit,
  /// with the limit; `memory_error`.
  YOKE_API image_array* create_image(abi::context context, image_format format, const image_shape& shape,
                                     kernel_access kernels, const source_location& where) const;
  /// Throws: `logic_error` unless the array has this kind, format and shape.
  YOKE_API image_array* adopt_image(abi::context context, abi::array native, image_format format,
                                    const image_shape& shape, bool owned, const source_location& where) const;
  YOKE_API release_result release_image(abi::context context, image_array* image) const noexcept;
  YOKE_API release_result detach_image(abi::context context, image_array* image) const noexcept;
  YOKE_API abi::array native_of_image(image_array* image) const noexcept;
  YOKE_API kernel_argument image_argument(image_array* image) const noexcept;
  /// Returns: the access that kernels have; read-only for an adopted array made without `CUDA_ARRAY3D_SURFACE_LDST`.
  YOKE_API kernel_access access_to_image(image_array* image, const source_location& where) const noexcept;

  YOKE_API void write_image(abi::stream stream, image_array* destination, const image_box& to, const void* source,
                            const box_side& from, completion<abi::event> done, const source_location& where) const;
  YOKE_API void read_image(abi::stream stream, image_array* source, const image_box& from, void* destination,
                           const box_side& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy_image(abi::stream stream, image_array* source, const image_box& from, image_array* destination,
                           const image_box& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy_to_image(abi::stream stream, abi::device_pointer source, const box_side& from,
                              image_array* destination, const image_box& to, completion<abi::event> done,
                              const source_location& where) const;
  YOKE_API void copy_from_image(abi::stream stream, image_array* source, const image_box& from,
                                abi::device_pointer destination, const box_side& to, completion<abi::event> done,
                                const source_location& where) const;
  /// Fills a row of device memory in the stream's order and copies it to each row, because no driver call fills arrays.
  YOKE_API void fill_image(abi::context context, abi::stream stream, image_array* image, const image_box& box,
                           image_format format, const void* texel, const source_location& where) const;

  [[nodiscard]] sampler_number create_sampler(abi::context, const yoke::sampler& fields,
                                              const source_location&) const noexcept {
    return {yoke::detail::sampler_code(fields)};
  }
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/image/image.ipp>
#endif

#endif
