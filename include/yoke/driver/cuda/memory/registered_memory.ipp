// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/registered_memory.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_REGISTERED_MEMORY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_REGISTERED_MEMORY_IPP

#include <yoke/driver/cuda/memory/registered_memory.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

void registered_memory_functions::register_host(abi::context context, void* address, std::size_t bytes,
                                                const registration_options& options,
                                                const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  const unsigned flags = (options.portable ? abi::host_register_portable : 0) |
                         (options.mapped ? abi::host_register_device_map : 0) |
                         (options.read_only ? abi::host_register_read_only : 0);
  const abi::status status = detail::call<&abi::functions::mem_host_register>(table(), address, bytes, flags);
  if (status == abi::success) return;
  const char* why = "";
  if (status == abi::error_host_memory_already_registered) why = ": a part of them is page-locked already";
  if (status == abi::error_not_supported) why = ": the device cannot page-lock it, or not as read-only memory";
  detail::throw_failure(
      status, "cuMemHostRegister",
      detail::text(bytes, " bytes of the program's own memory at 0x",
                   yoke::detail::hex_digits(reinterpret_cast<std::uintptr_t>(address)), " cannot be page-locked", why),
      where);
}
release_result registered_memory_functions::unregister_host(abi::context context, void* address) const noexcept {
  // Works also when the context is gone: the address is enough.
  return detail::release_in(table(), context,
                            [&] { return detail::release<&abi::functions::mem_host_unregister>(table(), address); });
}
abi::device_pointer registered_memory_functions::mapped_address(abi::context context, void* address,
                                                                const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::device_pointer mapped = 0;
  detail::invoke<&abi::functions::mem_host_get_device_pointer>(table(), where, &mapped, address, 0U);
  return mapped;
}

}  // namespace yoke::inline v0_1::cuda

#endif
