// SPDX-License-Identifier: MIT
// The CUDA port's contexts, whose references are counted.
#ifndef YOKE_DRIVER_CUDA_CONTEXT_HPP
#define YOKE_DRIVER_CUDA_CONTEXT_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class context_functions : public facet<context_functions> {
 public:
  /// Retains the primary context of the only device.
  YOKE_API abi::context create_context(std::span<const device_id> devices, const source_location& where) const;
  YOKE_API void retain_context(abi::context context, const source_location& where) const;
  YOKE_API release_result release_context(abi::context context) const noexcept;
  YOKE_API std::vector<device_id> context_devices(abi::context context, const source_location& where) const;
  /// Returns: a number that tells the context from a later one at the same address; 0 if the driver gives none.
  /// Wraps `cuCtxGetId`.
  [[nodiscard]] YOKE_API std::uint64_t context_identity(abi::context context) const noexcept;
  /// Returns: whether other code has destroyed or reset the context, and with it everything made in it. The driver then
  /// crashes when it gets one of its streams. Wraps `cuCtxGetId`.
  [[nodiscard]] YOKE_API bool context_is_gone(abi::context context, std::uint64_t id) const noexcept;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/context.ipp>
#endif

#endif
