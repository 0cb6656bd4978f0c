// SPDX-License-Identifier: MIT
// Tensor maps by the driver, with every refusal explained.
#ifndef YOKE_DRIVER_CUDA_IMAGE_TENSOR_MAP_HPP
#define YOKE_DRIVER_CUDA_IMAGE_TENSOR_MAP_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace yoke::inline v0_1::cuda::detail {

/// The greatest number of a tensor's axes.
inline constexpr std::size_t tensor_axes = 5;

/// A tensor and its tiles. Axes are in the order of arrays: the last one is contiguous. Units: strides in bytes.
struct tensor_plan {
  abi::device_pointer address = 0;
  abi::tensor_element element{};
  std::size_t element_bytes = 0;
  std::size_t rank = 0;
  std::array<std::size_t, tensor_axes> extents{};
  std::array<std::ptrdiff_t, tensor_axes> strides{};
  std::array<std::size_t, tensor_axes> box{};
  std::array<std::size_t, tensor_axes> steps{};
  abi::tensor_swizzle swizzle{};
  abi::tensor_promotion promotion{};
  abi::tensor_fill fill{};
};

/// Returns: the width of a swizzle pattern, which rows may not exceed; 0: no pattern. Units: bytes.
[[nodiscard]] constexpr std::size_t swizzle_bytes(abi::tensor_swizzle pattern) noexcept {
  const auto code = static_cast<unsigned>(pattern);
  return code == 0 ? 0 : std::size_t{16} << (code < 3 ? code : 3);
}

/// Throws: `logic_error` that names the axis, the value and the limit; `error`. Wraps `cuTensorMapEncodeTiled`.
YOKE_API abi::tensor_map encode_tensor_map(const abi::functions* table, abi::context context, const tensor_plan& plan,
                                           const source_location& where);
/// Throws: as `encode_tensor_map`. Wraps `cuTensorMapReplaceAddress`.
YOKE_API void move_tensor_map(const abi::functions* table, abi::context context, abi::tensor_map& map,
                              abi::device_pointer address, const source_location& where);

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/image/tensor_map.ipp>
#endif

#endif
