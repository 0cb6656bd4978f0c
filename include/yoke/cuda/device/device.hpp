// SPDX-License-Identifier: MIT
// CUDA devices by their PCI bus id and UUID.
#ifndef YOKE_CUDA_DEVICE_DEVICE_HPP
#define YOKE_CUDA_DEVICE_DEVICE_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// A device's UUID: 16 bytes that stay the same across restarts and hosts.
class device_uuid {
 public:
  device_uuid() noexcept = default;
  explicit device_uuid(const abi::uuid& bytes) noexcept : bytes_(bytes) {}
  /// From text as tools print it: "GPU-12345678-1234-1234-1234-123456789abc"; prefix, hyphens and case do not matter.
  /// Throws: `logic_error` that shows the text.
  YOKE_API explicit device_uuid(std::string_view text, const source_location& where = source_location::current());

  [[nodiscard]] const abi::uuid& bytes() const noexcept { return bytes_; }
  /// Returns: "GPU-12345678-1234-1234-1234-123456789abc".
  [[nodiscard]] std::string text() const { return detail::uuid_text(bytes_); }
  YOKE_API friend bool operator==(const device_uuid& left, const device_uuid& right) noexcept;

 private:
  abi::uuid bytes_{};
};

/// A device's UUID; an instance of a multi-instance GPU has its own.
/// Throws: `error`. Thread safety: safe. Wraps `cuDeviceGetUuid`.
[[nodiscard]] YOKE_API device_uuid uuid_of(const device& of, const source_location& where = source_location::current());
/// A device's address on the PCI bus: "0000:01:00.0". Throws: `error`. Thread safety: safe. Wraps
/// `cuDeviceGetPCIBusId`.
[[nodiscard]] YOKE_API std::string pci_bus_id_of(const device& of,
                                                 const source_location& where = source_location::current());

/// The device of a PCI bus id, "[domain:]bus:device.function" in hexadecimal: "0000:01:00.0".
/// Throws: `unsupported_error` (`errc::no_device`) when there is none. Thread safety: safe.
/// Wraps `cuDeviceGetByPCIBusId`.
[[nodiscard]] YOKE_API device device_of_pci_bus_id(const std::string& id,
                                                   const source_location& where = source_location::current());
[[nodiscard]] YOKE_API device device_of_pci_bus_id(const port& with, const std::string& id,
                                                   const source_location& where = source_location::current());
/// The device of a UUID. Throws: `unsupported_error` (`errc::no_device`) that lists the devices. Thread safety: safe.
/// Wraps `cuDeviceGetUuid`.
[[nodiscard]] YOKE_API device device_of_uuid(const device_uuid& uuid,
                                             const source_location& where = source_location::current());
[[nodiscard]] YOKE_API device device_of_uuid(const port& with, const device_uuid& uuid,
                                             const source_location& where = source_location::current());

/// An attribute that a device has, by the name of its constant.
struct named_attribute {
  const char* name = "";  ///< "CU_DEVICE_ATTRIBUTE_WARP_SIZE"
  int value = 0;
};
/// Every attribute of a device that the driver knows, in the order of their numbers.
/// Throws: `error`. Thread safety: safe. Wraps `cuDeviceGetAttribute`.
[[nodiscard]] YOKE_API std::vector<named_attribute> attributes_of(
    const device& of, const source_location& where = source_location::current());

/// The attributes as readable text: one line each, with the name without "CU_DEVICE_ATTRIBUTE_" and the value.
[[nodiscard]] YOKE_API std::string attribute_table(const device& of,
                                                   const source_location& where = source_location::current());

/// The newest CUDA version that the driver serves: 13000 for 13.0. Needs no device.
/// Throws: `unsupported_error` without a driver; `error`. Thread safety: safe. Wraps `cuDriverGetVersion`.
[[nodiscard]] YOKE_API int driver_version(const source_location& where = source_location::current());
[[nodiscard]] YOKE_API int driver_version(const port& of, const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/device.ipp>
#endif

#endif
