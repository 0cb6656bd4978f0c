// SPDX-License-Identifier: MIT
// OpenCL C's vectors in CUDA C++: of 2, 3, 4, 8 and 16 lanes, with the lanes' names, operators, loads and stores.
R"yoke(#ifdef YOKE_D_OPENCL_C
template <class __T, int __Lanes>
struct yoke_d_vector;
// One lane is a scalar. What is read of several takes no assignment, which would be lost.
template <class __T, int __Lanes>
struct yoke_d_lanes_of {
  typedef yoke_d_vector<__T, __Lanes> __type;
  typedef const yoke_d_vector<__T, __Lanes> __read;
};
template <class __T>
struct yoke_d_lanes_of<__T, 1> {
  typedef __T __type;
  typedef __T __read;
};
template <int __Bytes>
struct yoke_d_truth;
template <>
struct yoke_d_truth<1> {
  typedef char __type;
};
template <>
struct yoke_d_truth<2> {
  typedef short __type;
};
template <>
struct yoke_d_truth<4> {
  typedef int __type;
};
template <>
struct yoke_d_truth<8> {
  typedef long __type;
};
template <bool __Condition>
struct yoke_d_if {};
template <>
struct yoke_d_if<true> {
  typedef int __type;
};
// The translator inserts this into each shift, "a << yoke_d_by << b", because OpenCL C takes b modulo the width of a. In `#if`
// it is 0, and nothing changes.
enum yoke_d_shift { yoke_d_by };
template <class __T>
struct yoke_d_shifted {
  __T __value;
};
template <class __B>
struct yoke_d_amount {
  __B __value;
};
template <class __T>
YOKE_D_FUNCTION constexpr yoke_d_shifted<__T> operator<<(__T __a, yoke_d_shift) {
  return {__a};
}
template <class __T>
YOKE_D_FUNCTION constexpr yoke_d_shifted<__T> operator>>(__T __a, yoke_d_shift) {
  return {__a};
}
template <class __B>
YOKE_D_FUNCTION constexpr yoke_d_amount<__B> operator<<=(yoke_d_shift, __B __b) {
  return {__b};
}
template <class __B>
YOKE_D_FUNCTION constexpr yoke_d_amount<__B> operator>>=(yoke_d_shift, __B __b) {
  return {__b};
}
// A scalar is promoted first.
template <class __T, class __B>
YOKE_D_FUNCTION constexpr auto operator<<(yoke_d_shifted<__T> __a, __B __b) -> decltype(__a.__value << (__b & 1)) {
  typedef decltype(__a.__value << (__b & 1)) __result;
  return (__result)((yoke_uint64)__a.__value << ((uint)__b & (8 * sizeof(__result) - 1)));
}
template <class __T, class __B>
YOKE_D_FUNCTION constexpr auto operator>>(yoke_d_shifted<__T> __a, __B __b) -> decltype(__a.__value >> (__b & 1)) {
  return __a.__value >> ((uint)__b & (8 * sizeof(__a.__value >> (__b & 1)) - 1));
}
template <class __T, class __B>
YOKE_D_FUNCTION constexpr auto operator<<=(__T& __a, yoke_d_amount<__B> __b) {
  auto __shifted = (__T)(yoke_d_shifted<__T>{__a} << __b.__value);
  __a = __shifted;
  return __shifted;
}
template <class __T, class __B>
YOKE_D_FUNCTION constexpr auto operator>>=(__T& __a, yoke_d_amount<__B> __b) {
  auto __shifted = (__T)(yoke_d_shifted<__T>{__a} >> __b.__value);
  __a = __shifted;
  return __shifted;
}
template <class __T, int __Lanes, class __B>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> operator<<(yoke_d_shifted<yoke_d_vector<__T, __Lanes>> __a, __B __b) {
  return __a.__value << yoke_d_vector<__T, __Lanes>(__b);
}
template <class __T, int __Lanes, class __B>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> operator>>(yoke_d_shifted<yoke_d_vector<__T, __Lanes>> __a, __B __b) {
  return __a.__value >> yoke_d_vector<__T, __Lanes>(__b);
}
// Half of three lanes is two; the fourth is nobody's.
#define YOKE_D_HALF_OF (__Lanes == 3 ? 2 : __Lanes / 2)
// Lanes on the left of an assignment, also lanes of lanes: lane i is s[at[i]]; below 0 it is nobody's.
template <class __T, int __Lanes>
struct yoke_d_places {
  __T* yoke_s;
  int __at[__Lanes];
  typedef typename yoke_d_lanes_of<__T, __Lanes>::__type __value;
  template <int... __At>
  __device__ yoke_d_places<__T, sizeof...(__At)> yoke_set() const {
    return {yoke_s, {(__At < __Lanes ? __at[__At] : -1)...}};
  }
  template <int __Which>
  __device__ yoke_d_places<__T, YOKE_D_HALF_OF> yoke_set_half() const {
    yoke_d_places<__T, YOKE_D_HALF_OF> __out = {yoke_s, {}};
    for (int __i = 0; __i < YOKE_D_HALF_OF; ++__i) {
      int __from = (__Which == 1 ? YOKE_D_HALF_OF : __Which == 3) + (__Which > 1 ? 2 : 1) * __i;
      __out.__at[__i] = __from < __Lanes ? __at[__from] : -1;
    }
    return __out;
  }
  static __device__ __T& __lane(__T& __scalar, int) { return __scalar; }
  template <int __M>
  static __device__ __T& __lane(yoke_d_vector<__T, __M>& __v, int __i) {
    return __v.yoke_s[__i];
  }
  __device__ __value __get() const {
    __value __out = (__T)0;
    for (int __i = 0; __i < __Lanes; ++__i) {
      if (__at[__i] >= 0) __lane(__out, __i) = yoke_s[__at[__i]];
    }
    return __out;
  }
  __device__ __value operator=(__value __from) {
    for (int __i = 0; __i < __Lanes; ++__i) {
      if (__at[__i] >= 0) yoke_s[__at[__i]] = __lane(__from, __i);
    }
    return __from;
  }
  __device__ __value operator++(int) {
    __value __before = __get();
    *this = __before + __value((__T)1);
    return __before;
  }
  __device__ __value operator--(int) {
    __value __before = __get();
    *this = __before - __value((__T)1);
    return __before;
  }
#define YOKE_D_ASSIGN(o) \
  __device__ __value operator o##=(__value __from) { return *this = __get() o __from; }
  YOKE_D_ASSIGN(+)
  YOKE_D_ASSIGN(-)
  YOKE_D_ASSIGN(*)
  YOKE_D_ASSIGN(/)
  YOKE_D_ASSIGN(%)
  YOKE_D_ASSIGN(&)
  YOKE_D_ASSIGN(|)
  YOKE_D_ASSIGN(^)
#undef YOKE_D_ASSIGN
  template <class __B>
  __device__ __value operator<<=(__B __b) {
    return *this = yoke_d_shifted<__value>{__get()} << __b;
  }
  template <class __B>
  __device__ __value operator>>=(__B __b) {
    return *this = yoke_d_shifted<__value>{__get()} >> __b;
  }
  template <class __B>
  __device__ __value operator<<=(yoke_d_amount<__B> __b) {
    return *this = yoke_d_shifted<__value>{__get()} << __b.__value;
  }
  template <class __B>
  __device__ __value operator>>=(yoke_d_amount<__B> __b) {
    return *this = yoke_d_shifted<__value>{__get()} >> __b.__value;
  }
};
#define YOKE_D_MEMBERS(T, N) \
  yoke_d_vector() = default; \
  __device__ constexpr yoke_d_vector(T __value) : yoke_s{} { \
    for (int __i = 0; __i < N; ++__i) yoke_s[__i] = __value; \
  } \
  template <class... __A, typename yoke_d_if<sizeof...(__A) == N>::__type = 0> \
  __device__ constexpr yoke_d_vector(__A... __lanes) : yoke_s{T(__lanes)...} {} \
  template <int... __At> \
  __device__ const yoke_d_vector<T, sizeof...(__At)> yoke_get() const { \
    return yoke_d_vector<T, sizeof...(__At)>(yoke_s[__At]...); \
  } \
  template <int... __At> \
  __device__ yoke_d_places<T, sizeof...(__At)> yoke_set()& { \
    return {yoke_s, {__At...}}; \
  } \
  template <int __Which> \
  __device__ yoke_d_places<T, YOKE_D_HALF_OF> yoke_set_half()& { \
    yoke_d_places<T, YOKE_D_HALF_OF> __out = {yoke_s, {}}; \
    for (int __i = 0; __i < YOKE_D_HALF_OF; ++__i) { \
      __out.__at[__i] = (__Which == 1 ? YOKE_D_HALF_OF : __Which == 3) + (__Which > 1 ? 2 : 1) * __i; \
    } \
    return __out; \
  } \
  template <int __Which> \
  __device__ typename yoke_d_lanes_of<T, YOKE_D_HALF_OF>::__read yoke_get_half() const { \
    return const_cast<yoke_d_vector*>(this)->yoke_set_half<__Which>().__get(); \
  } \
  YOKE_D_OPERATORS
#define YOKE_D_OPERATOR_OF(o) \
  friend __device__ yoke_d_vector operator o(yoke_d_vector __a, yoke_d_vector __b) { \
    yoke_d_vector __out; \
    for (int __i = 0; __i < yoke_lanes; ++__i) __out.yoke_s[__i] = (yoke_lane)(__a.yoke_s[__i] o __b.yoke_s[__i]); \
    return __out; \
  } \
  friend __device__ yoke_d_vector& operator o##=(yoke_d_vector& __a, yoke_d_vector __b) { return __a = __a o __b; }
#define YOKE_D_SHIFT_OF(o) \
  friend __device__ yoke_d_vector operator o(yoke_d_vector __a, yoke_d_vector __b) { \
    yoke_d_vector __out; \
    for (int __i = 0; __i < yoke_lanes; ++__i) \
      __out.yoke_s[__i] = (yoke_lane)(__a.yoke_s[__i] o(__b.yoke_s[__i] & (yoke_lane)(8 * sizeof(yoke_lane) - 1))); \
    return __out; \
  } \
  friend __device__ yoke_d_vector& operator o##=(yoke_d_vector& __a, yoke_d_vector __b) { return __a = __a o __b; }
// -1 for true.
#define YOKE_D_COMPARISON_OF(o) \
  friend __device__ yoke_truths operator o(yoke_d_vector __a, yoke_d_vector __b) { \
    yoke_truths __out; \
    for (int __i = 0; __i < yoke_lanes; ++__i) __out.yoke_s[__i] = (__a.yoke_s[__i] o __b.yoke_s[__i]) ? -1 : 0; \
    return __out; \
  }
#define YOKE_D_OPERATORS \
  YOKE_D_OPERATOR_OF(+) \
  YOKE_D_OPERATOR_OF(-) \
  YOKE_D_OPERATOR_OF(*) \
  YOKE_D_OPERATOR_OF(/) \
  YOKE_D_OPERATOR_OF(%) \
  YOKE_D_OPERATOR_OF(&) \
  YOKE_D_OPERATOR_OF(|) \
  YOKE_D_OPERATOR_OF(^) \
  YOKE_D_SHIFT_OF(<<) \
  YOKE_D_SHIFT_OF(>>) \
  YOKE_D_COMPARISON_OF(<) \
  YOKE_D_COMPARISON_OF(<=) \
  YOKE_D_COMPARISON_OF(>) \
  YOKE_D_COMPARISON_OF(>=) \
  YOKE_D_COMPARISON_OF(==) \
  YOKE_D_COMPARISON_OF(!=) \
  YOKE_D_COMPARISON_OF(&&) \
  YOKE_D_COMPARISON_OF(||) \
  friend __device__ yoke_d_vector operator-(yoke_d_vector __a) { \
    for (int __i = 0; __i < yoke_lanes; ++__i) __a.yoke_s[__i] = -__a.yoke_s[__i]; \
    return __a; \
  } \
  friend __device__ yoke_d_vector operator+(yoke_d_vector __a) { return __a; } \
  friend __device__ yoke_d_vector operator~(yoke_d_vector __a) { \
    for (int __i = 0; __i < yoke_lanes; ++__i) __a.yoke_s[__i] = (yoke_lane)~__a.yoke_s[__i]; \
    return __a; \
  } \
  friend __device__ yoke_truths operator!(yoke_d_vector __a) { \
    yoke_truths __out; \
    for (int __i = 0; __i < yoke_lanes; ++__i) __out.yoke_s[__i] = __a.yoke_s[__i] == 0 ? -1 : 0; \
    return __out; \
  } \
  friend __device__ yoke_d_vector& operator++(yoke_d_vector& __a) { return __a = __a + yoke_d_vector(yoke_lane(1)); } \
  friend __device__ yoke_d_vector& operator--(yoke_d_vector& __a) { return __a = __a - yoke_d_vector(yoke_lane(1)); } \
  friend __device__ yoke_d_vector operator++(yoke_d_vector& __a, int) { \
    yoke_d_vector __before = __a; \
    ++__a; \
    return __before; \
  } \
  friend __device__ yoke_d_vector operator--(yoke_d_vector& __a, int) { \
    yoke_d_vector __before = __a; \
    --__a; \
    return __before; \
  }
#define YOKE_D_TYPES \
  typedef __T yoke_lane; \
  static constexpr int yoke_lanes = __Lanes; \
  typedef yoke_d_vector<typename yoke_d_truth<sizeof(__T)>::__type, __Lanes> yoke_truths;
#define YOKE_D_VECTOR_OF(lanes, places, ...) \
  template <class __T> \
  struct __align__(places * sizeof(__T)) yoke_d_vector<__T, lanes> { \
    static constexpr int __Lanes = lanes; \
    YOKE_D_TYPES \
    union { \
      __T yoke_s[places]; \
      struct { \
        __T __VA_ARGS__; \
      }; \
    }; \
    YOKE_D_MEMBERS(__T, lanes) \
  };
YOKE_D_VECTOR_OF(2, 2, x, y)
YOKE_D_VECTOR_OF(3, 4, x, y, z)
YOKE_D_VECTOR_OF(4, 4, x, y, z, w)
YOKE_D_VECTOR_OF(8, 8, x, y, z, w)
YOKE_D_VECTOR_OF(16, 16, x, y, z, w)
// A literal: scalars and vectors, one behind the other; one scalar alone is every lane.
template <class __V, class __T>
YOKE_D_FUNCTION constexpr int yoke_d_put(__V& __out, int __at, __T __scalar) {
  __out.yoke_s[__at] = (typename __V::yoke_lane)__scalar;
  return __at + 1;
}
template <class __V, class __T, int __Lanes>
YOKE_D_FUNCTION constexpr int yoke_d_put(__V& __out, int __at, yoke_d_vector<__T, __Lanes> __v) {
  for (int __i = 0; __i < __Lanes; ++__i) __out.yoke_s[__at + __i] = __v.yoke_s[__i];
  return __at + __Lanes;
}
template <class __T>
struct yoke_d_count {
  static constexpr int __value = 1;
};
template <class __T, int __Lanes>
struct yoke_d_count<yoke_d_vector<__T, __Lanes>> {
  static constexpr int __value = __Lanes;
};
template <class __V, class... __Parts>
YOKE_D_FUNCTION constexpr __V yoke_d_make(__Parts... __parts) {
  constexpr int __count = (0 + ... + yoke_d_count<__Parts>::__value);
  static_assert(__count == __V::yoke_lanes || (__count == 1 && sizeof...(__Parts) == 1),
                "a vector literal has as many lanes as its type, or one scalar");
  __V __out((typename __V::yoke_lane)0);
  if constexpr (__count == 1) {
    __out = __V(static_cast<typename __V::yoke_lane>((__parts, ...)));
  } else {
    int __at = 0;
    ((__at = yoke_d_put(__out, __at, __parts)), ...);
  }
  return __out;
}
#define YOKE_D_MEMORY(n) \
  template <class __T> \
  YOKE_D_FUNCTION yoke_d_vector<__T, n> vload##n(size_t __at, const __T* __p) { \
    yoke_d_vector<__T, n> __out; \
    for (int __i = 0; __i < n; ++__i) __out.yoke_s[__i] = __p[n * __at + __i]; \
    return __out; \
  } \
  template <class __T> \
  YOKE_D_FUNCTION void vstore##n(yoke_d_vector<__T, n> __v, size_t __at, __T* __p) { \
    for (int __i = 0; __i < n; ++__i) __p[n * __at + __i] = __v.yoke_s[__i]; \
  } \
  YOKE_D_FUNCTION yoke_d_vector<float, n> vload_half##n(size_t __at, const yoke_half* __p) { \
    yoke_d_vector<float, n> __out; \
    for (int __i = 0; __i < n; ++__i) __out.yoke_s[__i] = __p[n * __at + __i]; \
    return __out; \
  } \
  YOKE_D_FUNCTION void vstore_half##n(yoke_d_vector<float, n> __v, size_t __at, yoke_half* __p) { \
    for (int __i = 0; __i < n; ++__i) __p[n * __at + __i] = yoke_half(__v.yoke_s[__i]); \
  } \
  YOKE_D_FUNCTION void vstore_half##n##_rte(yoke_d_vector<float, n> __v, size_t __at, yoke_half* __p) { \
    vstore_half##n(__v, __at, __p); \
  } \
  YOKE_D_FUNCTION yoke_d_vector<float, n> vloada_half##n(size_t __at, const yoke_half* __p) { \
    return vload_half##n(n == 3 ? 0 : __at, n == 3 ? __p + 4 * __at : __p); \
  } \
  YOKE_D_FUNCTION void vstorea_half##n(yoke_d_vector<float, n> __v, size_t __at, yoke_half* __p) { \
    vstore_half##n(__v, n == 3 ? 0 : __at, n == 3 ? __p + 4 * __at : __p); \
  }
YOKE_D_MEMORY(2)
YOKE_D_MEMORY(3)
YOKE_D_MEMORY(4)
YOKE_D_MEMORY(8)
YOKE_D_MEMORY(16)
#define YOKE_D_NAMES(T) \
  typedef yoke_d_vector<T, 2> yoke_d_##T##2; \
  typedef yoke_d_vector<T, 3> yoke_d_##T##3; \
  typedef yoke_d_vector<T, 4> yoke_d_##T##4; \
  typedef yoke_d_vector<T, 8> yoke_d_##T##8; \
  typedef yoke_d_vector<T, 16> yoke_d_##T##16;
YOKE_D_NAMES(char)
YOKE_D_NAMES(uchar)
YOKE_D_NAMES(short)
YOKE_D_NAMES(ushort)
YOKE_D_NAMES(int)
YOKE_D_NAMES(uint)
YOKE_D_NAMES(long)
YOKE_D_NAMES(ulong)
YOKE_D_NAMES(float)
YOKE_D_NAMES(double)
#define char2 yoke_d_char2
#define char3 yoke_d_char3
#define char4 yoke_d_char4
#define char8 yoke_d_char8
#define char16 yoke_d_char16
#define uchar2 yoke_d_uchar2
#define uchar3 yoke_d_uchar3
#define uchar4 yoke_d_uchar4
#define uchar8 yoke_d_uchar8
#define uchar16 yoke_d_uchar16
#define short2 yoke_d_short2
#define short3 yoke_d_short3
#define short4 yoke_d_short4
#define short8 yoke_d_short8
#define short16 yoke_d_short16
#define ushort2 yoke_d_ushort2
#define ushort3 yoke_d_ushort3
#define ushort4 yoke_d_ushort4
#define ushort8 yoke_d_ushort8
#define ushort16 yoke_d_ushort16
#define int2 yoke_d_int2
#define int3 yoke_d_int3
#define int4 yoke_d_int4
#define int8 yoke_d_int8
#define int16 yoke_d_int16
#define uint2 yoke_d_uint2
#define uint3 yoke_d_uint3
#define uint4 yoke_d_uint4
#define uint8 yoke_d_uint8
#define uint16 yoke_d_uint16
#define long2 yoke_d_long2
#define long3 yoke_d_long3
#define long4 yoke_d_long4
#define long8 yoke_d_long8
#define long16 yoke_d_long16
#define ulong2 yoke_d_ulong2
#define ulong3 yoke_d_ulong3
#define ulong4 yoke_d_ulong4
#define ulong8 yoke_d_ulong8
#define ulong16 yoke_d_ulong16
#define float2 yoke_d_float2
#define float3 yoke_d_float3
#define float4 yoke_d_float4
#define float8 yoke_d_float8
#define float16 yoke_d_float16
#define double2 yoke_d_double2
#define double3 yoke_d_double3
#define double4 yoke_d_double4
#define double8 yoke_d_double8
#define double16 yoke_d_double16
#endif
)yoke"
