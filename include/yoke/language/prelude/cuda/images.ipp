// SPDX-License-Identifier: MIT
// Images and samplers in CUDA C++: an image is a parameter with a texture object for each sampler, and a surface object.
R"yoke(//part images
//needs halves
//words YOKE_READ_IMAGE_* YOKE_WRITE_IMAGE_* YOKE_READ_WRITE_IMAGE_* YOKE_SAMPLER YOKE_CONSTANT_SAMPLER
//words YOKE_HAS_*IMAGES YOKE_FENCE_IMAGES yoke_sample_* yoke_read_* yoke_write_* get_image_*
// The host's cuda::image_parameter.
struct yoke_d_image {
  unsigned long long yoke_textures[16];
  unsigned long long yoke_surface;
  int yoke_width, yoke_height, yoke_depth, yoke_layers, yoke_type, yoke_channels;
};
enum yoke_d_sampler : unsigned int {};
// CUDA's own vectors, whose names mean others in translated OpenCL C.
typedef float2 yoke_d_own_float2;
typedef float4 yoke_d_own_float4;
typedef int2 yoke_d_own_int2;
typedef int4 yoke_d_own_int4;
typedef uint2 yoke_d_own_uint2;
typedef uint4 yoke_d_own_uint4;
#define YOKE_HAS_IMAGES 1
#define YOKE_HAS_READ_WRITE_IMAGES 1
#define YOKE_FENCE_IMAGES() __threadfence()
#define YOKE_D_IMAGE(kind) \
  template <class __t> \
  struct yoke_d_read_image_##kind { \
    typedef __t yoke_value; \
    yoke_d_image yoke_d; \
  }; \
  template <class __t> \
  struct yoke_d_write_image_##kind { \
    typedef __t yoke_value; \
    yoke_d_image yoke_d; \
  }; \
  template <class __t> \
  struct yoke_d_read_write_image_##kind { \
    typedef __t yoke_value; \
    yoke_d_image yoke_d; \
  };
YOKE_D_IMAGE(1d)
YOKE_D_IMAGE(2d)
YOKE_D_IMAGE(3d)
YOKE_D_IMAGE(1d_array)
YOKE_D_IMAGE(2d_array)
#define YOKE_READ_IMAGE_1D(T, name) yoke_d_read_image_1d<T> name
#define YOKE_READ_IMAGE_2D(T, name) yoke_d_read_image_2d<T> name
#define YOKE_READ_IMAGE_3D(T, name) yoke_d_read_image_3d<T> name
#define YOKE_READ_IMAGE_1D_ARRAY(T, name) yoke_d_read_image_1d_array<T> name
#define YOKE_READ_IMAGE_2D_ARRAY(T, name) yoke_d_read_image_2d_array<T> name
#define YOKE_WRITE_IMAGE_1D(T, name) yoke_d_write_image_1d<T> name
#define YOKE_WRITE_IMAGE_2D(T, name) yoke_d_write_image_2d<T> name
#define YOKE_WRITE_IMAGE_3D(T, name) yoke_d_write_image_3d<T> name
#define YOKE_WRITE_IMAGE_1D_ARRAY(T, name) yoke_d_write_image_1d_array<T> name
#define YOKE_WRITE_IMAGE_2D_ARRAY(T, name) yoke_d_write_image_2d_array<T> name
#define YOKE_READ_WRITE_IMAGE_1D(T, name) yoke_d_read_write_image_1d<T> name
#define YOKE_READ_WRITE_IMAGE_2D(T, name) yoke_d_read_write_image_2d<T> name
#define YOKE_READ_WRITE_IMAGE_3D(T, name) yoke_d_read_write_image_3d<T> name
#define YOKE_READ_WRITE_IMAGE_1D_ARRAY(T, name) yoke_d_read_write_image_1d_array<T> name
#define YOKE_READ_WRITE_IMAGE_2D_ARRAY(T, name) yoke_d_read_write_image_2d_array<T> name
#define YOKE_SAMPLER(name) yoke_d_sampler name
#define YOKE_D_NORMALISED 1
#define YOKE_D_TEXELS 0
#define YOKE_D_CLAMP_TO_EDGE_of_NORMALISED 0
#define YOKE_D_BORDER_of_NORMALISED 2
#define YOKE_D_REPEAT_of_NORMALISED 4
#define YOKE_D_MIRRORED_REPEAT_of_NORMALISED 6
#define YOKE_D_CLAMP_TO_EDGE_of_TEXELS 0
#define YOKE_D_BORDER_of_TEXELS 2
#define YOKE_D_REPEAT_of_TEXELS yoke_d_REPEAT_needs_NORMALISED
#define YOKE_D_MIRRORED_REPEAT_of_TEXELS yoke_d_MIRRORED_REPEAT_needs_NORMALISED
#define YOKE_D_NEAREST 0
#define YOKE_D_LINEAR 8
#define YOKE_CONSTANT_SAMPLER(name, coordinates, address, filter) \
  [[maybe_unused]] static const yoke_d_sampler name = static_cast<yoke_d_sampler>(YOKE_D_##coordinates | YOKE_D_##address##_of_##coordinates | YOKE_D_##filter)
YOKE_D_FUNCTION unsigned long long yoke_d_texture(const yoke_d_image& __i, yoke_d_sampler __s) {
  return __i.yoke_textures[__s];
}
#define yoke_sample_1d(T, i, s, x) tex1D<T>(yoke_d_texture((i).yoke_d, s), x)
#define yoke_sample_2d(T, i, s, x, y) tex2D<T>(yoke_d_texture((i).yoke_d, s), x, y)
#define yoke_sample_3d(T, i, s, x, y, z) tex3D<T>(yoke_d_texture((i).yoke_d, s), x, y, z)
// Hardware takes a layer without a sign: one below 0 would be the last.
YOKE_D_FUNCTION int yoke_d_layer(int __layer) { return __layer < 0 ? 0 : __layer; }
#define yoke_sample_1d_array(T, i, s, x, layer) tex1DLayered<T>(yoke_d_texture((i).yoke_d, s), x, yoke_d_layer(layer))
#define yoke_sample_2d_array(T, i, s, x, y, layer) \
  tex2DLayered<T>(yoke_d_texture((i).yoke_d, s), x, y, yoke_d_layer(layer))
#define YOKE_D_IMAGE_QUESTION(word, member, R) \
  template <class __i> \
  YOKE_D_FUNCTION R word(const __i& __of) { \
    return __of.yoke_d.member; \
  }
YOKE_D_IMAGE_QUESTION(get_image_width, yoke_width, int)
YOKE_D_IMAGE_QUESTION(get_image_height, yoke_height, int)
YOKE_D_IMAGE_QUESTION(get_image_depth, yoke_depth, int)
YOKE_D_IMAGE_QUESTION(get_image_array_size, yoke_layers, size_t)
// A texel of a surface: each kind of image has its functions, and all of them count x in bytes.
#define YOKE_D_TEXEL_AT(kind, members, function, ...) \
  struct yoke_d_at_##kind { \
    unsigned long long yoke_surface; \
    int yoke_type; \
    int x; \
    members template <class __w> \
    __device__ __forceinline__ void __write(__w __value) const { \
      function##write(__value, yoke_surface, x * (int)sizeof(__w), __VA_ARGS__ cudaBoundaryModeZero); \
    } \
    template <class __w> \
    __device__ __forceinline__ __w __read() const { \
      return function##read<__w>(yoke_surface, x * (int)sizeof(__w), __VA_ARGS__ cudaBoundaryModeZero); \
    } \
  };
YOKE_D_TEXEL_AT(1d, , surf1D, )
YOKE_D_TEXEL_AT(2d, int y;, surf2D, y, )
YOKE_D_TEXEL_AT(3d, int y; int z;, surf3D, y, z, )
YOKE_D_TEXEL_AT(1d_array, int y;, surf1DLayered, y, )
YOKE_D_TEXEL_AT(2d_array, int y; int z;, surf2DLayered, y, z, )
// Channels by their type, the host's `channel_type`: bits of a number, as OpenCL's writes round and saturate, and back.
YOKE_D_FUNCTION float yoke_d_within(float __v, float __least) { return fminf(fmaxf(__v, __least), 1.0f); }
YOKE_D_FUNCTION uint yoke_d_to_bits(float __v, int __type) {
  switch (__type) {
    case 6: return yoke_d_narrowed(__v);
    case 8: return (uint)(int)rintf(yoke_d_within(__v, -1.0f) * 127.0f);
    case 9: return (uint)(int)rintf(yoke_d_within(__v, -1.0f) * 32767.0f);
    case 10: return (uint)rintf(yoke_d_within(__v, 0.0f) * 255.0f);
    case 11: return (uint)rintf(yoke_d_within(__v, 0.0f) * 65535.0f);
  }
  return __float_as_uint(__v);
}
YOKE_D_FUNCTION uint yoke_d_to_bits(int __v, int __type) {
  if (__type == 0) return (uint)(__v < -128 ? -128 : __v > 127 ? 127 : __v);
  if (__type == 1) return (uint)(__v < -32768 ? -32768 : __v > 32767 ? 32767 : __v);
  return (uint)__v;
}
YOKE_D_FUNCTION uint yoke_d_to_bits(uint __v, int __type) {
  if (__type == 3) return __v > 255 ? 255 : __v;
  if (__type == 4) return __v > 65535 ? 65535 : __v;
  return __v;
}
YOKE_D_FUNCTION void yoke_d_from_bits(float& __v, uint __bits, int __type) {
  switch (__type) {
    case 6: __v = yoke_d_widened((ushort)__bits); return;
    case 8: __v = fmaxf((float)(signed char)__bits / 127.0f, -1.0f); return;
    case 9: __v = fmaxf((float)(short)__bits / 32767.0f, -1.0f); return;
    case 10: __v = (float)__bits / 255.0f; return;
    case 11: __v = (float)__bits / 65535.0f; return;
  }
  __v = __uint_as_float(__bits);
}
YOKE_D_FUNCTION void yoke_d_from_bits(int& __v, uint __bits, int __type) {
  __v = __type == 0 ? (int)(signed char)__bits : __type == 1 ? (int)(short)__bits : (int)__bits;
}
YOKE_D_FUNCTION void yoke_d_from_bits(uint& __v, uint __bits, int) { __v = __bits; }
YOKE_D_FUNCTION int yoke_d_channel_bytes(int __type) {
  // By nibbles: 1, 2 or 4 for each type.
  return (int)(0x1212142421421ULL >> (4 * __type) & 7);
}
#define YOKE_D_SURFACE_TEXELS(T) \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_put(const __a& __at, T __v) { \
    const uint __x = yoke_d_to_bits(__v, __at.yoke_type); \
    const int __bytes = yoke_d_channel_bytes(__at.yoke_type); \
    if (__bytes == 4) __at.__write(__x); \
    else if (__bytes == 2) __at.__write((ushort)__x); \
    else __at.__write((uchar)__x); \
  } \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_put(const __a& __at, T##2 __v) { \
    const uint __x = yoke_d_to_bits(__v.x, __at.yoke_type), __y = yoke_d_to_bits(__v.y, __at.yoke_type); \
    const int __bytes = yoke_d_channel_bytes(__at.yoke_type); \
    if (__bytes == 4) __at.__write(make_uint2(__x, __y)); \
    else if (__bytes == 2) __at.__write(make_ushort2(__x, __y)); \
    else __at.__write(make_uchar2(__x, __y)); \
  } \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_put(const __a& __at, T##4 __v) { \
    const uint __x = yoke_d_to_bits(__v.x, __at.yoke_type), __y = yoke_d_to_bits(__v.y, __at.yoke_type), \
               __z = yoke_d_to_bits(__v.z, __at.yoke_type), __w = yoke_d_to_bits(__v.w, __at.yoke_type); \
    const int __bytes = yoke_d_channel_bytes(__at.yoke_type); \
    if (__bytes == 4) __at.__write(make_uint4(__x, __y, __z, __w)); \
    else if (__bytes == 2) __at.__write(make_ushort4(__x, __y, __z, __w)); \
    else __at.__write(make_uchar4(__x, __y, __z, __w)); \
  } \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_take(const __a& __at, T& __v) { \
    const int __bytes = yoke_d_channel_bytes(__at.yoke_type); \
    const uint __b = __bytes == 4   ? __at.template __read<uint>() \
                     : __bytes == 2 ? (uint)__at.template __read<ushort>() \
                                    : (uint)__at.template __read<uchar>(); \
    yoke_d_from_bits(__v, __b, __at.yoke_type); \
  } \
  template <class __w> \
  YOKE_D_FUNCTION void yoke_d_spread(__w __b, int __type, T##2& __v) { \
    yoke_d_from_bits(__v.x, __b.x, __type), yoke_d_from_bits(__v.y, __b.y, __type); \
  } \
  template <class __w> \
  YOKE_D_FUNCTION void yoke_d_spread(__w __b, int __type, T##4& __v) { \
    yoke_d_from_bits(__v.x, __b.x, __type), yoke_d_from_bits(__v.y, __b.y, __type); \
    yoke_d_from_bits(__v.z, __b.z, __type), yoke_d_from_bits(__v.w, __b.w, __type); \
  } \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_take(const __a& __at, T##2& __v) { \
    const int __bytes = yoke_d_channel_bytes(__at.yoke_type); \
    if (__bytes == 4) yoke_d_spread(__at.template __read<uint2>(), __at.yoke_type, __v); \
    else if (__bytes == 2) yoke_d_spread(__at.template __read<ushort2>(), __at.yoke_type, __v); \
    else yoke_d_spread(__at.template __read<uchar2>(), __at.yoke_type, __v); \
  } \
  template <class __a> \
  YOKE_D_FUNCTION void yoke_d_take(const __a& __at, T##4& __v) { \
    const int __bytes = yoke_d_channel_bytes(__at.yoke_type); \
    if (__bytes == 4) yoke_d_spread(__at.template __read<uint4>(), __at.yoke_type, __v); \
    else if (__bytes == 2) yoke_d_spread(__at.template __read<ushort4>(), __at.yoke_type, __v); \
    else yoke_d_spread(__at.template __read<uchar4>(), __at.yoke_type, __v); \
  }
YOKE_D_SURFACE_TEXELS(float)
YOKE_D_SURFACE_TEXELS(int)
YOKE_D_SURFACE_TEXELS(uint)
// Words for texels by their whole coordinates: of an image that is only read by its texture, of others by the surface.
#define YOKE_D_TEXEL_WORDS(kind, texture, parameters, surface_at, ...) \
  template <class __t> \
  YOKE_D_FUNCTION __t yoke_d_read(const yoke_d_read_image_##kind<__t>& __i, YOKE_D_PARAMETERS parameters) { \
    return texture<__t>(__i.yoke_d.yoke_textures[0], __VA_ARGS__); \
  } \
  template <class __t> \
  YOKE_D_FUNCTION __t yoke_d_read(const yoke_d_read_write_image_##kind<__t>& __i, YOKE_D_PARAMETERS parameters) { \
    __t __v; \
    yoke_d_take(yoke_d_at_##kind{__i.yoke_d.yoke_surface, __i.yoke_d.yoke_type, YOKE_D_PARAMETERS surface_at}, __v); \
    return __v; \
  } \
  template <class __t> \
  YOKE_D_FUNCTION void yoke_d_write(const yoke_d_write_image_##kind<__t>& __i, __t __v, YOKE_D_PARAMETERS parameters) { \
    yoke_d_put(yoke_d_at_##kind{__i.yoke_d.yoke_surface, __i.yoke_d.yoke_type, YOKE_D_PARAMETERS surface_at}, __v); \
  } \
  template <class __t> \
  YOKE_D_FUNCTION void yoke_d_write(const yoke_d_read_write_image_##kind<__t>& __i, __t __v, \
                                    YOKE_D_PARAMETERS parameters) { \
    yoke_d_put(yoke_d_at_##kind{__i.yoke_d.yoke_surface, __i.yoke_d.yoke_type, YOKE_D_PARAMETERS surface_at}, __v); \
  }
#define YOKE_D_PARAMETERS(...) __VA_ARGS__
YOKE_D_TEXEL_WORDS(1d, tex1D, (int __x), (__x), __x + 0.5f)
YOKE_D_TEXEL_WORDS(2d, tex2D, (int __x, int __y), (__x, __y), __x + 0.5f, __y + 0.5f)
YOKE_D_TEXEL_WORDS(3d, tex3D, (int __x, int __y, int __z), (__x, __y, __z), __x + 0.5f, __y + 0.5f, __z + 0.5f)
YOKE_D_TEXEL_WORDS(1d_array, tex1DLayered, (int __x, int __l), (__x, __l), __x + 0.5f, __l)
YOKE_D_TEXEL_WORDS(2d_array, tex2DLayered, (int __x, int __y, int __l), (__x, __y, __l), __x + 0.5f, __y + 0.5f, __l)
#define yoke_read_1d(T, i, x) ((T)yoke_d_read(i, x))
#define yoke_read_2d(T, i, x, y) ((T)yoke_d_read(i, x, y))
#define yoke_read_3d(T, i, x, y, z) ((T)yoke_d_read(i, x, y, z))
#define yoke_read_1d_array(T, i, x, layer) ((T)yoke_d_read(i, x, layer))
#define yoke_read_2d_array(T, i, x, y, layer) ((T)yoke_d_read(i, x, y, layer))
#define yoke_write_1d(T, i, x, v) yoke_d_write<T>(i, v, x)
#define yoke_write_2d(T, i, x, y, v) yoke_d_write<T>(i, v, x, y)
#define yoke_write_3d(T, i, x, y, z, v) yoke_d_write<T>(i, v, x, y, z)
#define yoke_write_1d_array(T, i, x, layer, v) yoke_d_write<T>(i, v, x, layer)
#define yoke_write_2d_array(T, i, x, y, layer, v) yoke_d_write<T>(i, v, x, y, layer)
)yoke"
