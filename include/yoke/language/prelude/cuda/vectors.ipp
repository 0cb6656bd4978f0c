// SPDX-License-Identifier: MIT
// Vectors of two and four in CUDA C++: operators, loads, and a double4 that is aligned as OpenCL's.
R"yoke(//part vectors
//words float2 float4 int2 int4 uint2 uint4 double2 double4 make_* vload2 vload4 vstore2 vstore4
//words yoke_load_aligned2 yoke_load_aligned4 yoke_store_aligned2 yoke_store_aligned4
struct __align__(32) yoke_double4 { double x, y, z, w; };
YOKE_D_FUNCTION yoke_double4 make_yoke_double4(double __x, double __y, double __z, double __w) {
  yoke_double4 __made = {__x, __y, __z, __w};
  return __made;
}
#define double4 yoke_double4
#define make_double4 make_yoke_double4
#define YOKE_D_BINARY2(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V __a, V __b) { return make_##R(__a.x o __b.x, __a.y o __b.y); } \
  YOKE_D_FUNCTION R operator o(V __a, T __b) { return make_##R(__a.x o __b, __a.y o __b); } \
  YOKE_D_FUNCTION R operator o(T __a, V __b) { return make_##R(__a o __b.x, __a o __b.y); }
#define YOKE_D_BINARY4(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V __a, V __b) { \
    return make_##R(__a.x o __b.x, __a.y o __b.y, __a.z o __b.z, __a.w o __b.w); \
  } \
  YOKE_D_FUNCTION R operator o(V __a, T __b) { return make_##R(__a.x o __b, __a.y o __b, __a.z o __b, __a.w o __b); } \
  YOKE_D_FUNCTION R operator o(T __a, V __b) { return make_##R(__a o __b.x, __a o __b.y, __a o __b.z, __a o __b.w); }
#define YOKE_D_ASSIGNMENT(V, T, o) \
  YOKE_D_FUNCTION V& operator o##=(V& __a, V __b) { return __a = __a o __b; } \
  YOKE_D_FUNCTION V& operator o##=(V& __a, T __b) { return __a = __a o __b; }
#define YOKE_D_OPERATOR(V, T, n, o) YOKE_D_BINARY##n(V, V, T, o) YOKE_D_ASSIGNMENT(V, T, o)
// Amounts count modulo 32, as in OpenCL C.
#define YOKE_D_SHIFT2(V, T, o) \
  YOKE_D_FUNCTION V operator o(V __a, V __b) { return make_##V(__a.x o(__b.x & 31), __a.y o(__b.y & 31)); } \
  YOKE_D_FUNCTION V operator o(V __a, T __b) { return make_##V(__a.x o(__b & 31), __a.y o(__b & 31)); }
#define YOKE_D_SHIFT4(V, T, o) \
  YOKE_D_FUNCTION V operator o(V __a, V __b) { \
    return make_##V(__a.x o(__b.x & 31), __a.y o(__b.y & 31), __a.z o(__b.z & 31), __a.w o(__b.w & 31)); \
  } \
  YOKE_D_FUNCTION V operator o(V __a, T __b) { \
    return make_##V(__a.x o(__b & 31), __a.y o(__b & 31), __a.z o(__b & 31), __a.w o(__b & 31)); \
  }
// A comparison gives -1 for true, as in OpenCL C.
#define YOKE_D_COMPARISON2(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V __a, V __b) { return make_##R(-(__a.x o __b.x), -(__a.y o __b.y)); } \
  YOKE_D_FUNCTION R operator o(V __a, T __b) { return make_##R(-(__a.x o __b), -(__a.y o __b)); } \
  YOKE_D_FUNCTION R operator o(T __a, V __b) { return make_##R(-(__a o __b.x), -(__a o __b.y)); }
#define YOKE_D_COMPARISON4(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V __a, V __b) { \
    return make_##R(-(__a.x o __b.x), -(__a.y o __b.y), -(__a.z o __b.z), -(__a.w o __b.w)); \
  } \
  YOKE_D_FUNCTION R operator o(V __a, T __b) { \
    return make_##R(-(__a.x o __b), -(__a.y o __b), -(__a.z o __b), -(__a.w o __b)); \
  } \
  YOKE_D_FUNCTION R operator o(T __a, V __b) { \
    return make_##R(-(__a o __b.x), -(__a o __b.y), -(__a o __b.z), -(__a o __b.w)); \
  }
#define YOKE_D_COMPARISONS(V, T, n) \
  YOKE_D_COMPARISON##n(int##n, V, T, <) YOKE_D_COMPARISON##n(int##n, V, T, <=) YOKE_D_COMPARISON##n(int##n, V, T, >) \
      YOKE_D_COMPARISON##n(int##n, V, T, >=) YOKE_D_COMPARISON##n(int##n, V, T, ==) \
          YOKE_D_COMPARISON##n(int##n, V, T, !=)
#define YOKE_D_LANES2(V, T) \
  YOKE_D_FUNCTION V operator-(V __a) { return make_##V(-__a.x, -__a.y); } \
  YOKE_D_FUNCTION V vload2(size_t __at, const T* __p) { return make_##V(__p[2 * __at], __p[2 * __at + 1]); } \
  YOKE_D_FUNCTION void vstore2(V __v, size_t __at, T* __p) { __p[2 * __at] = __v.x, __p[2 * __at + 1] = __v.y; } \
  YOKE_D_FUNCTION V yoke_load_aligned2(size_t __at, const T* __p) { return reinterpret_cast<const V*>(__p)[__at]; } \
  YOKE_D_FUNCTION void yoke_store_aligned2(V __v, size_t __at, T* __p) { reinterpret_cast<V*>(__p)[__at] = __v; }
#define YOKE_D_LANES4(V, T) \
  YOKE_D_FUNCTION V operator-(V __a) { return make_##V(-__a.x, -__a.y, -__a.z, -__a.w); } \
  YOKE_D_FUNCTION V vload4(size_t __at, const T* __p) { \
    __p += 4 * __at; \
    return make_##V(__p[0], __p[1], __p[2], __p[3]); \
  } \
  YOKE_D_FUNCTION void vstore4(V __v, size_t __at, T* __p) { \
    __p += 4 * __at; \
    __p[0] = __v.x, __p[1] = __v.y, __p[2] = __v.z, __p[3] = __v.w; \
  } \
  YOKE_D_FUNCTION V yoke_load_aligned4(size_t __at, const T* __p) { return reinterpret_cast<const V*>(__p)[__at]; } \
  YOKE_D_FUNCTION void yoke_store_aligned4(V __v, size_t __at, T* __p) { reinterpret_cast<V*>(__p)[__at] = __v; }
#define YOKE_D_VECTOR(V, T, n) \
  YOKE_D_OPERATOR(V, T, n, +) \
  YOKE_D_OPERATOR(V, T, n, -) \
  YOKE_D_OPERATOR(V, T, n, *) \
  YOKE_D_OPERATOR(V, T, n, /) \
  YOKE_D_LANES##n(V, T)
#define YOKE_D_INTEGERS(V, T, n) \
  YOKE_D_VECTOR(V, T, n) \
  YOKE_D_OPERATOR(V, T, n, %) \
  YOKE_D_OPERATOR(V, T, n, &) \
  YOKE_D_OPERATOR(V, T, n, |) \
  YOKE_D_OPERATOR(V, T, n, ^) \
  YOKE_D_SHIFT##n(V, T, <<) YOKE_D_ASSIGNMENT(V, T, <<) YOKE_D_SHIFT##n(V, T, >>) YOKE_D_ASSIGNMENT(V, T, >>) \
      YOKE_D_COMPARISONS(V, T, n)
YOKE_D_VECTOR(float2, float, 2)
YOKE_D_VECTOR(float4, float, 4)
YOKE_D_COMPARISONS(float2, float, 2)
YOKE_D_COMPARISONS(float4, float, 4)
YOKE_D_INTEGERS(int2, int, 2)
YOKE_D_INTEGERS(int4, int, 4)
YOKE_D_INTEGERS(uint2, uint, 2)
YOKE_D_INTEGERS(uint4, uint, 4)
YOKE_D_VECTOR(double2, double, 2)
YOKE_D_VECTOR(yoke_double4, double, 4)
YOKE_D_FUNCTION int2 operator~(int2 __a) { return make_int2(~__a.x, ~__a.y); }
YOKE_D_FUNCTION int4 operator~(int4 __a) { return make_int4(~__a.x, ~__a.y, ~__a.z, ~__a.w); }
YOKE_D_FUNCTION uint2 operator~(uint2 __a) { return make_uint2(~__a.x, ~__a.y); }
YOKE_D_FUNCTION uint4 operator~(uint4 __a) { return make_uint4(~__a.x, ~__a.y, ~__a.z, ~__a.w); }
YOKE_D_FUNCTION int any(int2 __a) { return (__a.x | __a.y) < 0; }
YOKE_D_FUNCTION int any(int4 __a) { return (__a.x | __a.y | __a.z | __a.w) < 0; }
YOKE_D_FUNCTION int all(int2 __a) { return (__a.x & __a.y) < 0; }
YOKE_D_FUNCTION int all(int4 __a) { return (__a.x & __a.y & __a.z & __a.w) < 0; }
YOKE_D_FUNCTION float dot(float2 __a, float2 __b) { return __a.x * __b.x + __a.y * __b.y; }
YOKE_D_FUNCTION float dot(float4 __a, float4 __b) {
  return __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;
}
YOKE_D_FUNCTION double dot(double2 __a, double2 __b) { return __a.x * __b.x + __a.y * __b.y; }
YOKE_D_FUNCTION double dot(yoke_double4 __a, yoke_double4 __b) {
  return __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;
}
YOKE_D_FUNCTION float length(float2 __a) { return sqrt(dot(__a, __a)); }
YOKE_D_FUNCTION float length(float4 __a) { return sqrt(dot(__a, __a)); }
YOKE_D_FUNCTION double length(double2 __a) { return sqrt(dot(__a, __a)); }
YOKE_D_FUNCTION double length(yoke_double4 __a) { return sqrt(dot(__a, __a)); }
// Functions of each lane, for the parts that have some.
#define YOKE_D_UNARY2(f, V) \
  YOKE_D_FUNCTION V f(V __a) { return make_##V(f(__a.x), f(__a.y)); }
#define YOKE_D_UNARY4(f, V) \
  YOKE_D_FUNCTION V f(V __a) { return make_##V(f(__a.x), f(__a.y), f(__a.z), f(__a.w)); }
#define YOKE_D_BOTH2(f, V) \
  YOKE_D_FUNCTION V f(V __a, V __b) { return make_##V(f(__a.x, __b.x), f(__a.y, __b.y)); }
#define YOKE_D_BOTH4(f, V) \
  YOKE_D_FUNCTION V f(V __a, V __b) { \
    return make_##V(f(__a.x, __b.x), f(__a.y, __b.y), f(__a.z, __b.z), f(__a.w, __b.w)); \
  }
#define YOKE_D_THREE2(f, V) \
  YOKE_D_FUNCTION V f(V __a, V __b, V __c) { return make_##V(f(__a.x, __b.x, __c.x), f(__a.y, __b.y, __c.y)); }
#define YOKE_D_THREE4(f, V) \
  YOKE_D_FUNCTION V f(V __a, V __b, V __c) { \
    return make_##V(f(__a.x, __b.x, __c.x), f(__a.y, __b.y, __c.y), f(__a.z, __b.z, __c.z), f(__a.w, __b.w, __c.w)); \
  }
)yoke"
