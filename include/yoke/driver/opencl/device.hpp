// SPDX-License-Identifier: MIT
// The OpenCL port's devices, and their parts.
#ifndef YOKE_DRIVER_OPENCL_DEVICE_HPP
#define YOKE_DRIVER_OPENCL_DEVICE_HPP

#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class device_functions : public facet<device_functions> {
 public:
  YOKE_API std::vector<abi::device> devices(const source_location& where) const;
  YOKE_API device_summary summary(abi::device device, const source_location& where) const;
  YOKE_API device_limits limits(abi::device device, const source_location& where) const;
  YOKE_API void retain_device(abi::device device, const source_location& where) const;
  YOKE_API release_result release_device(abi::device device) const noexcept;
  YOKE_API std::vector<abi::device> partition(abi::device device, std::span<const std::intptr_t> properties,
                                              const source_location& where) const;
  /// Effects: copies up to `bytes` bytes of a `CL_DEVICE_*` property. Returns: the property's whole size in bytes.
  YOKE_API std::size_t device_property(abi::device device, std::uint32_t property, void* out, std::size_t bytes,
                                       const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/device.ipp>
#endif

#endif
