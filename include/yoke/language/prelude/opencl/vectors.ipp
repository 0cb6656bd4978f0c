// SPDX-License-Identifier: MIT
// Vectors of two and four in OpenCL C: constructors, and loads that need an alignment.
R"yoke(//part vectors
//words float2 float4 int2 int4 uint2 uint4 double2 double4 make_* vload2 vload4 vstore2 vstore4
//words yoke_load_aligned2 yoke_load_aligned4 yoke_store_aligned2 yoke_store_aligned4
#define make_float2(x, y) ((float2)((x), (y)))
#define make_float4(x, y, z, w) ((float4)((x), (y), (z), (w)))
#define make_int2(x, y) ((int2)((x), (y)))
#define make_int4(x, y, z, w) ((int4)((x), (y), (z), (w)))
#define make_uint2(x, y) ((uint2)((x), (y)))
#define make_uint4(x, y, z, w) ((uint4)((x), (y), (z), (w)))
#define YOKE_D_ALIGNED(space, T, V, n) \
  YOKE_D_FUNCTION V yoke_load_aligned##n(size_t __at, const space T* __p) { return ((const space V*)__p)[__at]; } \
  YOKE_D_FUNCTION void yoke_store_aligned##n(V __value, size_t __at, space T* __p) { ((space V*)__p)[__at] = __value; }
#define YOKE_D_ALIGNED_ALL(T) \
  YOKE_D_ALIGNED(__global, T, T##2, 2) \
  YOKE_D_ALIGNED(__global, T, T##4, 4) \
  YOKE_D_ALIGNED(__local, T, T##2, 2) \
  YOKE_D_ALIGNED(__local, T, T##4, 4)
YOKE_D_ALIGNED_ALL(float)
YOKE_D_ALIGNED_ALL(int)
YOKE_D_ALIGNED_ALL(uint)
#if YOKE_HAS_FP64
#define make_double2(x, y) ((double2)((x), (y)))
#define make_double4(x, y, z, w) ((double4)((x), (y), (z), (w)))
YOKE_D_ALIGNED_ALL(double)
#endif
)yoke"
