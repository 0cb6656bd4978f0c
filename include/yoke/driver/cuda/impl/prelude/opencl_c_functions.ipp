// SPDX-License-Identifier: MIT
// OpenCL C's functions in CUDA C++, as far as neither CUDA nor the dialect has them: of vectors, geometry, copies.
R"yoke(#ifdef YOKE_D_OPENCL_C
#define YOKE_D_EACH1(name) \
  template <class T, int N> \
  YOKE_D_FUNCTION yoke_d_vector<T, N> name(yoke_d_vector<T, N> a) { \
    for (int i = 0; i < N; ++i) a.s[i] = name(a.s[i]); \
    return a; \
  }
#define YOKE_D_EACH2(name) \
  template <class T, int N> \
  YOKE_D_FUNCTION yoke_d_vector<T, N> name(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b) { \
    for (int i = 0; i < N; ++i) a.s[i] = name(a.s[i], b.s[i]); \
    return a; \
  }
#define YOKE_D_EACH2_SCALAR(name) \
  YOKE_D_EACH2(name) \
  template <class T, int N, class S> \
  YOKE_D_FUNCTION yoke_d_vector<T, N> name(yoke_d_vector<T, N> a, S b) { \
    for (int i = 0; i < N; ++i) a.s[i] = name(a.s[i], (T)b); \
    return a; \
  }
#define YOKE_D_EACH3(name) \
  template <class T, int N> \
  YOKE_D_FUNCTION yoke_d_vector<T, N> name(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b, yoke_d_vector<T, N> c) { \
    for (int i = 0; i < N; ++i) a.s[i] = name(a.s[i], b.s[i], c.s[i]); \
    return a; \
  }
#define YOKE_D_EACH_TRUTH(name) \
  template <class T, int N> \
  YOKE_D_FUNCTION typename yoke_d_vector<T, N>::yoke_truths name(yoke_d_vector<T, N> a) { \
    typename yoke_d_vector<T, N>::yoke_truths out; \
    for (int i = 0; i < N; ++i) out.s[i] = name(a.s[i]) ? -1 : 0; \
    return out; \
  }
#define YOKE_D_ROUGH(name) \
  YOKE_D_FUNCTION float half_##name(float x) { return name(x); } \
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
template <class T, int N>
YOKE_D_FUNCTION yoke_d_vector<decltype(abs(T())), N> abs(yoke_d_vector<T, N> a) {
  yoke_d_vector<decltype(abs(T())), N> out;
  for (int i = 0; i < N; ++i) out.s[i] = abs(a.s[i]);
  return out;
}
template <class T, int N>
YOKE_D_FUNCTION yoke_d_vector<decltype(abs_diff(T(), T())), N> abs_diff(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b) {
  yoke_d_vector<decltype(abs_diff(T(), T())), N> out;
  for (int i = 0; i < N; ++i) out.s[i] = abs_diff(a.s[i], b.s[i]);
  return out;
}
template <class T, class U, int N>
YOKE_D_FUNCTION yoke_d_vector<decltype(upsample(T(), U())), N> upsample(yoke_d_vector<T, N> high, yoke_d_vector<U, N> low) {
  yoke_d_vector<decltype(upsample(T(), U())), N> out;
  for (int i = 0; i < N; ++i) out.s[i] = upsample(high.s[i], low.s[i]);
  return out;
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
YOKE_D_FUNCTION float half_recip(float x) { return 1.0f / x; }
YOKE_D_FUNCTION float half_divide(float x, float y) { return x / y; }
YOKE_D_FUNCTION float half_powr(float x, float y) { return pow(x, y); }
#define YOKE_D_GEOMETRY(T) \
  YOKE_D_FUNCTION T dot(T a, T b) { return a * b; } \
  YOKE_D_FUNCTION T length(T a) { return fabs(a); } \
  YOKE_D_FUNCTION T distance(T a, T b) { return fabs(a - b); }
YOKE_D_GEOMETRY(float)
YOKE_D_GEOMETRY(double)
template <class T, int N>
YOKE_D_FUNCTION T dot(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b) {
  T sum = a.s[0] * b.s[0];
  for (int i = 1; i < N; ++i) sum += a.s[i] * b.s[i];
  return sum;
}
template <class T, int N>
YOKE_D_FUNCTION T length(yoke_d_vector<T, N> a) {
  return sqrt(dot(a, a));
}
template <class T, int N>
YOKE_D_FUNCTION T fast_length(yoke_d_vector<T, N> a) {
  return sqrt(dot(a, a));
}
template <class T, int N>
YOKE_D_FUNCTION T distance(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b) {
  return length(a - b);
}
template <class T, int N>
YOKE_D_FUNCTION T fast_distance(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b) {
  return length(a - b);
}
template <class T, int N>
YOKE_D_FUNCTION yoke_d_vector<T, N> normalize(yoke_d_vector<T, N> a) {
  T size = length(a);
  return size == T(0) ? a : a / yoke_d_vector<T, N>(size);
}
template <class T, int N>
YOKE_D_FUNCTION yoke_d_vector<T, N> fast_normalize(yoke_d_vector<T, N> a) {
  return normalize(a);
}
template <class T>
YOKE_D_FUNCTION yoke_d_vector<T, 3> cross(yoke_d_vector<T, 3> a, yoke_d_vector<T, 3> b) {
  return yoke_d_vector<T, 3>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <class T>
YOKE_D_FUNCTION yoke_d_vector<T, 4> cross(yoke_d_vector<T, 4> a, yoke_d_vector<T, 4> b) {
  return yoke_d_vector<T, 4>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, T(0));
}
template <class T, int N, class C>
YOKE_D_FUNCTION yoke_d_vector<T, N> select(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b, yoke_d_vector<C, N> c) {
  for (int i = 0; i < N; ++i) a.s[i] = c.s[i] >> (8 * sizeof(C) - 1) ? b.s[i] : a.s[i];
  return a;
}
template <class T>
YOKE_D_FUNCTION T bitselect(T a, T b, T c) {
  return a ^ ((a ^ b) & c);
}
template <class T, int N>
YOKE_D_FUNCTION int any(yoke_d_vector<T, N> a) {
  int found = 0;
  for (int i = 0; i < N; ++i) found |= a.s[i] < 0;
  return found;
}
template <class T, int N>
YOKE_D_FUNCTION int all(yoke_d_vector<T, N> a) {
  int found = 1;
  for (int i = 0; i < N; ++i) found &= a.s[i] < 0;
  return found;
}
template <class T, int N, class S>
YOKE_D_FUNCTION yoke_d_vector<T, N> clamp(yoke_d_vector<T, N> a, S low, S high) {
  return min(max(a, yoke_d_vector<T, N>(low)), yoke_d_vector<T, N>(high));
}
template <class T, int N, class S>
YOKE_D_FUNCTION yoke_d_vector<T, N> mix(yoke_d_vector<T, N> a, yoke_d_vector<T, N> b, S share) {
  return a + (b - a) * yoke_d_vector<T, N>((T)share);
}
template <class T, int N>
YOKE_D_FUNCTION yoke_d_vector<T, N> pown(yoke_d_vector<T, N> a, yoke_d_vector<int, N> b) {
  for (int i = 0; i < N; ++i) a.s[i] = pown(a.s[i], b.s[i]);
  return a;
}
template <class T>
YOKE_D_FUNCTION T sincos(T x, T* cosine) {
  *cosine = cos(x);
  return sin(x);
}
template <class T>
YOKE_D_FUNCTION T fract(T x, T* whole) {
  *whole = floor(x);
  return fmin(x - *whole, (T)(1 - (sizeof(T) == 4 ? 5.9604645e-8 : 1.1102230246251565e-16)));
}
#define YOKE_D_ROUNDED(name, T) \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_rtp(From from) { \
    return T(ceil((double)from)); \
  } \
  template <class From> \
  YOKE_D_FUNCTION T convert_##name##_rtn(From from) { \
    return T(floor((double)from)); \
  }
YOKE_D_ROUNDED(char, yoke_int8)
YOKE_D_ROUNDED(uchar, uchar)
YOKE_D_ROUNDED(short, short)
YOKE_D_ROUNDED(ushort, ushort)
YOKE_D_ROUNDED(int, int)
YOKE_D_ROUNDED(uint, uint)
#define YOKE_D_CONVERT_VECTOR(T, n, mode) \
  template <class From> \
  YOKE_D_FUNCTION yoke_d_vector<T, n> convert_##T##n##mode(yoke_d_vector<From, n> from) { \
    yoke_d_vector<T, n> out; \
    for (int i = 0; i < n; ++i) out.s[i] = convert_##T##mode(from.s[i]); \
    return out; \
  }
#define YOKE_D_AS_VECTOR(T, n) \
  template <class From> \
  YOKE_D_FUNCTION yoke_d_vector<T, n> as_##T##n(From from) { \
    return yoke_d_bits<yoke_d_vector<T, n> >(from); \
  }
typedef int event_t;
template <class T>
YOKE_D_FUNCTION event_t async_work_group_copy(T* to, const T* from, size_t count, event_t) {
  const size_t all = get_local_size(0) * get_local_size(1) * get_local_size(2);
  for (size_t i = get_local_linear_id(); i < count; i += all) to[i] = from[i];
  return 0;
}
#ifdef __YOKE_SIMULATOR__
YOKE_D_FUNCTION bool yoke_d_is_local(const void* address) { return ::yoke_simulator::engine->is_shared(address); }
#else
YOKE_D_FUNCTION bool yoke_d_is_local(const void* address) {
  uint found;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(found) : "l"(address));
  return found != 0;
}
#endif
// The stride is that of the side in device memory.
template <class T>
YOKE_D_FUNCTION event_t async_work_group_strided_copy(T* to, const T* from, size_t count, size_t stride, event_t) {
  const size_t all = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const bool out = yoke_d_is_local(from);
  for (size_t i = get_local_linear_id(); i < count; i += all) to[out ? i * stride : i] = from[out ? i : i * stride];
  return 0;
}
#define wait_group_events(count, events) __syncthreads()
template <class T>
YOKE_D_FUNCTION void prefetch(const T*, size_t) {}
#endif
)yoke"
