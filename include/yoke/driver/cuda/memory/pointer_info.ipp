// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/pointer_info.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_POINTER_INFO_IPP
#define YOKE_DRIVER_CUDA_MEMORY_POINTER_INFO_IPP

#include <yoke/driver/cuda/memory/pointer_info.hpp>

#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <array>
#include <optional>

namespace yoke::inline v0_1::cuda {

std::optional<pointer_info> pointer_info_functions::describe_pointer(abi::device_pointer pointer,
                                                                     const source_location& where) const {
  if (pointer == 0) return std::nullopt;
  pointer_info info;
  abi::memory_type type{};
  unsigned managed = 0;
  using enum abi::pointer_attribute;
  // The plural call returns zeros for unknown attributes. It knows the device address only while the memory's own
  // context is current.
  std::array owner{abi::pointer_attribute::context};
  std::array<void*, 1> owner_result{&info.context};
  detail::invoke<&abi::functions::pointer_get_attributes>(table(), where, 1U, owner.data(), owner_result.data(),
                                                          pointer);
  std::optional<detail::current_context> current;
  if (info.context != nullptr) current.emplace(table(), info.context, where);
  std::array attributes{memory_type,    device_pointer,   host_pointer, is_managed,
                        device_ordinal, range_start_addr, range_size,   buffer_id};
  std::array<void*, attributes.size()> results{&type,        &info.device_address, &info.host_address, &managed,
                                               &info.device, &info.base,           &info.bytes,        &info.buffer_id};
  detail::invoke<&abi::functions::pointer_get_attributes>(table(), where, static_cast<unsigned>(attributes.size()),
                                                          attributes.data(), results.data(), pointer);
  if (type == abi::memory_type{}) return std::nullopt;
  info.kind = managed != 0                       ? memory_kind::managed
              : type == abi::memory_type::device ? memory_kind::device
                                                 : memory_kind::host;
  return info;
}

}  // namespace yoke::inline v0_1::cuda

#endif
