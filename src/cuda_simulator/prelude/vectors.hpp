// SPDX-License-Identifier: MIT
// CUDA's vector types with their alignments, make_*, and dim3.

#define YOKE_SIMULATOR_VECTOR(name, T, two, four)                                                                      \
  struct name##1 { T x; };                                                                                             \
  struct alignas(two) name##2 { T x, y; };                                                                             \
  struct name##3 { T x, y, z; };                                                                                       \
  struct alignas(four) name##4 { T x, y, z, w; };                                                                      \
  constexpr name##1 make_##name##1(T x) { return name##1 {x}; }                                                        \
  constexpr name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }                                                \
  constexpr name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; }                                        \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return name##4 {x, y, z, w}; }

YOKE_SIMULATOR_VECTOR(char, signed char, 2, 4)
YOKE_SIMULATOR_VECTOR(uchar, unsigned char, 2, 4)
YOKE_SIMULATOR_VECTOR(short, short, 4, 8)
YOKE_SIMULATOR_VECTOR(ushort, unsigned short, 4, 8)
YOKE_SIMULATOR_VECTOR(int, int, 8, 16)
YOKE_SIMULATOR_VECTOR(uint, unsigned, 8, 16)
YOKE_SIMULATOR_VECTOR(long, long, 16, 16)
YOKE_SIMULATOR_VECTOR(ulong, unsigned long, 16, 16)
YOKE_SIMULATOR_VECTOR(longlong, long long, 16, 16)
YOKE_SIMULATOR_VECTOR(ulonglong, unsigned long long, 16, 16)
YOKE_SIMULATOR_VECTOR(float, float, 8, 16)
YOKE_SIMULATOR_VECTOR(double, double, 16, 16)
#undef YOKE_SIMULATOR_VECTOR

// CUDA 13 names the two alignments of the 32-byte types.
#define YOKE_SIMULATOR_ALIGNED_TYPE(name, T, bytes)                                                                    \
  struct alignas(bytes) name##4_##bytes##a { T x, y, z, w; };
#define YOKE_SIMULATOR_ALIGNED(name, T, bytes)                                                                         \
  YOKE_SIMULATOR_ALIGNED_TYPE(name, T, bytes)                                                                          \
  constexpr name##4_##bytes##a make_##name##4_##bytes##a(T x, T y, T z, T w) { return name##4_##bytes##a{x, y, z, w}; }
#define YOKE_SIMULATOR_ALIGNED_BOTH(name, T)                                                                           \
  YOKE_SIMULATOR_ALIGNED(name, T, 16)                                                                                  \
  YOKE_SIMULATOR_ALIGNED(name, T, 32)
// Its names have no make function for these two.
YOKE_SIMULATOR_ALIGNED_TYPE(long, long, 16)
YOKE_SIMULATOR_ALIGNED_TYPE(long, long, 32)
YOKE_SIMULATOR_ALIGNED_TYPE(ulong, unsigned long, 16)
YOKE_SIMULATOR_ALIGNED_TYPE(ulong, unsigned long, 32)
YOKE_SIMULATOR_ALIGNED_BOTH(longlong, long long)
YOKE_SIMULATOR_ALIGNED_BOTH(ulonglong, unsigned long long)
YOKE_SIMULATOR_ALIGNED_BOTH(double, double)
#undef YOKE_SIMULATOR_ALIGNED_BOTH
#undef YOKE_SIMULATOR_ALIGNED
#undef YOKE_SIMULATOR_ALIGNED_TYPE

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 value) : x(value.x), y(value.y), z(value.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
