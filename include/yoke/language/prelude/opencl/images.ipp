// SPDX-License-Identifier: MIT
// Images and samplers in OpenCL C: parameters, reads through samplers and without, writes.
R"yoke(//part images
//words YOKE_READ_IMAGE_* YOKE_WRITE_IMAGE_* YOKE_READ_WRITE_IMAGE_* YOKE_SAMPLER YOKE_CONSTANT_SAMPLER
//words YOKE_HAS_*IMAGES YOKE_FENCE_IMAGES yoke_sample_* yoke_read_* yoke_write_* get_image_*
#ifdef __IMAGE_SUPPORT__
#define YOKE_HAS_IMAGES 1
#else
#define YOKE_HAS_IMAGES 0
#endif
#ifdef cl_khr_3d_image_writes
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#endif
#define YOKE_READ_IMAGE_1D(T, name) __read_only image1d_t name
#define YOKE_READ_IMAGE_2D(T, name) __read_only image2d_t name
#define YOKE_READ_IMAGE_3D(T, name) __read_only image3d_t name
#define YOKE_READ_IMAGE_1D_ARRAY(T, name) __read_only image1d_array_t name
#define YOKE_READ_IMAGE_2D_ARRAY(T, name) __read_only image2d_array_t name
#define YOKE_WRITE_IMAGE_1D(T, name) __write_only image1d_t name
#define YOKE_WRITE_IMAGE_2D(T, name) __write_only image2d_t name
#define YOKE_WRITE_IMAGE_3D(T, name) __write_only image3d_t name
#define YOKE_WRITE_IMAGE_1D_ARRAY(T, name) __write_only image1d_array_t name
#define YOKE_WRITE_IMAGE_2D_ARRAY(T, name) __write_only image2d_array_t name
#if __OPENCL_C_VERSION__ >= 300 ? defined(__opencl_c_read_write_images) : __OPENCL_C_VERSION__ >= 200
#define YOKE_HAS_READ_WRITE_IMAGES 1
#define YOKE_FENCE_IMAGES() atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item)
#define YOKE_READ_WRITE_IMAGE_1D(T, name) __read_write image1d_t name
#define YOKE_READ_WRITE_IMAGE_2D(T, name) __read_write image2d_t name
#define YOKE_READ_WRITE_IMAGE_3D(T, name) __read_write image3d_t name
#define YOKE_READ_WRITE_IMAGE_1D_ARRAY(T, name) __read_write image1d_array_t name
#define YOKE_READ_WRITE_IMAGE_2D_ARRAY(T, name) __read_write image2d_array_t name
#else
#define YOKE_HAS_READ_WRITE_IMAGES 0
#endif
#define YOKE_SAMPLER(name) sampler_t name
#define YOKE_D_NORMALISED CLK_NORMALIZED_COORDS_TRUE
#define YOKE_D_TEXELS CLK_NORMALIZED_COORDS_FALSE
#define YOKE_D_CLAMP_TO_EDGE_of_NORMALISED CLK_ADDRESS_CLAMP_TO_EDGE
#define YOKE_D_BORDER_of_NORMALISED CLK_ADDRESS_CLAMP
#define YOKE_D_REPEAT_of_NORMALISED CLK_ADDRESS_REPEAT
#define YOKE_D_MIRRORED_REPEAT_of_NORMALISED CLK_ADDRESS_MIRRORED_REPEAT
#define YOKE_D_CLAMP_TO_EDGE_of_TEXELS CLK_ADDRESS_CLAMP_TO_EDGE
#define YOKE_D_BORDER_of_TEXELS CLK_ADDRESS_CLAMP
#define YOKE_D_REPEAT_of_TEXELS yoke_d_REPEAT_needs_NORMALISED
#define YOKE_D_MIRRORED_REPEAT_of_TEXELS yoke_d_MIRRORED_REPEAT_needs_NORMALISED
#define YOKE_D_NEAREST CLK_FILTER_NEAREST
#define YOKE_D_LINEAR CLK_FILTER_LINEAR
#define YOKE_CONSTANT_SAMPLER(name, coordinates, address, filter) \
  __constant sampler_t name = YOKE_D_##coordinates | YOKE_D_##address##_of_##coordinates | YOKE_D_##filter
#define YOKE_D_SAMPLE_float(i, s, at) (read_imagef(i, s, at).x)
#define YOKE_D_SAMPLE_float2(i, s, at) (read_imagef(i, s, at).xy)
#define YOKE_D_SAMPLE_float4(i, s, at) read_imagef(i, s, at)
#define YOKE_D_SAMPLE_int(i, s, at) (read_imagei(i, s, at).x)
#define YOKE_D_SAMPLE_int2(i, s, at) (read_imagei(i, s, at).xy)
#define YOKE_D_SAMPLE_int4(i, s, at) read_imagei(i, s, at)
#define YOKE_D_SAMPLE_uint(i, s, at) (read_imageui(i, s, at).x)
#define YOKE_D_SAMPLE_uint2(i, s, at) (read_imageui(i, s, at).xy)
#define YOKE_D_SAMPLE_uint4(i, s, at) read_imageui(i, s, at)
#define yoke_sample_1d(T, i, s, x) YOKE_CAT(YOKE_D_SAMPLE_, T)(i, s, (float)(x))
#define yoke_sample_2d(T, i, s, x, y) YOKE_CAT(YOKE_D_SAMPLE_, T)(i, s, (float2)(x, y))
#define yoke_sample_3d(T, i, s, x, y, z) YOKE_CAT(YOKE_D_SAMPLE_, T)(i, s, (float4)(x, y, z, 0))
#define yoke_sample_1d_array(T, i, s, x, layer) YOKE_CAT(YOKE_D_SAMPLE_, T)(i, s, (float2)(x, layer))
#define yoke_sample_2d_array(T, i, s, x, y, layer) YOKE_CAT(YOKE_D_SAMPLE_, T)(i, s, (float4)(x, y, layer, 0))
#define YOKE_D_READ_float(i, at) (read_imagef(i, at).x)
#define YOKE_D_READ_float2(i, at) (read_imagef(i, at).xy)
#define YOKE_D_READ_float4(i, at) read_imagef(i, at)
#define YOKE_D_READ_int(i, at) (read_imagei(i, at).x)
#define YOKE_D_READ_int2(i, at) (read_imagei(i, at).xy)
#define YOKE_D_READ_int4(i, at) read_imagei(i, at)
#define YOKE_D_READ_uint(i, at) (read_imageui(i, at).x)
#define YOKE_D_READ_uint2(i, at) (read_imageui(i, at).xy)
#define YOKE_D_READ_uint4(i, at) read_imageui(i, at)
#define yoke_read_1d(T, i, x) YOKE_CAT(YOKE_D_READ_, T)(i, (int)(x))
#define yoke_read_2d(T, i, x, y) YOKE_CAT(YOKE_D_READ_, T)(i, (int2)(x, y))
#define yoke_read_3d(T, i, x, y, z) YOKE_CAT(YOKE_D_READ_, T)(i, (int4)(x, y, z, 0))
#define yoke_read_1d_array(T, i, x, layer) YOKE_CAT(YOKE_D_READ_, T)(i, (int2)(x, layer))
#define yoke_read_2d_array(T, i, x, y, layer) YOKE_CAT(YOKE_D_READ_, T)(i, (int4)(x, y, layer, 0))
#define YOKE_D_WRITE_float(i, at, v) write_imagef(i, at, (float4)(v, 0, 0, 0))
#define YOKE_D_WRITE_float2(i, at, v) write_imagef(i, at, (float4)(v, 0, 0))
#define YOKE_D_WRITE_float4(i, at, v) write_imagef(i, at, v)
#define YOKE_D_WRITE_int(i, at, v) write_imagei(i, at, (int4)(v, 0, 0, 0))
#define YOKE_D_WRITE_int2(i, at, v) write_imagei(i, at, (int4)(v, 0, 0))
#define YOKE_D_WRITE_int4(i, at, v) write_imagei(i, at, v)
#define YOKE_D_WRITE_uint(i, at, v) write_imageui(i, at, (uint4)(v, 0, 0, 0))
#define YOKE_D_WRITE_uint2(i, at, v) write_imageui(i, at, (uint4)(v, 0, 0))
#define YOKE_D_WRITE_uint4(i, at, v) write_imageui(i, at, v)
#define yoke_write_1d(T, i, x, v) YOKE_CAT(YOKE_D_WRITE_, T)(i, (int)(x), v)
#define yoke_write_2d(T, i, x, y, v) YOKE_CAT(YOKE_D_WRITE_, T)(i, (int2)(x, y), v)
#define yoke_write_3d(T, i, x, y, z, v) YOKE_CAT(YOKE_D_WRITE_, T)(i, (int4)(x, y, z, 0), v)
#define yoke_write_1d_array(T, i, x, layer, v) YOKE_CAT(YOKE_D_WRITE_, T)(i, (int2)(x, layer), v)
#define yoke_write_2d_array(T, i, x, y, layer, v) YOKE_CAT(YOKE_D_WRITE_, T)(i, (int4)(x, y, layer, 0), v)
)yoke"
