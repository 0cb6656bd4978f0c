// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/device.hpp.
#ifndef YOKE_DRIVER_CUDA_DEVICE_IPP
#define YOKE_DRIVER_CUDA_DEVICE_IPP

#include <yoke/driver/cuda/device.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
std::string uuid_text(const abi::uuid& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

/// Returns: the facts of a device.
device_summary summary_of(const abi::functions* table, device_id device, const source_location& where) {
  device_summary facts;
  char name[256] = {};
  invoke<&abi::functions::device_get_name>(table, where, static_cast<char*>(name), int{sizeof name - 1},
                                           device.native());
  int version = 0;
  invoke<&abi::functions::driver_get_version>(table, where, &version);
  std::size_t bytes = 0;
  invoke<&abi::functions::device_total_mem>(table, where, &bytes, device.native());
  const auto number = [&](const auto& attribute) {
    return static_cast<std::uint32_t>(try_get(*table, device.native(), attribute, where).value_or(0));
  };
  facts.name = name;
  facts.platform = "CUDA";
  facts.vendor = "NVIDIA";
  facts.version =
      text("compute capability ", number(info::compute_capability_major), ".", number(info::compute_capability_minor));
  facts.driver_version = version_text(version);
  facts.kind = device_kind::gpu;
  facts.compute_units = number(info::multiprocessor_count);
  facts.clock_mhz = number(info::clock_rate) / 1000;  // `clock_rate` is in kHz
  facts.global_memory_bytes = bytes;
  char bus_id[32] = {};
  invoke<&abi::functions::device_get_pci_bus_id>(table, where, static_cast<char*>(bus_id), int{sizeof bus_id},
                                                 device.native());
  facts.pci_bus_id = bus_id;
  abi::uuid uuid{};
  invoke<&abi::functions::device_get_uuid>(table, where, &uuid, device.native());
  facts.uuid = uuid_text(uuid);
  return facts;
}

std::string identity_of(const abi::functions* table, device_id device, const source_location& where) {
  const device_summary facts = summary_of(table, device, where);
  return facts.platform + " | " + facts.name + " | " + facts.version;
}

}  // namespace detail

std::vector<device_id> device_functions::devices(const source_location& where) const {
  int count = 0;
  detail::invoke<&abi::functions::device_get_count>(table(), where, &count);
  std::vector<device_id> all;
  for (int i = 0; i < count; ++i) {
    abi::device native = 0;
    detail::invoke<&abi::functions::device_get>(table(), where, &native, i);
    all.emplace_back(native);
  }
  return all;
}
device_summary device_functions::summary(device_id device, const source_location& where) const {
  return detail::summary_of(table(), device, where);
}
device_limits device_functions::limits(device_id device, const source_location& where) const {
  const auto number = [&](const auto& attribute) {
    return static_cast<std::size_t>(get(*table(), device.native(), attribute, where));
  };
  device_limits result;
  result.max_block = number(info::max_threads_per_block);
  result.max_block_extent = {number(info::max_block_dim_x), number(info::max_block_dim_y),
                             number(info::max_block_dim_z)};
  result.local_memory_bytes = number(info::max_shared_memory_per_block_optin);
  std::size_t bytes = 0;
  detail::invoke<&abi::functions::device_total_mem>(table(), where, &bytes, device.native());
  result.max_allocation_bytes = bytes;
  return result;
}
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
abi::uuid device_functions::uuid(device_id device, const source_location& where) const {
  abi::uuid result{};
  detail::invoke<&abi::functions::device_get_uuid>(table(), where, &result, device.native());
  return result;
}

}  // namespace yoke::inline v0_1::cuda

#endif
