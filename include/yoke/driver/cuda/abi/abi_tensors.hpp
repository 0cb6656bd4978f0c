// SPDX-License-Identifier: MIT
// CUDA's descriptions of tensors in memory, as in the driver's binary interface; needs no vendor header.
#ifndef YOKE_DRIVER_CUDA_ABI_ABI_TENSORS_HPP
#define YOKE_DRIVER_CUDA_ABI_ABI_TENSORS_HPP

#include <yoke/core/config.hpp>

#include <cstdint>

namespace yoke::inline v0_1::cuda::abi {

/// `CUtensorMapDataType`: the element type that the hardware assumes.
enum class tensor_element : unsigned {
  uint8 = 0,
  uint16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  float32,
  float64,
  bfloat16,
  float32_flushed,
  tfloat32,
  tfloat32_flushed,
};

/// `CUtensorMapInterleave`.
enum class tensor_interleave : unsigned { none = 0, bytes_16, bytes_32 };

/// `CUtensorMapSwizzle`: how the 16-byte chunks of a tile's rows are permuted in shared memory, so that columns fall in
/// different banks.
enum class tensor_swizzle : unsigned {
  none = 0,
  bytes_32,                 ///< within 32 bytes
  bytes_64,                 ///< within 64 bytes
  bytes_128,                ///< within 128 bytes
  bytes_128_by_32,          ///< chunks of 32 bytes within 128; from compute capability 10.0 on
  bytes_128_by_32_flipped,  ///< as `bytes_128_by_32`, with the two halves of each 16 bytes exchanged in every other row
  bytes_128_by_64,          ///< chunks of 64 bytes within 128; from compute capability 10.0 on
};

/// `CUtensorMapL2promotion`: the smallest read of the L2 cache. Units: bytes.
enum class tensor_promotion : unsigned { none = 0, bytes_64, bytes_128, bytes_256 };

/// `CUtensorMapFloatOOBfill`: the value of elements outside the tensor.
enum class tensor_fill : unsigned { zero = 0, nan };

/// The bytes of a `CUtensorMap`. Calls that write one require an address that is a multiple of `tensor_map_alignment`.
/// The type itself is not aligned so, because GCC 12 without optimisation ignores the alignment of temporaries.
/// Launches copy the bytes from any address.
struct tensor_map {
  std::uint64_t opaque[16];
};
/// The driver requires 64; <cuda.h> has had 128 since CUDA 13. Units: bytes.
inline constexpr unsigned tensor_map_alignment = 128;

}  // namespace yoke::inline v0_1::cuda::abi

#endif
