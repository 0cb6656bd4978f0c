// SPDX-License-Identifier: MIT
// Bodies of cuda/device/device.hpp.
#ifndef YOKE_CUDA_DEVICE_DEVICE_IPP
#define YOKE_CUDA_DEVICE_DEVICE_IPP

#include <yoke/cuda/device/device.hpp>

#include <yoke/driver/cuda/invoke.hpp>

#include <algorithm>
#include <iterator>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Returns: the value of a hexadecimal digit, or -1.
int hexadecimal(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}
}  // namespace detail

bool operator==(const device_uuid& left, const device_uuid& right) noexcept {
  return std::equal(std::begin(left.bytes_.bytes), std::end(left.bytes_.bytes), right.bytes_.bytes);
}
device_uuid::device_uuid(std::string_view text, const source_location& where) {
  std::string_view digits = text;
  if (digits.starts_with("GPU-") || digits.starts_with("MIG-")) digits.remove_prefix(4);
  std::size_t count = 0;
  bool right = true;
  for (const char each : digits) {
    if (each == '-') continue;
    const int value = detail::hexadecimal(each);
    right = right && value >= 0 && count < 2 * sizeof bytes_.bytes;
    if (!right) break;
    char& byte = bytes_.bytes[count / 2];
    byte = static_cast<char>(static_cast<unsigned char>(byte) << 4 | value);
    ++count;
  }
  if (right && count == 2 * sizeof bytes_.bytes) return;
  yoke::detail::throw_error(errc::invalid_argument, where, "\"", yoke::detail::shortened(text),
                            "\" is no UUID, as in \"GPU-12345678-1234-1234-1234-123456789abc\"");
}

device_uuid uuid_of(const device& of, const source_location& where) {
  return device_uuid(of.port().uuid(of.native_handle(), where));
}
std::string pci_bus_id_of(const device& of, const source_location& where) {
  return of.port().pci_bus_id(of.native_handle(), where);
}
device device_of_pci_bus_id(const std::string& id, const source_location& where) {
  return device_of_pci_bus_id(port(where), id, where);
}
device device_of_pci_bus_id(const port& with, const std::string& id, const source_location& where) {
  if (id.find('\0') != std::string::npos) {
    yoke::detail::throw_error(errc::invalid_argument, where, "PCI bus id \"", yoke::detail::shortened(id.c_str()),
                              "\" goes on behind a zero character");
  }
  return device::borrow(with, with.device_of_pci_bus_id(id.c_str(), where));
}
device device_of_uuid(const device_uuid& uuid, const source_location& where) {
  return device_of_uuid(port(where), uuid, where);
}
device device_of_uuid(const port& with, const device_uuid& uuid, const source_location& where) {
  std::string there;
  for (const auto native : with.devices(where)) {
    const device_uuid each(with.uuid(native, where));
    if (each == uuid) return device::borrow(with, native);
    there += (there.empty() ? "" : ", ") + each.text();
  }
  yoke::detail::throw_error(errc::no_device, where, "no CUDA device has the UUID ", uuid.text(),
                            "; there are: ", there.empty() ? "none" : there);
}

std::vector<named_attribute> attributes_of(const device& of, const source_location& where) {
  std::vector<named_attribute> all;
  const auto add = [&](const char* name, int code) {
    const auto value = detail::find_attribute(*of.port().table(), of.native_handle().native(), code, name, where);
    if (value) all.push_back({name, *value});
  };
#define YOKE_ADD_ATTRIBUTE(own, constant, code, since, ...) add(constant, code);
  YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_ADD_ATTRIBUTE)
#undef YOKE_ADD_ATTRIBUTE
  return all;
}
std::string attribute_table(const device& of, const source_location& where) {
  constexpr std::size_t prefix = std::string_view("CU_DEVICE_ATTRIBUTE_").size();
  const std::vector<named_attribute> all = attributes_of(of, where);
  std::size_t width = 0;
  for (const named_attribute& each : all) width = (std::max)(width, std::string_view(each.name).size() - prefix);
  std::string table;
  for (const named_attribute& each : all) {
    std::string name(each.name + prefix);
    name.resize(width + 2, ' ');
    table += name + std::to_string(each.value) + '\n';
  }
  return table;
}
int driver_version(const source_location& where) { return driver_version(port(where), where); }
int driver_version(const port& of, const source_location& where) {
  int version = 0;
  detail::invoke<&abi::functions::driver_get_version>(of.table(), where, &version);
  return version;
}

}  // namespace yoke::inline v0_1::cuda

#endif
