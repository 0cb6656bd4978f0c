// SPDX-License-Identifier: MIT
// OpenCL C's functions in CUDA C++, as far as neither CUDA nor the dialect has them: of vectors, geometry, copies.
R"yoke(#ifdef YOKE_D_OPENCL_C
#define YOKE_D_EACH1(name) \
  template <class __T, int __Lanes> \
  YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> name(yoke_d_vector<__T, __Lanes> __a) { \
    for (int __i = 0; __i < __Lanes; ++__i) __a.yoke_s[__i] = name(__a.yoke_s[__i]); \
    return __a; \
  }
#define YOKE_D_EACH2(name) \
  template <class __T, int __Lanes> \
  YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> name(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b) { \
    for (int __i = 0; __i < __Lanes; ++__i) __a.yoke_s[__i] = name(__a.yoke_s[__i], __b.yoke_s[__i]); \
    return __a; \
  }
#define YOKE_D_EACH2_SCALAR(name) \
  YOKE_D_EACH2(name) \
  template <class __T, int __Lanes, class __S> \
  YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> name(yoke_d_vector<__T, __Lanes> __a, __S __b) { \
    for (int __i = 0; __i < __Lanes; ++__i) __a.yoke_s[__i] = name(__a.yoke_s[__i], (__T)__b); \
    return __a; \
  }
#define YOKE_D_EACH3(name) \
  template <class __T, int __Lanes> \
  YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> name(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b, \
                                                   yoke_d_vector<__T, __Lanes> __c) { \
    for (int __i = 0; __i < __Lanes; ++__i) __a.yoke_s[__i] = name(__a.yoke_s[__i], __b.yoke_s[__i], __c.yoke_s[__i]); \
    return __a; \
  }
#define YOKE_D_EACH_TRUTH(name) \
  template <class __T, int __Lanes> \
  YOKE_D_FUNCTION typename yoke_d_vector<__T, __Lanes>::yoke_truths name(yoke_d_vector<__T, __Lanes> __a) { \
    typename yoke_d_vector<__T, __Lanes>::yoke_truths __out; \
    for (int __i = 0; __i < __Lanes; ++__i) __out.yoke_s[__i] = name(__a.yoke_s[__i]) ? -1 : 0; \
    return __out; \
  }
#define YOKE_D_ROUGH(name) \
  YOKE_D_FUNCTION float half_##name(float __x) { return name(__x); } \
  YOKE_D_EACH1(half_##name)
YOKE_D_EACH1(sqrt)
YOKE_D_EACH1(rsqrt)
YOKE_D_EACH1(cbrt)
YOKE_D_EACH1(exp)
YOKE_D_EACH1(exp2)
YOKE_D_EACH1(exp10)
YOKE_D_EACH1(expm1)
YOKE_D_EACH1(log)
YOKE_D_EACH1(log2)
YOKE_D_EACH1(log10)
YOKE_D_EACH1(log1p)
YOKE_D_EACH1(sin)
YOKE_D_EACH1(cos)
YOKE_D_EACH1(tan)
YOKE_D_EACH1(asin)
YOKE_D_EACH1(acos)
YOKE_D_EACH1(atan)
YOKE_D_EACH1(sinh)
YOKE_D_EACH1(cosh)
YOKE_D_EACH1(tanh)
YOKE_D_EACH1(asinh)
YOKE_D_EACH1(acosh)
YOKE_D_EACH1(atanh)
YOKE_D_EACH1(sinpi)
YOKE_D_EACH1(cospi)
YOKE_D_EACH1(floor)
YOKE_D_EACH1(ceil)
YOKE_D_EACH1(trunc)
YOKE_D_EACH1(round)
YOKE_D_EACH1(rint)
YOKE_D_EACH1(fabs)
YOKE_D_EACH1(erf)
YOKE_D_EACH1(erfc)
YOKE_D_EACH1(tgamma)
YOKE_D_EACH1(lgamma)
YOKE_D_EACH1(sign)
YOKE_D_EACH1(degrees)
YOKE_D_EACH1(radians)
YOKE_D_EACH1(popcount)
YOKE_D_EACH1(clz)
YOKE_D_EACH1(native_sin)
YOKE_D_EACH1(native_cos)
YOKE_D_EACH1(native_tan)
YOKE_D_EACH1(native_exp)
YOKE_D_EACH1(native_exp2)
YOKE_D_EACH1(native_exp10)
YOKE_D_EACH1(native_log)
YOKE_D_EACH1(native_log2)
YOKE_D_EACH1(native_log10)
YOKE_D_EACH1(native_sqrt)
YOKE_D_EACH1(native_rsqrt)
YOKE_D_EACH1(native_recip)
YOKE_D_EACH2(pow)
YOKE_D_EACH2(powr)
YOKE_D_EACH2(atan2)
YOKE_D_EACH2(fmod)
YOKE_D_EACH2(hypot)
YOKE_D_EACH2(copysign)
YOKE_D_EACH2(fdim)
YOKE_D_EACH2(nextafter)
YOKE_D_EACH2(mul_hi)
YOKE_D_EACH2(mul24)
YOKE_D_EACH2(rotate)
YOKE_D_EACH2(add_sat)
YOKE_D_EACH2(sub_sat)
YOKE_D_EACH2(hadd)
YOKE_D_EACH2(rhadd)
YOKE_D_EACH2(native_divide)
template <class __T, int __Lanes>
YOKE_D_FUNCTION yoke_d_vector<decltype(abs(__T())), __Lanes> abs(yoke_d_vector<__T, __Lanes> __a) {
  yoke_d_vector<decltype(abs(__T())), __Lanes> __out;
  for (int __i = 0; __i < __Lanes; ++__i) __out.yoke_s[__i] = abs(__a.yoke_s[__i]);
  return __out;
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION yoke_d_vector<decltype(abs_diff(__T(), __T())), __Lanes> abs_diff(yoke_d_vector<__T, __Lanes> __a,
                                                                                  yoke_d_vector<__T, __Lanes> __b) {
  yoke_d_vector<decltype(abs_diff(__T(), __T())), __Lanes> __out;
  for (int __i = 0; __i < __Lanes; ++__i) __out.yoke_s[__i] = abs_diff(__a.yoke_s[__i], __b.yoke_s[__i]);
  return __out;
}
template <class __T, class __U, int __Lanes>
YOKE_D_FUNCTION yoke_d_vector<decltype(upsample(__T(), __U())), __Lanes> upsample(yoke_d_vector<__T, __Lanes> __high,
                                                                                  yoke_d_vector<__U, __Lanes> __low) {
  yoke_d_vector<decltype(upsample(__T(), __U())), __Lanes> __out;
  for (int __i = 0; __i < __Lanes; ++__i) __out.yoke_s[__i] = upsample(__high.yoke_s[__i], __low.yoke_s[__i]);
  return __out;
}
YOKE_D_EACH2(native_powr)
YOKE_D_EACH2_SCALAR(min)
YOKE_D_EACH2_SCALAR(max)
YOKE_D_EACH2_SCALAR(fmin)
YOKE_D_EACH2_SCALAR(fmax)
YOKE_D_EACH2_SCALAR(step)
YOKE_D_EACH3(fma)
YOKE_D_EACH3(mad)
YOKE_D_EACH3(clamp)
YOKE_D_EACH3(mix)
YOKE_D_EACH3(smoothstep)
YOKE_D_EACH3(mad24)
YOKE_D_EACH3(mad_hi)
YOKE_D_EACH3(mad_sat)
YOKE_D_EACH_TRUTH(isnan)
YOKE_D_EACH_TRUTH(isinf)
YOKE_D_EACH_TRUTH(isfinite)
YOKE_D_EACH_TRUTH(signbit)
YOKE_D_ROUGH(sqrt)
YOKE_D_ROUGH(rsqrt)
YOKE_D_ROUGH(exp)
YOKE_D_ROUGH(exp2)
YOKE_D_ROUGH(exp10)
YOKE_D_ROUGH(log)
YOKE_D_ROUGH(log2)
YOKE_D_ROUGH(log10)
YOKE_D_ROUGH(sin)
YOKE_D_ROUGH(cos)
YOKE_D_ROUGH(tan)
YOKE_D_FUNCTION float half_recip(float __x) { return 1.0f / __x; }
YOKE_D_FUNCTION float half_divide(float __x, float __y) { return __x / __y; }
YOKE_D_FUNCTION float half_powr(float __x, float __y) { return pow(__x, __y); }
#define YOKE_D_GEOMETRY(T) \
  YOKE_D_FUNCTION T dot(T __a, T __b) { return __a * __b; } \
  YOKE_D_FUNCTION T length(T __a) { return fabs(__a); } \
  YOKE_D_FUNCTION T distance(T __a, T __b) { return fabs(__a - __b); }
YOKE_D_GEOMETRY(float)
YOKE_D_GEOMETRY(double)
template <class __T, int __Lanes>
YOKE_D_FUNCTION __T dot(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b) {
  __T __sum = __a.yoke_s[0] * __b.yoke_s[0];
  for (int __i = 1; __i < __Lanes; ++__i) __sum += __a.yoke_s[__i] * __b.yoke_s[__i];
  return __sum;
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION __T length(yoke_d_vector<__T, __Lanes> __a) {
  return sqrt(dot(__a, __a));
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION __T fast_length(yoke_d_vector<__T, __Lanes> __a) {
  return sqrt(dot(__a, __a));
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION __T distance(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b) {
  return length(__a - __b);
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION __T fast_distance(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b) {
  return length(__a - __b);
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> normalize(yoke_d_vector<__T, __Lanes> __a) {
  __T __size = length(__a);
  return __size == __T(0) ? __a : __a / yoke_d_vector<__T, __Lanes>(__size);
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> fast_normalize(yoke_d_vector<__T, __Lanes> __a) {
  return normalize(__a);
}
template <class __T>
YOKE_D_FUNCTION yoke_d_vector<__T, 3> cross(yoke_d_vector<__T, 3> __a, yoke_d_vector<__T, 3> __b) {
  return yoke_d_vector<__T, 3>(__a.y * __b.z - __a.z * __b.y, __a.z * __b.x - __a.x * __b.z,
                               __a.x * __b.y - __a.y * __b.x);
}
template <class __T>
YOKE_D_FUNCTION yoke_d_vector<__T, 4> cross(yoke_d_vector<__T, 4> __a, yoke_d_vector<__T, 4> __b) {
  return yoke_d_vector<__T, 4>(__a.y * __b.z - __a.z * __b.y, __a.z * __b.x - __a.x * __b.z,
                               __a.x * __b.y - __a.y * __b.x, __T(0));
}
template <class __T, int __Lanes, class __C>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> select(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b,
                                                   yoke_d_vector<__C, __Lanes> __c) {
  for (int __i = 0; __i < __Lanes; ++__i)
    __a.yoke_s[__i] = __c.yoke_s[__i] >> (8 * sizeof(__C) - 1) ? __b.yoke_s[__i] : __a.yoke_s[__i];
  return __a;
}
template <class __T>
YOKE_D_FUNCTION __T bitselect(__T __a, __T __b, __T __c) {
  return __a ^ ((__a ^ __b) & __c);
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION int any(yoke_d_vector<__T, __Lanes> __a) {
  int __found = 0;
  for (int __i = 0; __i < __Lanes; ++__i) __found |= __a.yoke_s[__i] < 0;
  return __found;
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION int all(yoke_d_vector<__T, __Lanes> __a) {
  int __found = 1;
  for (int __i = 0; __i < __Lanes; ++__i) __found &= __a.yoke_s[__i] < 0;
  return __found;
}
template <class __T, int __Lanes, class __S>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> clamp(yoke_d_vector<__T, __Lanes> __a, __S __low, __S __high) {
  return min(max(__a, yoke_d_vector<__T, __Lanes>(__low)), yoke_d_vector<__T, __Lanes>(__high));
}
template <class __T, int __Lanes, class __S>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> mix(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<__T, __Lanes> __b,
                                                __S __share) {
  return __a + (__b - __a) * yoke_d_vector<__T, __Lanes>((__T)__share);
}
template <class __T, int __Lanes>
YOKE_D_FUNCTION yoke_d_vector<__T, __Lanes> pown(yoke_d_vector<__T, __Lanes> __a, yoke_d_vector<int, __Lanes> __b) {
  for (int __i = 0; __i < __Lanes; ++__i) __a.yoke_s[__i] = pown(__a.yoke_s[__i], __b.yoke_s[__i]);
  return __a;
}
template <class __T>
YOKE_D_FUNCTION __T sincos(__T __x, __T* __cosine) {
  *__cosine = cos(__x);
  return sin(__x);
}
template <class __T>
YOKE_D_FUNCTION __T fract(__T __x, __T* __whole) {
  *__whole = floor(__x);
  return fmin(__x - *__whole, (__T)(1 - (sizeof(__T) == 4 ? 5.9604645e-8 : 1.1102230246251565e-16)));
}
#define YOKE_D_ROUNDED(name, T) \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_rtp(__From __from) { \
    return T(ceil((double)__from)); \
  } \
  template <class __From> \
  YOKE_D_FUNCTION T convert_##name##_rtn(__From __from) { \
    return T(floor((double)__from)); \
  }
YOKE_D_ROUNDED(char, yoke_int8)
YOKE_D_ROUNDED(uchar, uchar)
YOKE_D_ROUNDED(short, short)
YOKE_D_ROUNDED(ushort, ushort)
YOKE_D_ROUNDED(int, int)
YOKE_D_ROUNDED(uint, uint)
#define YOKE_D_CONVERT_VECTOR(T, n, mode) \
  template <class __From> \
  YOKE_D_FUNCTION yoke_d_vector<T, n> convert_##T##n##mode(yoke_d_vector<__From, n> __from) { \
    yoke_d_vector<T, n> __out; \
    for (int __i = 0; __i < n; ++__i) __out.yoke_s[__i] = convert_##T##mode(__from.yoke_s[__i]); \
    return __out; \
  }
#define YOKE_D_AS_VECTOR(T, n) \
  template <class __From> \
  YOKE_D_FUNCTION yoke_d_vector<T, n> as_##T##n(__From __from) { \
    return yoke_d_bits<yoke_d_vector<T, n>>(__from); \
  }
typedef int event_t;
template <class __T>
YOKE_D_FUNCTION event_t async_work_group_copy(__T* __to, const __T* __from, size_t __count, event_t) {
  const size_t __all = get_local_size(0) * get_local_size(1) * get_local_size(2);
  for (size_t __i = get_local_linear_id(); __i < __count; __i += __all) __to[__i] = __from[__i];
  return 0;
}
#ifdef __YOKE_SIMULATOR__
YOKE_D_FUNCTION bool yoke_d_is_local(const void* __address) { return ::yoke_simulator::engine->is_shared(__address); }
#else
YOKE_D_FUNCTION bool yoke_d_is_local(const void* __address) {
  uint __found;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(__found) : "l"(__address));
  return __found != 0;
}
#endif
// The stride is that of the side in device memory.
template <class __T>
YOKE_D_FUNCTION event_t async_work_group_strided_copy(__T* __to, const __T* __from, size_t __count, size_t __stride,
                                                      event_t) {
  const size_t __all = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const bool __out = yoke_d_is_local(__from);
  for (size_t __i = get_local_linear_id(); __i < __count; __i += __all)
    __to[__out ? __i * __stride : __i] = __from[__out ? __i : __i * __stride];
  return 0;
}
#define wait_group_events(count, events) __syncthreads()
template <class __T>
YOKE_D_FUNCTION void prefetch(const __T*, size_t) {}
#endif
)yoke"
