// SPDX-License-Identifier: MIT
// The OpenCL port's samplers.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_SAMPLER_HPP
#define YOKE_DRIVER_OPENCL_IMAGE_SAMPLER_HPP

#include <yoke/driver/image_types.hpp>
#include <yoke/driver/opencl/facet.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace yoke::inline v0_1::opencl {

/// A driver's facts about a sampler, in its own enumerators.
struct sampler_description {
  std::uint32_t references = 0;
  abi::context context = nullptr;
  bool normalised = false;
  std::uint32_t address = 0;
  std::uint32_t filter = 0;
  std::vector<std::uint64_t>
      properties{};  ///< the creation properties, ended by 0; empty if made by fields or before OpenCL 3.0
};

/// A part of `port`.
class sampler_functions : public facet<sampler_functions> {
 public:
  using sampler_handle = abi::sampler;

  YOKE_API abi::sampler create_sampler(abi::context context, const yoke::sampler& fields,
                                       const source_location& where) const;
  YOKE_API release_result release_sampler(abi::sampler made) const noexcept;
  /// `properties` are pairs; the 0 behind them may be missing. Throws: `unsupported_error` before OpenCL 2.0; `error`.
  YOKE_API abi::sampler create_sampler_with(abi::context context, std::span<const std::uint64_t> properties,
                                            const source_location& where) const;
  YOKE_API void retain_sampler(abi::sampler made, const source_location& where) const;
  YOKE_API sampler_description describe_sampler(abi::sampler made, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/image/sampler.ipp>
#endif

#endif
