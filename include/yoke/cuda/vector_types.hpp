// SPDX-License-Identifier: MIT
// CUDA's vectors whose layout differs from OpenCL's: three elements, and four elements of 8 bytes.
#ifndef YOKE_CUDA_VECTOR_TYPES_HPP
#define YOKE_CUDA_VECTOR_TYPES_HPP

#include <yoke/core/type_name.hpp>

#include <cstddef>
#include <cstdint>

namespace yoke::inline v0_1::cuda {

/// Vectors with CUDA C++'s own layout: three elements without padding, aligned as one element, and four elements of 8
/// bytes aligned to 16. Kernels of OpenCL and of the dialect do not take them. Thread safety: a value.
template <class T, std::size_t N>
struct vec;

template <class T>
struct vec<T, 3> {
  T x, y, z;
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};
template <class T>
  requires(sizeof(T) == 8)
struct alignas(16) vec<T, 4> {
  T x, y, z, w;
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};

using char3 = vec<std::int8_t, 3>;
using uchar3 = vec<std::uint8_t, 3>;
using short3 = vec<std::int16_t, 3>;
using ushort3 = vec<std::uint16_t, 3>;
using int3 = vec<std::int32_t, 3>;
using uint3 = vec<std::uint32_t, 3>;
using long3 = vec<std::int64_t, 3>;
using ulong3 = vec<std::uint64_t, 3>;
using longlong3 = vec<long long, 3>;
using ulonglong3 = vec<unsigned long long, 3>;
using float3 = vec<float, 3>;
using double3 = vec<double, 3>;
using long4 = vec<std::int64_t, 4>;
using ulong4 = vec<std::uint64_t, 4>;
using longlong4 = vec<long long, 4>;
using ulonglong4 = vec<unsigned long long, 4>;
using double4 = vec<double, 4>;

namespace detail {
template <class T, std::size_t N>
inline constexpr yoke::detail::short_name vec_name{"", yoke::detail::cuda_vec_stem<T>(), N, ""};
// OpenCL C's "float3" has another layout, so OpenCL kernels refuse these types.
template <class T, std::size_t N>
inline constexpr yoke::detail::short_name opencl_name{"cuda::", device_type_name<T>, N, ""};
}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {

template <class T, std::size_t N>
inline constexpr const char* device_type_name<cuda::vec<T, N>> = cuda::detail::opencl_name<T, N>.text;
template <class T, std::size_t N>
struct device_type<cuda::vec<T, N>> {
  static constexpr const char* opencl_c = device_type_name<yoke::cuda::vec<T, N>>;
  static constexpr const char* cuda = yoke::cuda::detail::vec_name<T, N>.text;
  static constexpr const char* dialect = "";
  static constexpr std::size_t alignment = alignof(yoke::cuda::vec<T, N>);
};

}  // namespace yoke::inline v0_1

#endif
