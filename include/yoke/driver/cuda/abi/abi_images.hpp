// SPDX-License-Identifier: MIT
// CUDA's structures of arrays, textures and surfaces, as in the driver's binary interface; needs no vendor header.
#ifndef YOKE_DRIVER_CUDA_ABI_ABI_IMAGES_HPP
#define YOKE_DRIVER_CUDA_ABI_ABI_IMAGES_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

#include <cstddef>

namespace yoke::inline v0_1::cuda::abi {

inline constexpr unsigned array_layered = 0x01;  // CUDA_ARRAY3D_...
inline constexpr unsigned array_surface_ldst = 0x02;
inline constexpr unsigned array_cubemap = 0x04;
inline constexpr unsigned array_texture_gather = 0x08;

inline constexpr unsigned texture_read_as_integer = 0x01;  // CU_TRSF_...
inline constexpr unsigned texture_normalized_coordinates = 0x02;
inline constexpr unsigned texture_srgb = 0x10;
inline constexpr unsigned texture_disable_trilinear_optimization = 0x20;
inline constexpr unsigned texture_seamless_cubemap = 0x40;

// CU_RES_VIEW_FORMAT_..., one channel each; the formats of two and four channels follow each.
inline constexpr unsigned view_uint_1x8 = 0x01;
inline constexpr unsigned view_sint_1x8 = 0x04;
inline constexpr unsigned view_uint_1x16 = 0x07;
inline constexpr unsigned view_sint_1x16 = 0x0a;
inline constexpr unsigned view_uint_1x32 = 0x0d;
inline constexpr unsigned view_sint_1x32 = 0x10;
inline constexpr unsigned view_float_1x16 = 0x13;
inline constexpr unsigned view_float_1x32 = 0x16;

/// `CUDA_ARRAY3D_DESCRIPTOR`, version 2.
struct array_descriptor {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  array_format format;
  uint channels;
  uint flags;
};

/// `CUDA_RESOURCE_DESC`.
struct resource_descriptor {
  resource_type type;
  union {
    struct {
      abi::array handle;
    } of_array;
    struct {
      mipmapped_array handle;
    } of_mipmap;
    struct {
      device_pointer address;
      array_format format;
      uint channels;
      std::size_t bytes;
    } linear;
    struct {
      device_pointer address;
      array_format format;
      uint channels;
      std::size_t width;
      std::size_t height;
      std::size_t pitch_bytes;
    } pitch2d;
    int reserved[32];
  };
  uint flags;
};

/// `CUDA_TEXTURE_DESC`.
struct texture_descriptor {
  address_mode address[3];
  filter_mode filter;
  uint flags;
  uint max_anisotropy;
  filter_mode mipmap_filter;
  float mipmap_level_bias;
  float min_mipmap_level;
  float max_mipmap_level;
  float border_colour[4];
  int reserved[12];
};

/// `CUDA_RESOURCE_VIEW_DESC`.
struct resource_view_descriptor {
  uint format;
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  uint first_level;
  uint last_level;
  uint first_layer;
  uint last_layer;
  uint reserved[16];
};

}  // namespace yoke::inline v0_1::cuda::abi

#endif
