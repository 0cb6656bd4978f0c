// SPDX-License-Identifier: MIT
// Bodies of opencl/device/device.hpp.
#ifndef YOKE_OPENCL_DEVICE_DEVICE_IPP
#define YOKE_OPENCL_DEVICE_DEVICE_IPP

#include <yoke/core/text.hpp>
#include <yoke/opencl/device/device.hpp>

#include <cstring>

namespace yoke::inline v0_1::opencl {

namespace detail {

std::vector<std::byte> property_bytes(const device& of, std::uint32_t code, const char* name,
                                      const source_location& where) {
  const abi::functions* table = of.port().table();
  std::size_t size = 0;
  abi::status status = table->get_device_info(of.native_handle(), code, 0, nullptr, &size);
  std::vector<std::byte> bytes(status == 0 ? size : 0);
  if (status == 0 && !bytes.empty()) {
    status = table->get_device_info(of.native_handle(), code, bytes.size(), bytes.data(), nullptr);
  }
  // PoCL says INVALID_OPERATION for optional parts of OpenCL 2 and 3, others INVALID_VALUE.
  if (status == abi::invalid_value || status == abi::invalid_operation) {
    throw unsupported_error({status, error_category()}, "clGetDeviceInfo",
                            std::string("this device does not know ") + name, where);
  }
  if (status != 0) throw_failure(status, "clGetDeviceInfo", name, where);
  return bytes;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string out(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!out.empty() && out.back() == '\0') out.pop_back();
  return out;
}

std::vector<name_version> versions_of(const std::vector<std::byte>& bytes) {
  std::vector<name_version> list;
  for (std::size_t at = 0; at + sizeof(abi::name_version) <= bytes.size(); at += sizeof(abi::name_version)) {
    abi::name_version raw;
    std::memcpy(&raw, bytes.data() + at, sizeof raw);
    const std::size_t length = ::strnlen(raw.name, sizeof raw.name);
    list.push_back(
        {std::string(raw.name, length), raw.version >> 22, (raw.version >> 12) & 0x3FFu, raw.version & 0xFFFu});
  }
  return list;
}

void copy_value(void* out, std::size_t size, const std::vector<std::byte>& bytes, const char* name,
                const source_location& where) {
  // PoCL 3.1 returns CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES as 4 bytes; the standard has 8: the rest stays zero.
  if (bytes.size() != size && (size != sizeof(abi::ulong) || bytes.size() != sizeof(abi::uint))) {
    yoke::detail::throw_error(errc::command_failed, where, "the driver gave ", bytes.size(), " bytes for ", name,
                              ", not ", size);
  }
  std::memcpy(out, bytes.data(), bytes.size());
}

/// Returns: the number of compute units; 0 when the device does not tell.
std::uint32_t units_there(const device& whole) {
  try {
    return get(whole, info::max_compute_units);
  } catch (const error&) {  // the refused partition is reported instead
    return 0;
  }
}
/// Returns: text about the requested parts, if any, and the available compute units.
std::string asked_and_there(std::span<const unsigned> asked, std::uint32_t there) {
  std::string message;
  for (const unsigned count : asked) message += yoke::detail::text(message.empty() ? ": parts of " : ", ", count);
  if (message.empty()) return message;
  message += " compute units";
  return there == 0 ? message : message + yoke::detail::text(" of the ", there, " there are");
}

/// `asked` are the parts' compute units, for the message; empty for other partitions. `there` is the number of compute
/// units, if already known.
std::vector<device> partition(const device& whole, std::span<const std::intptr_t> properties,
                              std::span<const unsigned> asked, std::uint32_t there, const source_location& where) {
  // Allocates the handles first: a part that could not be stored would leak.
  std::vector<device> parts;
  std::vector<abi::device> natives;
  try {
    natives = whole.port().partition(whole.native_handle(), properties, where);
  } catch (const error& refused) {
    // CL_INVALID_VALUE, CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_FAILED
    const int code = refused.code().value();
    if (code != abi::invalid_value && code != -68 && code != -18) throw;
    if (there == 0 && !asked.empty()) there = units_there(whole);
    throw unsupported_error(refused.code(), refused.call(),
                            "this device cannot be divided in this way" + asked_and_there(asked, there), where);
  }
  std::size_t taken = 0;
  try {
    parts.reserve(natives.size());
    for (; taken < natives.size(); ++taken) parts.push_back(device::adopt(whole.port(), natives[taken]));
  } catch (...) {
    for (; taken < natives.size(); ++taken)
      yoke::detail::report_release(whole.port(), whole.port().release_device(natives[taken]));
    throw;
  }
  return parts;
}

}  // namespace detail

std::vector<device> partition_equally(const device& of, unsigned compute_units, const source_location& where) {
  if (compute_units == 0) yoke::detail::throw_error(errc::invalid_argument, "parts of 0 compute units", where);
  const std::intptr_t properties[] = {abi::partition_equally, static_cast<std::intptr_t>(compute_units), 0};
  return detail::partition(of, properties, {&compute_units, 1}, 0, where);
}

std::vector<device> partition_by_counts(const device& of, std::span<const unsigned> compute_units,
                                        const source_location& where) {
  if (compute_units.empty()) yoke::detail::throw_error(errc::invalid_argument, "no parts are asked for", where);
  std::vector<std::intptr_t> properties{abi::partition_by_counts};
  std::uint64_t sum = 0;
  for (const unsigned count : compute_units) {
    if (count == 0) {
      yoke::detail::throw_error(errc::invalid_argument, where, "part ", properties.size(), " of ", compute_units.size(),
                                " is a part of 0 compute units: a part has at least 1");
    }
    properties.push_back(static_cast<std::intptr_t>(count));
    sum += count;
  }
  const auto there = get(of, info::max_compute_units, where);
  if (sum > there) {  // PoCL's own sum has 32 bits
    throw unsupported_error({-68, error_category()}, "clCreateSubDevices",
                            "this device cannot be divided in this way" + detail::asked_and_there(compute_units, there),
                            where);
  }
  properties.insert(properties.end(), {0, 0});
  return detail::partition(of, properties, compute_units, there, where);
}

std::vector<device> partition_by_affinity(const device& of, affinity_domain domain, const source_location& where) {
  using enum affinity_domain;
  yoke::detail::check_enumerator("affinity domain", domain, {numa, l4_cache, l3_cache, l2_cache, l1_cache, next},
                                 where);
  const std::intptr_t properties[] = {abi::partition_by_affinity, static_cast<std::intptr_t>(domain), 0};
  return detail::partition(of, properties, {}, 0, where);
}

}  // namespace yoke::inline v0_1::opencl

#endif
