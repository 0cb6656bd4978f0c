// SPDX-License-Identifier: MIT
// The CUDA port's arrays of every shape, mipmapped arrays, texture and surface objects.
#ifndef YOKE_DRIVER_CUDA_IMAGE_TEXTURE_HPP
#define YOKE_DRIVER_CUDA_IMAGE_TEXTURE_HPP

#include <yoke/driver/cuda/image/image.hpp>

#include <optional>

namespace yoke::inline v0_1::cuda {

/// The size of an array, and its abilities. Units: texels.
struct array_shape {
  std::size_t width = 0;
  std::size_t height = 0;  ///< 0: one dimension
  std::size_t depth = 0;   ///< 0: one or two dimensions
  std::size_t layers = 0;  ///< 0: no layers; for a cubemap the number of cubes
  bool cubemap = false;    ///< six square faces
  bool surface = false;    ///< surface objects reach it (`CUDA_ARRAY3D_SURFACE_LDST`)
  bool gather = false;     ///< `tex2Dgather` reads it (`CUDA_ARRAY3D_TEXTURE_GATHER`)
  [[nodiscard]] friend constexpr bool operator==(const array_shape&, const array_shape&) noexcept = default;
};

/// The part of an array's levels and layers that a texture sees, and the format in which it sees the texels. In
/// kernels, levels and layers count from the first one of the view.
struct texture_view {
  std::optional<image_format> format{};  ///< must have as many bytes as the array's; none: the array's own
  unsigned first_level = 0;              ///< for mipmapped arrays
  unsigned last_level = 0;
  unsigned first_layer = 0;  ///< a layer, or a face of cubes
  unsigned last_layer = 0;
};

/// A part of `port`.
class texture_functions : public facet<texture_functions> {
 public:
  /// Throws: `logic_error` for counts that no device has, with the limit; `error`.
  YOKE_API image_array* create_array(abi::context context, image_format format, const array_shape& shape,
                                     const source_location& where) const;
  /// Effects: sets `shape` to the array's. Returns: a record of the array, which releases it if `owned`.
  YOKE_API image_array* adopt_array(abi::context context, abi::array native, image_format format, bool owned,
                                    array_shape& shape, const source_location& where) const;
  YOKE_API abi::array_descriptor array_descriptor_of(abi::array native, const source_location& where) const;
  /// Throws: `logic_error` for more levels than possible; as `create_array`.
  YOKE_API abi::mipmapped_array create_mipmapped(abi::context context, image_format format, const array_shape& shape,
                                                 unsigned levels, const source_location& where) const;
  YOKE_API abi::array mipmap_level(abi::mipmapped_array of, unsigned level, const source_location& where) const;
  YOKE_API release_result release_mipmapped(abi::context context, abi::mipmapped_array of) const noexcept;
  /// `levels` is for mipmapped arrays. `view` may be null.
  /// Throws: `logic_error` for a texture that no device has, with the value and the limit; `error`.
  YOKE_API abi::texture_object create_texture(abi::context context, const abi::resource_descriptor& resource,
                                              const abi::texture_descriptor& texture, image_format format,
                                              unsigned levels, const texture_view* view,
                                              const source_location& where) const;
  /// Effects: moves the start of linear memory down to the nearest address at which textures begin; leaves other
  /// resources as they are. Returns: the texels by which it moved.
  /// Throws: `logic_error` for a distance that is not a whole number of texels; `error`.
  YOKE_API std::size_t align_texture(abi::context context, abi::resource_descriptor& resource, image_format format,
                                     const source_location& where) const;
  YOKE_API release_result release_texture(abi::context context, abi::texture_object texture) const noexcept;
  YOKE_API abi::resource_descriptor texture_resource(abi::context context, abi::texture_object texture,
                                                     const source_location& where) const;
  YOKE_API abi::texture_descriptor texture_descriptor_of(abi::context context, abi::texture_object texture,
                                                         const source_location& where) const;
  YOKE_API abi::resource_view_descriptor texture_view_of(abi::context context, abi::texture_object texture,
                                                         const source_location& where) const;
  /// Throws: `logic_error` for an array without the flag; `error`.
  YOKE_API abi::surface_object create_surface(abi::context context, abi::array of, const source_location& where) const;
  YOKE_API release_result release_surface(abi::context context, abi::surface_object surface) const noexcept;
  YOKE_API abi::resource_descriptor surface_resource(abi::context context, abi::surface_object surface,
                                                     const source_location& where) const;
};

namespace detail {
/// The shape that copies of images see in an array; each cube is six layers.
[[nodiscard]] YOKE_API image_shape shape_of(const array_shape& of) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/image/texture.ipp>
#endif

#endif
