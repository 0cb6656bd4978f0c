// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/device_info.hpp: queries an attribute, and reports an unknown one.
#ifndef YOKE_DRIVER_CUDA_DEVICE_INFO_IPP
#define YOKE_DRIVER_CUDA_DEVICE_INFO_IPP

#include <yoke/driver/cuda/device_info.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>

namespace yoke::inline v0_1::cuda::detail {

std::optional<int> find_attribute(const abi::functions& table, abi::device of, int code, const char* name,
                                  const source_location& where) {
  int number = 0;
  const abi::status status = call<&abi::functions::device_get_attribute>(&table, &number, code, of);
  if (status == abi::success) return number;
  // A driver older than the attribute returns "invalid value". A bad device has another code.
  if (status == abi::error_invalid_value || status == abi::error_not_supported) return std::nullopt;
  throw_failure(status, "cuDeviceGetAttribute",
                yoke::detail::text("no ", name, " of device ", of, ": ", error_text(status)), where);
}

void throw_no_attribute(const abi::functions& table, int code, const char* name, int since,
                        const source_location& where) {
  int version = 0;
  if (table.driver_get_version(&version) != abi::success) version = 0;
  std::string message = yoke::detail::text("the driver does not know ", name, " (", code, ")");
  if (version != 0) message += yoke::detail::text(": it serves CUDA ", version_text(version));
  if (since > version) message += yoke::detail::text(", and CUDA ", version_text(since), " has it");
  throw unsupported_error({abi::error_not_supported, error_category()}, "cuDeviceGetAttribute", message, where);
}

void require_attribute(const abi::functions* table, abi::device of, int attribute, const char* lacks,
                       const source_location& where) {
  int has = 0;
  invoke<&abi::functions::device_get_attribute>(table, where, &has, attribute, of);
  if (has == 0) throw_error(errc::unsupported, where, "device ", of, " ", lacks);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
