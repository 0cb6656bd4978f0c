// SPDX-License-Identifier: MIT
// OpenCL C's images and samplers in CUDA C++, for sources that were translated.
R"yoke(//part opencl_c_images
//needs images opencl_c
//words image*d_t image*d_array_t sampler_t read_imagef read_imagei read_imageui write_imagef write_imagei write_imageui
#ifdef YOKE_D_OPENCL_C
#define __IMAGE_SUPPORT__ 1
#define __opencl_c_read_write_images 1
#define __read_only
#define read_only
// What is written is another type, so that a signature tells it, and what is read besides goes through the surface.
#define __write_only yoke_d_write_only::
#define write_only yoke_d_write_only::
#define __read_write yoke_d_read_write::
#define read_write yoke_d_read_write::
#define CLK_IMAGE_MEM_FENCE 4
#define CLK_NORMALIZED_COORDS_FALSE 0u
#define CLK_NORMALIZED_COORDS_TRUE 1u
#define CLK_ADDRESS_NONE 0u
#define CLK_ADDRESS_CLAMP_TO_EDGE 0u
#define CLK_ADDRESS_CLAMP 2u
#define CLK_ADDRESS_REPEAT 4u
#define CLK_ADDRESS_MIRRORED_REPEAT 6u
#define CLK_FILTER_NEAREST 0u
#define CLK_FILTER_LINEAR 8u
struct sampler_t {
  unsigned int __code;
  sampler_t() = default;
  __device__ constexpr sampler_t(unsigned int __from) : __code(__from) {}
};
#define YOKE_D_IMAGES_OF_OPENCL_C \
  struct image1d_t { yoke_d_image yoke_d; }; \
  struct image2d_t { yoke_d_image yoke_d; }; \
  struct image3d_t { yoke_d_image yoke_d; }; \
  struct image1d_array_t { yoke_d_image yoke_d; }; \
  struct image2d_array_t { yoke_d_image yoke_d; }; \
  YOKE_D_FUNCTION int2 get_image_dim(const image2d_t& __i) { return int2(__i.yoke_d.yoke_width, __i.yoke_d.yoke_height); } \
  YOKE_D_FUNCTION int2 get_image_dim(const image2d_array_t& __i) { \
    return int2(__i.yoke_d.yoke_width, __i.yoke_d.yoke_height); \
  } \
  YOKE_D_FUNCTION int4 get_image_dim(const image3d_t& __i) { \
    return int4(__i.yoke_d.yoke_width, __i.yoke_d.yoke_height, __i.yoke_d.yoke_depth, 0); \
  }
YOKE_D_IMAGES_OF_OPENCL_C
namespace yoke_d_write_only { YOKE_D_IMAGES_OF_OPENCL_C }
namespace yoke_d_read_write { YOKE_D_IMAGES_OF_OPENCL_C }
#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RA 0x10B3
#define CLK_RGB 0x10B4
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_ARGB 0x10B7
#define CLK_INTENSITY 0x10B8
#define CLK_LUMINANCE 0x10B9
#define CLK_sRGBA 0x10C1
#define CLK_SNORM_INT8 0x10D0
#define CLK_SNORM_INT16 0x10D1
#define CLK_UNORM_INT8 0x10D2
#define CLK_UNORM_INT16 0x10D3
#define CLK_UNORM_SHORT_565 0x10D4
#define CLK_UNORM_SHORT_555 0x10D5
#define CLK_UNORM_INT_101010 0x10D6
#define CLK_SIGNED_INT8 0x10D7
#define CLK_SIGNED_INT16 0x10D8
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT16 0x10DB
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_HALF_FLOAT 0x10DD
#define CLK_FLOAT 0x10DE
// A table with 4 bits for each `channel_type` of the host; sRGB has the type of its integers, and an order of its own.
template <class __i>
YOKE_D_FUNCTION int get_image_channel_data_type(const __i& __of) {
  return 0x10D0 + (int)(0x23210EDCBA987ULL >> (4 * __of.yoke_d.yoke_type) & 15);
}
template <class __i>
YOKE_D_FUNCTION int get_image_channel_order(const __i& __of) {
  const int __channels = __of.yoke_d.yoke_channels;
  return __of.yoke_d.yoke_type == 12 ? CLK_sRGBA : __channels == 1 ? CLK_R : __channels == 2 ? CLK_RG : CLK_RGBA;
}
// Channels that an image does not have are 0, and the last one is 1.
#define YOKE_D_WIDENED(V, own, one) \
  YOKE_D_FUNCTION V yoke_d_widened_texel(own __t, int __channels) { \
    return V(__t.x, __channels > 1 ? __t.y : 0, __channels > 2 ? __t.z : 0, __channels > 3 ? __t.w : one); \
  }
YOKE_D_WIDENED(float4, yoke_d_own_float4, 1)
YOKE_D_WIDENED(int4, yoke_d_own_int4, 1)
YOKE_D_WIDENED(uint4, yoke_d_own_uint4, 1)
// A layer is the nearest whole number.
YOKE_D_FUNCTION int yoke_d_layer_of(float __at) { return yoke_d_layer((int)rintf(__at)); }
YOKE_D_FUNCTION int yoke_d_layer_of(int __at) { return yoke_d_layer(__at); }
// A whole number stands for the middle of its texel.
YOKE_D_FUNCTION float yoke_d_middle(float __at) { return __at; }
YOKE_D_FUNCTION float yoke_d_middle(int __at) { return (float)__at + 0.5f; }
#define YOKE_D_TEXTURE_OF yoke_d_texture(__i.yoke_d, static_cast<yoke_d_sampler>(__s.__code))
#define YOKE_D_READS_AT(word, V, own, one_at, two_at, four_at) \
  YOKE_D_FUNCTION V word(const image1d_t& __i, sampler_t __s, one_at __at) { \
    return yoke_d_widened_texel(tex1D<own>(YOKE_D_TEXTURE_OF, yoke_d_middle(__at)), __i.yoke_d.yoke_channels); \
  } \
  YOKE_D_FUNCTION V word(const image1d_array_t& __i, sampler_t __s, two_at __at) { \
    return yoke_d_widened_texel( \
        tex1DLayered<own>(YOKE_D_TEXTURE_OF, yoke_d_middle(__at.yoke_s[0]), yoke_d_layer_of(__at.yoke_s[1])), \
        __i.yoke_d.yoke_channels); \
  } \
  YOKE_D_FUNCTION V word(const image2d_t& __i, sampler_t __s, two_at __at) { \
    return yoke_d_widened_texel( \
        tex2D<own>(YOKE_D_TEXTURE_OF, yoke_d_middle(__at.yoke_s[0]), yoke_d_middle(__at.yoke_s[1])), __i.yoke_d.yoke_channels); \
  } \
  YOKE_D_FUNCTION V word(const image2d_array_t& __i, sampler_t __s, four_at __at) { \
    return yoke_d_widened_texel(tex2DLayered<own>(YOKE_D_TEXTURE_OF, yoke_d_middle(__at.yoke_s[0]), \
                                                  yoke_d_middle(__at.yoke_s[1]), yoke_d_layer_of(__at.yoke_s[2])), \
                                __i.yoke_d.yoke_channels); \
  } \
  YOKE_D_FUNCTION V word(const image3d_t& __i, sampler_t __s, four_at __at) { \
    return yoke_d_widened_texel(tex3D<own>(YOKE_D_TEXTURE_OF, yoke_d_middle(__at.yoke_s[0]), \
                                           yoke_d_middle(__at.yoke_s[1]), yoke_d_middle(__at.yoke_s[2])), \
                                __i.yoke_d.yoke_channels); \
  }
#define YOKE_D_READS(word, V, own) \
  YOKE_D_READS_AT(word, V, own, float, float2, float4) \
  YOKE_D_READS_AT(word, V, own, int, int2, int4) \
  YOKE_D_FUNCTION V word(const image1d_t& __i, int __at) { return word(__i, sampler_t(0u), __at); } \
  YOKE_D_FUNCTION V word(const image1d_array_t& __i, int2 __at) { return word(__i, sampler_t(0u), __at); } \
  YOKE_D_FUNCTION V word(const image2d_t& __i, int2 __at) { return word(__i, sampler_t(0u), __at); } \
  YOKE_D_FUNCTION V word(const image2d_array_t& __i, int4 __at) { return word(__i, sampler_t(0u), __at); } \
  YOKE_D_FUNCTION V word(const image3d_t& __i, int4 __at) { return word(__i, sampler_t(0u), __at); }
YOKE_D_READS(read_imagef, float4, yoke_d_own_float4)
YOKE_D_READS(read_imagei, int4, yoke_d_own_int4)
YOKE_D_READS(read_imageui, uint4, yoke_d_own_uint4)
// Texels at whole coordinates, by the surface.
#define YOKE_D_PLACE(kind, ...) yoke_d_at_##kind{__i.yoke_d.yoke_surface, __i.yoke_d.yoke_type, __VA_ARGS__}
#define YOKE_D_SURFACE_WORDS(access, DO) \
  DO(access::image1d_t, int, YOKE_D_PLACE(1d, __at)) \
  DO(access::image1d_array_t, int2, YOKE_D_PLACE(1d_array, __at.yoke_s[0], __at.yoke_s[1])) \
  DO(access::image2d_t, int2, YOKE_D_PLACE(2d, __at.yoke_s[0], __at.yoke_s[1])) \
  DO(access::image2d_array_t, int4, YOKE_D_PLACE(2d_array, __at.yoke_s[0], __at.yoke_s[1], __at.yoke_s[2])) \
  DO(access::image3d_t, int4, YOKE_D_PLACE(3d, __at.yoke_s[0], __at.yoke_s[1], __at.yoke_s[2]))
#define YOKE_D_CHANNELS(T, V) \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_put_channels(const __a& __at, int __channels, V __v) { \
    if (__channels == 1) yoke_d_put(__at, __v.yoke_s[0]); \
    else if (__channels == 2) yoke_d_put(__at, yoke_d_own_##T##2{__v.yoke_s[0], __v.yoke_s[1]}); \
    else yoke_d_put(__at, yoke_d_own_##T##4{__v.yoke_s[0], __v.yoke_s[1], __v.yoke_s[2], __v.yoke_s[3]}); \
  } \
  template <class __a> \
  YOKE_D_FUNCTION V yoke_d_take_channels(const __a& __at, int __channels, V) { \
    yoke_d_own_##T##4 __v{0, 0, 0, 1}; \
    if (__channels == 1) { \
      yoke_d_take(__at, __v.x); \
    } else if (__channels == 2) { \
      yoke_d_own_##T##2 __two; \
      yoke_d_take(__at, __two); \
      __v.x = __two.x, __v.y = __two.y; \
    } else { \
      yoke_d_take(__at, __v); \
    } \
    return V(__v.x, __v.y, __v.z, __v.w); \
  }
YOKE_D_CHANNELS(float, float4)
YOKE_D_CHANNELS(int, int4)
YOKE_D_CHANNELS(uint, uint4)
#define YOKE_D_WRITE(I, at, place) \
  YOKE_D_FUNCTION void write_imagef(const I& __i, at __at, float4 __v) { \
    yoke_d_put_channels(place, __i.yoke_d.yoke_channels, __v); \
  } \
  YOKE_D_FUNCTION void write_imagei(const I& __i, at __at, int4 __v) { \
    yoke_d_put_channels(place, __i.yoke_d.yoke_channels, __v); \
  } \
  YOKE_D_FUNCTION void write_imageui(const I& __i, at __at, uint4 __v) { \
    yoke_d_put_channels(place, __i.yoke_d.yoke_channels, __v); \
  }
#define YOKE_D_READ_BACK(I, at, place) \
  YOKE_D_FUNCTION float4 read_imagef(const I& __i, at __at) { \
    return yoke_d_take_channels(place, __i.yoke_d.yoke_channels, float4()); \
  } \
  YOKE_D_FUNCTION int4 read_imagei(const I& __i, at __at) { \
    return yoke_d_take_channels(place, __i.yoke_d.yoke_channels, int4()); \
  } \
  YOKE_D_FUNCTION uint4 read_imageui(const I& __i, at __at) { \
    return yoke_d_take_channels(place, __i.yoke_d.yoke_channels, uint4()); \
  }
YOKE_D_SURFACE_WORDS(yoke_d_write_only, YOKE_D_WRITE)
YOKE_D_SURFACE_WORDS(yoke_d_read_write, YOKE_D_WRITE)
YOKE_D_SURFACE_WORDS(yoke_d_read_write, YOKE_D_READ_BACK)
#endif
)yoke"
