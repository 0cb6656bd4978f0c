// SPDX-License-Identifier: MIT
// The OpenCL port's contexts.
#ifndef YOKE_DRIVER_OPENCL_CONTEXT_HPP
#define YOKE_DRIVER_OPENCL_CONTEXT_HPP

#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class context_functions : public facet<context_functions> {
 public:
  YOKE_API abi::context create_context(std::span<const abi::device> devices, const source_location& where) const;
  YOKE_API void retain_context(abi::context context, const source_location& where) const;
  YOKE_API release_result release_context(abi::context context) const noexcept;
  YOKE_API std::vector<abi::device> context_devices(abi::context context, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/context.ipp>
#endif

#endif
