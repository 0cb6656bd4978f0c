// SPDX-License-Identifier: MIT
// Conversions and bit casts of vectors in CUDA C++.
R"yoke(//part vector_conversions
//needs vectors conversions
//words convert_*2 convert_*4 as_*2 as_*4
// The return type names the conversion, so that a wrong argument is an error in the user's line.
#define YOKE_D_LANES_CONVERTED(T, V2, V4) \
  template <class __From> \
  YOKE_D_FUNCTION auto convert_##T##2(__From __a)->decltype(make_##V2(T(__a.x), T(__a.y))) { \
    return make_##V2(T(__a.x), T(__a.y)); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION auto convert_##T##4(__From __a)->decltype(make_##V4(T(__a.x), T(__a.y), T(__a.z), T(__a.w))) { \
    return make_##V4(T(__a.x), T(__a.y), T(__a.z), T(__a.w)); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION V2 as_##T##2(__From __a) { \
    return yoke_d_bits<V2>(__a); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION V4 as_##T##4(__From __a) { \
    return yoke_d_bits<V4>(__a); \
  }
YOKE_D_LANES_CONVERTED(int, int2, int4)
YOKE_D_LANES_CONVERTED(uint, uint2, uint4)
YOKE_D_LANES_CONVERTED(float, float2, float4)
YOKE_D_LANES_CONVERTED(double, double2, yoke_double4)
)yoke"
