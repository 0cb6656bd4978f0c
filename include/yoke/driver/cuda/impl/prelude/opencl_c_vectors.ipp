// SPDX-License-Identifier: MIT
// OpenCL C's vectors in CUDA C++: of 2, 3, 4, 8 and 16 lanes, with the lanes' names, operators, loads and stores.
R"yoke(#ifdef YOKE_D_OPENCL_C
template <class T, int N>
struct yoke_d_vector;
// One lane is a scalar. What is read of several takes no assignment, which would be lost.
template <class T, int N>
struct yoke_d_lanes_of {
  typedef yoke_d_vector<T, N> type;
  typedef const yoke_d_vector<T, N> read;
};
template <class T>
struct yoke_d_lanes_of<T, 1> {
  typedef T type;
  typedef T read;
};
template <int Bytes>
struct yoke_d_truth;
template <>
struct yoke_d_truth<1> {
  typedef char type;
};
template <>
struct yoke_d_truth<2> {
  typedef short type;
};
template <>
struct yoke_d_truth<4> {
  typedef int type;
};
template <>
struct yoke_d_truth<8> {
  typedef long type;
};
template <bool Condition>
struct yoke_d_if {};
template <>
struct yoke_d_if<true> {
  typedef int type;
};
// What the translation puts into each shift, "a << yoke_d_by << b": OpenCL C takes b modulo the width of a. Where the
// preprocessor computes, this is 0, and nothing changes.
enum yoke_d_shift { yoke_d_by };
template <class T>
struct yoke_d_shifted {
  T value;
};
template <class B>
struct yoke_d_amount {
  B value;
};
template <class T>
YOKE_D_FUNCTION constexpr yoke_d_shifted<T> operator<<(T a, yoke_d_shift) {
  return {a};
}
template <class T>
YOKE_D_FUNCTION constexpr yoke_d_shifted<T> operator>>(T a, yoke_d_shift) {
  return {a};
}
template <class B>
YOKE_D_FUNCTION constexpr yoke_d_amount<B> operator<<=(yoke_d_shift, B b) {
  return {b};
}
template <class B>
YOKE_D_FUNCTION constexpr yoke_d_amount<B> operator>>=(yoke_d_shift, B b) {
  return {b};
}
// A scalar is promoted first.
template <class T, class B>
YOKE_D_FUNCTION constexpr auto operator<<(yoke_d_shifted<T> a, B b) -> decltype(a.value << (b & 1)) {
  typedef decltype(a.value << (b & 1)) result;
  return (result)((yoke_uint64)a.value << ((uint)b & (8 * sizeof(result) - 1)));
}
template <class T, class B>
YOKE_D_FUNCTION constexpr auto operator>>(yoke_d_shifted<T> a, B b) -> decltype(a.value >> (b & 1)) {
  return a.value >> ((uint)b & (8 * sizeof(a.value >> (b & 1)) - 1));
}
template <class T, class B>
YOKE_D_FUNCTION constexpr auto operator<<=(T& a, yoke_d_amount<B> b) {
  auto shifted = (T)(yoke_d_shifted<T>{a} << b.value);
  a = shifted;
  return shifted;
}
template <class T, class B>
YOKE_D_FUNCTION constexpr auto operator>>=(T& a, yoke_d_amount<B> b) {
  auto shifted = (T)(yoke_d_shifted<T>{a} >> b.value);
  a = shifted;
  return shifted;
}
template <class T, int N, class B>
YOKE_D_FUNCTION yoke_d_vector<T, N> operator<<(yoke_d_shifted<yoke_d_vector<T, N> > a, B b) {
  return a.value << yoke_d_vector<T, N>(b);
}
template <class T, int N, class B>
YOKE_D_FUNCTION yoke_d_vector<T, N> operator>>(yoke_d_shifted<yoke_d_vector<T, N> > a, B b) {
  return a.value >> yoke_d_vector<T, N>(b);
}
// Half of three lanes is two; the fourth is nobody's.
#define YOKE_D_HALF_OF (N == 3 ? 2 : N / 2)
// Lanes on the left of an assignment, also lanes of lanes: lane i is s[at[i]]; below 0 it is nobody's.
template <class T, int N>
struct yoke_d_places {
  T* s;
  int at[N];
  typedef typename yoke_d_lanes_of<T, N>::type value;
  template <int... At>
  __device__ yoke_d_places<T, sizeof...(At)> yoke_set() const {
    return {s, {(At < N ? at[At] : -1)...}};
  }
  template <int Which>
  __device__ yoke_d_places<T, YOKE_D_HALF_OF> yoke_set_half() const {
    yoke_d_places<T, YOKE_D_HALF_OF> out = {s, {}};
    for (int i = 0; i < YOKE_D_HALF_OF; ++i) {
      int from = (Which == 1 ? YOKE_D_HALF_OF : Which == 3) + (Which > 1 ? 2 : 1) * i;
      out.at[i] = from < N ? at[from] : -1;
    }
    return out;
  }
  static __device__ T& lane(T& scalar, int) { return scalar; }
  template <int M>
  static __device__ T& lane(yoke_d_vector<T, M>& vector, int i) {
    return vector.s[i];
  }
  __device__ value get() const {
    value out = (T)0;
    for (int i = 0; i < N; ++i) {
      if (at[i] >= 0) lane(out, i) = s[at[i]];
    }
    return out;
  }
  __device__ value operator=(value from) {
    for (int i = 0; i < N; ++i) {
      if (at[i] >= 0) s[at[i]] = lane(from, i);
    }
    return from;
  }
  __device__ value operator++(int) {
    value before = get();
    *this = before + value((T)1);
    return before;
  }
  __device__ value operator--(int) {
    value before = get();
    *this = before - value((T)1);
    return before;
  }
#define YOKE_D_ASSIGN(o) \
  __device__ value operator o##=(value from) { return *this = get() o from; }
  YOKE_D_ASSIGN(+)
  YOKE_D_ASSIGN(-)
  YOKE_D_ASSIGN(*)
  YOKE_D_ASSIGN(/)
  YOKE_D_ASSIGN(%)
  YOKE_D_ASSIGN(&)
  YOKE_D_ASSIGN(|)
  YOKE_D_ASSIGN(^)
#undef YOKE_D_ASSIGN
  template <class B>
  __device__ value operator<<=(yoke_d_amount<B> b) {
    return *this = yoke_d_shifted<value>{get()} << b.value;
  }
  template <class B>
  __device__ value operator>>=(yoke_d_amount<B> b) {
    return *this = yoke_d_shifted<value>{get()} >> b.value;
  }
};
#define YOKE_D_MEMBERS(T, N) \
  yoke_d_vector() = default; \
  __device__ constexpr yoke_d_vector(T value) : s{} { \
    for (int i = 0; i < N; ++i) s[i] = value; \
  } \
  template <class... A, typename yoke_d_if<sizeof...(A) == N>::type = 0> \
  __device__ constexpr yoke_d_vector(A... lanes) : s{T(lanes)...} {} \
  template <int... At> \
  __device__ const yoke_d_vector<T, sizeof...(At)> yoke_get() const { \
    return yoke_d_vector<T, sizeof...(At)>(s[At]...); \
  } \
  template <int... At> \
  __device__ yoke_d_places<T, sizeof...(At)> yoke_set() & { \
    return {s, {At...}}; \
  } \
  template <int Which> \
  __device__ yoke_d_places<T, YOKE_D_HALF_OF> yoke_set_half() & { \
    yoke_d_places<T, YOKE_D_HALF_OF> out = {s, {}}; \
    for (int i = 0; i < YOKE_D_HALF_OF; ++i) { \
      out.at[i] = (Which == 1 ? YOKE_D_HALF_OF : Which == 3) + (Which > 1 ? 2 : 1) * i; \
    } \
    return out; \
  } \
  template <int Which> \
  __device__ typename yoke_d_lanes_of<T, YOKE_D_HALF_OF>::read yoke_get_half() const { \
    return const_cast<yoke_d_vector*>(this)->yoke_set_half<Which>().get(); \
  } \
  YOKE_D_OPERATORS
#define YOKE_D_OPERATOR_OF(o) \
  friend __device__ yoke_d_vector operator o(yoke_d_vector a, yoke_d_vector b) { \
    yoke_d_vector out; \
    for (int i = 0; i < yoke_lanes; ++i) out.s[i] = (yoke_lane)(a.s[i] o b.s[i]); \
    return out; \
  } \
  friend __device__ yoke_d_vector& operator o##=(yoke_d_vector& a, yoke_d_vector b) { return a = a o b; }
#define YOKE_D_SHIFT_OF(o) \
  friend __device__ yoke_d_vector operator o(yoke_d_vector a, yoke_d_vector b) { \
    yoke_d_vector out; \
    for (int i = 0; i < yoke_lanes; ++i) out.s[i] = (yoke_lane)(a.s[i] o (b.s[i] & (yoke_lane)(8 * sizeof(yoke_lane) - 1))); \
    return out; \
  } \
  friend __device__ yoke_d_vector& operator o##=(yoke_d_vector& a, yoke_d_vector b) { return a = a o b; }
// -1 for true.
#define YOKE_D_COMPARISON_OF(o) \
  friend __device__ yoke_truths operator o(yoke_d_vector a, yoke_d_vector b) { \
    yoke_truths out; \
    for (int i = 0; i < yoke_lanes; ++i) out.s[i] = (a.s[i] o b.s[i]) ? -1 : 0; \
    return out; \
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
  friend __device__ yoke_d_vector operator-(yoke_d_vector a) { \
    for (int i = 0; i < yoke_lanes; ++i) a.s[i] = -a.s[i]; \
    return a; \
  } \
  friend __device__ yoke_d_vector operator+(yoke_d_vector a) { return a; } \
  friend __device__ yoke_d_vector operator~(yoke_d_vector a) { \
    for (int i = 0; i < yoke_lanes; ++i) a.s[i] = (yoke_lane)~a.s[i]; \
    return a; \
  } \
  friend __device__ yoke_truths operator!(yoke_d_vector a) { \
    yoke_truths out; \
    for (int i = 0; i < yoke_lanes; ++i) out.s[i] = a.s[i] == 0 ? -1 : 0; \
    return out; \
  } \
  friend __device__ yoke_d_vector& operator++(yoke_d_vector& a) { return a = a + yoke_d_vector(yoke_lane(1)); } \
  friend __device__ yoke_d_vector& operator--(yoke_d_vector& a) { return a = a - yoke_d_vector(yoke_lane(1)); } \
  friend __device__ yoke_d_vector operator++(yoke_d_vector& a, int) { \
    yoke_d_vector before = a; \
    ++a; \
    return before; \
  } \
  friend __device__ yoke_d_vector operator--(yoke_d_vector& a, int) { \
    yoke_d_vector before = a; \
    --a; \
    return before; \
  }
#define YOKE_D_TYPES \
  typedef T yoke_lane; \
  static constexpr int yoke_lanes = N; \
  typedef yoke_d_vector<typename yoke_d_truth<sizeof(T)>::type, N> yoke_truths;
#define YOKE_D_VECTOR_OF(lanes, places, ...) \
  template <class T> \
  struct __align__(places * sizeof(T)) yoke_d_vector<T, lanes> { \
    static constexpr int N = lanes; \
    YOKE_D_TYPES \
    union { \
      T s[places]; \
      struct { \
        T __VA_ARGS__; \
      }; \
    }; \
    YOKE_D_MEMBERS(T, lanes) \
  };
YOKE_D_VECTOR_OF(2, 2, x, y)
YOKE_D_VECTOR_OF(3, 4, x, y, z)
YOKE_D_VECTOR_OF(4, 4, x, y, z, w)
YOKE_D_VECTOR_OF(8, 8, x, y, z, w)
YOKE_D_VECTOR_OF(16, 16, x, y, z, w)
// A literal: scalars and vectors, one behind the other; one scalar alone is every lane.
template <class V, class T>
YOKE_D_FUNCTION constexpr int yoke_d_put(V& out, int at, T scalar) {
  out.s[at] = (typename V::yoke_lane)scalar;
  return at + 1;
}
template <class V, class T, int N>
YOKE_D_FUNCTION constexpr int yoke_d_put(V& out, int at, yoke_d_vector<T, N> vector) {
  for (int i = 0; i < N; ++i) out.s[at + i] = vector.s[i];
  return at + N;
}
template <class T>
struct yoke_d_count {
  static constexpr int value = 1;
};
template <class T, int N>
struct yoke_d_count<yoke_d_vector<T, N> > {
  static constexpr int value = N;
};
template <class V, class... Parts>
YOKE_D_FUNCTION constexpr V yoke_d_make(Parts... parts) {
  constexpr int count = (0 + ... + yoke_d_count<Parts>::value);
  static_assert(count == V::yoke_lanes || (count == 1 && sizeof...(Parts) == 1),
                "a vector literal has as many lanes as its type, or one scalar");
  V out((typename V::yoke_lane)0);
  if constexpr (count == 1) {
    out = V((typename V::yoke_lane)(parts, ...));
  } else {
    int at = 0;
    ((at = yoke_d_put(out, at, parts)), ...);
  }
  return out;
}
#define YOKE_D_MEMORY(n) \
  template <class T> \
  YOKE_D_FUNCTION yoke_d_vector<T, n> vload##n(size_t at, const T* p) { \
    yoke_d_vector<T, n> out; \
    for (int i = 0; i < n; ++i) out.s[i] = p[n * at + i]; \
    return out; \
  } \
  template <class T> \
  YOKE_D_FUNCTION void vstore##n(yoke_d_vector<T, n> v, size_t at, T* p) { \
    for (int i = 0; i < n; ++i) p[n * at + i] = v.s[i]; \
  } \
  YOKE_D_FUNCTION yoke_d_vector<float, n> vload_half##n(size_t at, const yoke_half* p) { \
    yoke_d_vector<float, n> out; \
    for (int i = 0; i < n; ++i) out.s[i] = p[n * at + i]; \
    return out; \
  } \
  YOKE_D_FUNCTION void vstore_half##n(yoke_d_vector<float, n> v, size_t at, yoke_half* p) { \
    for (int i = 0; i < n; ++i) p[n * at + i] = yoke_half(v.s[i]); \
  } \
  YOKE_D_FUNCTION void vstore_half##n##_rte(yoke_d_vector<float, n> v, size_t at, yoke_half* p) { \
    vstore_half##n(v, at, p); \
  } \
  YOKE_D_FUNCTION yoke_d_vector<float, n> vloada_half##n(size_t at, const yoke_half* p) { \
    return vload_half##n(n == 3 ? 0 : at, n == 3 ? p + 4 * at : p); \
  } \
  YOKE_D_FUNCTION void vstorea_half##n(yoke_d_vector<float, n> v, size_t at, yoke_half* p) { \
    vstore_half##n(v, n == 3 ? 0 : at, n == 3 ? p + 4 * at : p); \
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
