// SPDX-License-Identifier: MIT
// Conversions and bit casts of vectors in CUDA C++.
R"yoke(//part vector_conversions
//needs vectors conversions
//words convert_*2 convert_*4 as_*2 as_*4
// What is returned says what is taken, so that a wrong argument is an error in the user's line.
#define YOKE_D_LANES_CONVERTED(T, V2, V4) \
  template <class From> \
  YOKE_D_FUNCTION auto convert_##T##2(From a) -> decltype(make_##V2(T(a.x), T(a.y))) { \
    return make_##V2(T(a.x), T(a.y)); \
  } \
  template <class From> \
  YOKE_D_FUNCTION auto convert_##T##4(From a) -> decltype(make_##V4(T(a.x), T(a.y), T(a.z), T(a.w))) { \
    return make_##V4(T(a.x), T(a.y), T(a.z), T(a.w)); \
  } \
  template <class From> \
  YOKE_D_FUNCTION V2 as_##T##2(From a) { \
    return yoke_d_bits<V2>(a); \
  } \
  template <class From> \
  YOKE_D_FUNCTION V4 as_##T##4(From a) { \
    return yoke_d_bits<V4>(a); \
  }
YOKE_D_LANES_CONVERTED(int, int2, int4)
YOKE_D_LANES_CONVERTED(uint, uint2, uint4)
YOKE_D_LANES_CONVERTED(float, float2, float4)
YOKE_D_LANES_CONVERTED(double, double2, yoke_double4)
)yoke"
