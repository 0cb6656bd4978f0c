// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/device.hpp: devices by their place on the bus.
#ifndef YOKE_DRIVER_CUDA_PCI_BUS_ID_IPP
#define YOKE_DRIVER_CUDA_PCI_BUS_ID_IPP

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/invoke.hpp>

namespace yoke::inline v0_1::cuda {

device_id device_functions::device_of_pci_bus_id(const char* id, const source_location& where) const {
  abi::device native = 0;
  const abi::status status = detail::call<&abi::functions::device_get_by_pci_bus_id>(table(), &native, id);
  if (status == abi::error_invalid_device || status == abi::error_invalid_value) {
    detail::throw_error(errc::no_device, where, "no CUDA device has the PCI bus id \"", yoke::detail::shortened(id),
                        "\", as in \"0000:01:00.0\"");
  }
  if (status != abi::success) detail::throw_failure(status, "cuDeviceGetByPCIBusId", "", where);
  return device_id(native);
}
std::string device_functions::pci_bus_id(device_id device, const source_location& where) const {
  char id[32] = {};
  detail::invoke<&abi::functions::device_get_pci_bus_id>(table(), where, static_cast<char*>(id), int{sizeof id},
                                                         device.native());
  return id;
}

}  // namespace yoke::inline v0_1::cuda

#endif
