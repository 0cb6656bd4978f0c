// SPDX-License-Identifier: MIT
// The CUDA port's devices.
#ifndef YOKE_DRIVER_CUDA_DEVICE_HPP
#define YOKE_DRIVER_CUDA_DEVICE_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Returns: "GPU-12345678-1234-1234-1234-123456789abc", as the vendor's tools print it.
[[nodiscard]] YOKE_API std::string uuid_text(const abi::uuid& uuid);
/// Returns: the facts of a device that its images must match, as readable text.
[[nodiscard]] std::string identity_of(const abi::functions* table, device_id device, const source_location& where);
}  // namespace detail

/// A part of `port`.
class device_functions : public facet<device_functions> {
 public:
  YOKE_API std::vector<device_id> devices(const source_location& where) const;
  YOKE_API device_summary summary(device_id device, const source_location& where) const;
  YOKE_API device_limits limits(device_id device, const source_location& where) const;
  YOKE_API device_id device_of_pci_bus_id(const char* id, const source_location& where) const;
  YOKE_API std::string pci_bus_id(device_id device, const source_location& where) const;
  YOKE_API abi::uuid uuid(device_id device, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/device.ipp>
#endif

#endif
