// SPDX-License-Identifier: MIT
// Vectors of two and four in CUDA C++: operators, loads, and a double4 that is aligned as OpenCL's.
R"yoke(//part vectors
//words float2 float4 int2 int4 uint2 uint4 double2 double4 make_* vload2 vload4 vstore2 vstore4 dot length any all
//words yoke_load_aligned2 yoke_load_aligned4 yoke_store_aligned2 yoke_store_aligned4
struct __align__(32) yoke_double4 {
  double x, y, z, w;
};
YOKE_D_FUNCTION yoke_double4 make_yoke_double4(double x, double y, double z, double w) {
  yoke_double4 made = {x, y, z, w};
  return made;
}
#define double4 yoke_double4
#define make_double4 make_yoke_double4
#define YOKE_D_BINARY2(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V a, V b) { return make_##R(a.x o b.x, a.y o b.y); } \
  YOKE_D_FUNCTION R operator o(V a, T b) { return make_##R(a.x o b, a.y o b); } \
  YOKE_D_FUNCTION R operator o(T a, V b) { return make_##R(a o b.x, a o b.y); }
#define YOKE_D_BINARY4(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V a, V b) { return make_##R(a.x o b.x, a.y o b.y, a.z o b.z, a.w o b.w); } \
  YOKE_D_FUNCTION R operator o(V a, T b) { return make_##R(a.x o b, a.y o b, a.z o b, a.w o b); } \
  YOKE_D_FUNCTION R operator o(T a, V b) { return make_##R(a o b.x, a o b.y, a o b.z, a o b.w); }
#define YOKE_D_ASSIGNMENT(V, T, o) \
  YOKE_D_FUNCTION V& operator o##=(V& a, V b) { return a = a o b; } \
  YOKE_D_FUNCTION V& operator o##=(V& a, T b) { return a = a o b; }
#define YOKE_D_OPERATOR(V, T, n, o) \
  YOKE_D_BINARY##n(V, V, T, o) \
  YOKE_D_ASSIGNMENT(V, T, o)
// Amounts count modulo 32, as in OpenCL C.
#define YOKE_D_SHIFT2(V, T, o) \
  YOKE_D_FUNCTION V operator o(V a, V b) { return make_##V(a.x o(b.x & 31), a.y o(b.y & 31)); } \
  YOKE_D_FUNCTION V operator o(V a, T b) { return make_##V(a.x o(b & 31), a.y o(b & 31)); }
#define YOKE_D_SHIFT4(V, T, o) \
  YOKE_D_FUNCTION V operator o(V a, V b) { \
    return make_##V(a.x o(b.x & 31), a.y o(b.y & 31), a.z o(b.z & 31), a.w o(b.w & 31)); \
  } \
  YOKE_D_FUNCTION V operator o(V a, T b) { \
    return make_##V(a.x o(b & 31), a.y o(b & 31), a.z o(b & 31), a.w o(b & 31)); \
  }
// A comparison gives -1 for true, as in OpenCL C.
#define YOKE_D_COMPARISON2(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V a, V b) { return make_##R(-(a.x o b.x), -(a.y o b.y)); } \
  YOKE_D_FUNCTION R operator o(V a, T b) { return make_##R(-(a.x o b), -(a.y o b)); } \
  YOKE_D_FUNCTION R operator o(T a, V b) { return make_##R(-(a o b.x), -(a o b.y)); }
#define YOKE_D_COMPARISON4(R, V, T, o) \
  YOKE_D_FUNCTION R operator o(V a, V b) { \
    return make_##R(-(a.x o b.x), -(a.y o b.y), -(a.z o b.z), -(a.w o b.w)); \
  } \
  YOKE_D_FUNCTION R operator o(V a, T b) { return make_##R(-(a.x o b), -(a.y o b), -(a.z o b), -(a.w o b)); } \
  YOKE_D_FUNCTION R operator o(T a, V b) { return make_##R(-(a o b.x), -(a o b.y), -(a o b.z), -(a o b.w)); }
#define YOKE_D_COMPARISONS(V, T, n) \
  YOKE_D_COMPARISON##n(int##n, V, T, <) \
  YOKE_D_COMPARISON##n(int##n, V, T, <=) \
  YOKE_D_COMPARISON##n(int##n, V, T, >) \
  YOKE_D_COMPARISON##n(int##n, V, T, >=) \
  YOKE_D_COMPARISON##n(int##n, V, T, ==) \
  YOKE_D_COMPARISON##n(int##n, V, T, !=)
#define YOKE_D_LANES2(V, T) \
  YOKE_D_FUNCTION V operator-(V a) { return make_##V(-a.x, -a.y); } \
  YOKE_D_FUNCTION V vload2(size_t at, const T* p) { return make_##V(p[2 * at], p[2 * at + 1]); } \
  YOKE_D_FUNCTION void vstore2(V v, size_t at, T* p) { p[2 * at] = v.x, p[2 * at + 1] = v.y; } \
  YOKE_D_FUNCTION V yoke_load_aligned2(size_t at, const T* p) { return reinterpret_cast<const V*>(p)[at]; } \
  YOKE_D_FUNCTION void yoke_store_aligned2(V v, size_t at, T* p) { reinterpret_cast<V*>(p)[at] = v; }
#define YOKE_D_LANES4(V, T) \
  YOKE_D_FUNCTION V operator-(V a) { return make_##V(-a.x, -a.y, -a.z, -a.w); } \
  YOKE_D_FUNCTION V vload4(size_t at, const T* p) { \
    p += 4 * at; \
    return make_##V(p[0], p[1], p[2], p[3]); \
  } \
  YOKE_D_FUNCTION void vstore4(V v, size_t at, T* p) { \
    p += 4 * at; \
    p[0] = v.x, p[1] = v.y, p[2] = v.z, p[3] = v.w; \
  } \
  YOKE_D_FUNCTION V yoke_load_aligned4(size_t at, const T* p) { return reinterpret_cast<const V*>(p)[at]; } \
  YOKE_D_FUNCTION void yoke_store_aligned4(V v, size_t at, T* p) { reinterpret_cast<V*>(p)[at] = v; }
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
  YOKE_D_SHIFT##n(V, T, <<) \
  YOKE_D_ASSIGNMENT(V, T, <<) \
  YOKE_D_SHIFT##n(V, T, >>) \
  YOKE_D_ASSIGNMENT(V, T, >>) \
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
YOKE_D_FUNCTION int2 operator~(int2 a) { return make_int2(~a.x, ~a.y); }
YOKE_D_FUNCTION int4 operator~(int4 a) { return make_int4(~a.x, ~a.y, ~a.z, ~a.w); }
YOKE_D_FUNCTION uint2 operator~(uint2 a) { return make_uint2(~a.x, ~a.y); }
YOKE_D_FUNCTION uint4 operator~(uint4 a) { return make_uint4(~a.x, ~a.y, ~a.z, ~a.w); }
YOKE_D_FUNCTION int any(int2 a) { return (a.x | a.y) < 0; }
YOKE_D_FUNCTION int any(int4 a) { return (a.x | a.y | a.z | a.w) < 0; }
YOKE_D_FUNCTION int all(int2 a) { return (a.x & a.y) < 0; }
YOKE_D_FUNCTION int all(int4 a) { return (a.x & a.y & a.z & a.w) < 0; }
YOKE_D_FUNCTION float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
YOKE_D_FUNCTION float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
YOKE_D_FUNCTION double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }
YOKE_D_FUNCTION double dot(yoke_double4 a, yoke_double4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
YOKE_D_FUNCTION float length(float2 a) { return sqrt(dot(a, a)); }
YOKE_D_FUNCTION float length(float4 a) { return sqrt(dot(a, a)); }
YOKE_D_FUNCTION double length(double2 a) { return sqrt(dot(a, a)); }
YOKE_D_FUNCTION double length(yoke_double4 a) { return sqrt(dot(a, a)); }
// Functions of each lane, for the parts that have some.
#define YOKE_D_UNARY2(f, V) \
  YOKE_D_FUNCTION V f(V a) { return make_##V(f(a.x), f(a.y)); }
#define YOKE_D_UNARY4(f, V) \
  YOKE_D_FUNCTION V f(V a) { return make_##V(f(a.x), f(a.y), f(a.z), f(a.w)); }
#define YOKE_D_BOTH2(f, V) \
  YOKE_D_FUNCTION V f(V a, V b) { return make_##V(f(a.x, b.x), f(a.y, b.y)); }
#define YOKE_D_BOTH4(f, V) \
  YOKE_D_FUNCTION V f(V a, V b) { return make_##V(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)); }
#define YOKE_D_THREE2(f, V) \
  YOKE_D_FUNCTION V f(V a, V b, V c) { return make_##V(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }
#define YOKE_D_THREE4(f, V) \
  YOKE_D_FUNCTION V f(V a, V b, V c) { \
    return make_##V(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z), f(a.w, b.w, c.w)); \
  }
)yoke"
