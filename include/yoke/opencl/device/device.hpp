// SPDX-License-Identifier: MIT
// Features of OpenCL devices: typed properties and sub-devices.
#ifndef YOKE_OPENCL_DEVICE_DEVICE_HPP
#define YOKE_OPENCL_DEVICE_DEVICE_HPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/opencl/names.hpp>

#include <optional>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// Returns: the raw bytes of a property. Throws: `error`.
YOKE_API std::vector<std::byte> property_bytes(const device& of, std::uint32_t code, const char* name,
                                               const source_location& where);
YOKE_API std::string text_of(const std::vector<std::byte>& bytes);
YOKE_API std::vector<name_version> versions_of(const std::vector<std::byte>& bytes);
/// Effects: copies a fixed-size value. Throws: `runtime_error` when the driver gave another size.
YOKE_API void copy_value(void* out, std::size_t size, const std::vector<std::byte>& bytes, const char* name,
                         const source_location& where);

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

}  // namespace detail

/// A property of a device, in its own type: `get(device, info::local_mem_size)` is a `std::uint64_t`.
///
/// Sizes, counts and bit fields keep OpenCL's values; strings have no terminating zeros; a property that lists
/// extensions or versions is a list of `name_version`.
/// Throws: `unsupported_error` when the device does not know the property; `error`. Thread safety: safe.
/// Wraps `clGetDeviceInfo`.
template <class Value>
[[nodiscard]] Value get(const device& of, const device_property<Value>& property,
                        const source_location& where = source_location::current()) {
  const std::vector<std::byte> bytes = detail::property_bytes(of, property.code, property.name, where);
  if constexpr (std::same_as<Value, std::string>) {
    return detail::text_of(bytes);
  } else if constexpr (std::same_as<Value, std::vector<name_version>>) {
    return detail::versions_of(bytes);
  } else if constexpr (detail::is_vector<Value>) {
    Value list(bytes.size() / sizeof(typename Value::value_type));
    if (!list.empty()) {
      detail::copy_value(list.data(), list.size() * sizeof(typename Value::value_type), bytes, property.name, where);
    }
    return list;
  } else if constexpr (std::same_as<Value, bool>) {
    abi::boolean value = 0;
    detail::copy_value(&value, sizeof value, bytes, property.name, where);
    return value != 0;
  } else {
    Value value{};
    // PoCL 3.1 returns CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, a field of 8 bytes, in 4.
    const bool short_word = std::unsigned_integral<Value> && sizeof value == 8 && bytes.size() == 4;
    detail::copy_value(&value, short_word ? 4 : sizeof value, bytes, property.name, where);
    return value;
  }
}

/// A property, or nothing when the device does not know it. Throws: `error`. Thread safety: safe.
template <class Value>
[[nodiscard]] std::optional<Value> try_get(const device& of, const device_property<Value>& property,
                                           const source_location& where = source_location::current()) {
  try {
    return get(of, property, where);
  } catch (const unsupported_error&) {
    return std::nullopt;
  }
}

/// Divides a device into as many parts of `compute_units` compute units as possible.
/// Returns: the parts; each lives as long as a copy of its handle, or a context over it.
/// Throws: `unsupported_error` when the device does not support it; `error`. Thread safety: safe.
/// Wraps `clCreateSubDevices` with `CL_DEVICE_PARTITION_EQUALLY`.
[[nodiscard]] YOKE_API std::vector<device> partition_equally(const device& of, unsigned compute_units,
                                                             const source_location& where = source_location::current());
/// Divides a device into parts of the given sizes.
/// Throws, thread safety: as above. Wraps `clCreateSubDevices` with `CL_DEVICE_PARTITION_BY_COUNTS`.
[[nodiscard]] YOKE_API std::vector<device> partition_by_counts(
    const device& of, std::span<const unsigned> compute_units,
    const source_location& where = source_location::current());

/// The level of memory along which a device is divided.
enum class affinity_domain : std::uint8_t {
  numa = 1,
  l4_cache = 2,
  l3_cache = 4,
  l2_cache = 8,
  l1_cache = 16,
  next = 32
};
/// Divides a device along a level of its memory.
/// Throws, thread safety: as above. Wraps `clCreateSubDevices` with `CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN`.
[[nodiscard]] YOKE_API std::vector<device> partition_by_affinity(
    const device& of, affinity_domain domain, const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/device/device.ipp>
#endif

#endif
