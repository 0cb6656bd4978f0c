// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/pointer.hpp.
#ifndef YOKE_CUDA_MEMORY_POINTER_IPP
#define YOKE_CUDA_MEMORY_POINTER_IPP

#include <yoke/cuda/memory/pointer.hpp>

namespace yoke::inline v0_1::cuda {

std::optional<pointer_info> describe_pointer(const port& with, abi::device_pointer pointer,
                                             const source_location& where) {
  return with.describe_pointer(pointer, where);
}
std::optional<pointer_info> describe_pointer(const port& with, const void* pointer, const source_location& where) {
  return with.describe_pointer(reinterpret_cast<std::uintptr_t>(pointer), where);
}

abi::device_pointer detail::unified_address(const context& in, const void* pointer, std::size_t bytes,
                                            const source_location& where) {
  const port& with = in.port(where);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::optional<pointer_info> found = with.describe_pointer(address, where);
  const auto refuse = [&](errc condition, const auto&... why) {
    yoke::detail::throw_error(condition, where, "memory at 0x", yoke::detail::hex_digits(address), " ", why...);
  };
  // Drivers give no other address for stream-ordered memory.
  const bool on_device = found && found->kind == memory_kind::device;
  const abi::device_pointer first = !found                                     ? 0
                                    : found->device_address != 0 || !on_device ? found->device_address
                                                                               : address;
  if (first == 0) {
    refuse(errc::invalid_argument, "is none that the driver knows: pass a std::span of host memory");
  }
  // With unified addressing page-locked memory belongs to all contexts.
  if (on_device && found->context != nullptr && found->context != in.native_handle()) {
    refuse(errc::wrong_context, "is of another context");
  }
  const std::size_t left = found->bytes == 0 ? bytes : found->bytes - static_cast<std::size_t>(first - found->base);
  if (bytes > left) refuse(errc::out_of_range, "ends after ", left, " bytes, and a view of ", bytes, " was asked for");
  return first;
}

}  // namespace yoke::inline v0_1::cuda

#endif
