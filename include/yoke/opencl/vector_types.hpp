// SPDX-License-Identifier: MIT
// OpenCL's vectors of three elements, which have the size of four.
#ifndef YOKE_OPENCL_VECTOR_TYPES_HPP
#define YOKE_OPENCL_VECTOR_TYPES_HPP

#include <yoke/core/half.hpp>
#include <yoke/core/vector_types.hpp>

namespace yoke::inline v0_1::opencl {

/// Vectors of three elements in OpenCL C's layout: with the size and the alignment of four. Kernels of CUDA and
/// the dialect, and its structs, do not take them. Thread safety: values.
using char3 = vec<std::int8_t, 3>;
using uchar3 = vec<std::uint8_t, 3>;
using short3 = vec<std::int16_t, 3>;
using ushort3 = vec<std::uint16_t, 3>;
using int3 = vec<std::int32_t, 3>;
using uint3 = vec<std::uint32_t, 3>;
using long3 = vec<std::int64_t, 3>;
using ulong3 = vec<std::uint64_t, 3>;
using half3 = vec<half, 3>;
using float3 = vec<float, 3>;
using double3 = vec<double, 3>;

}  // namespace yoke::inline v0_1::opencl

#endif
