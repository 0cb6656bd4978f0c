// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/host_memory.hpp: options of page-locked memory, the program's own memory, and what an address is of.
#ifndef YOKE_DRIVER_CUDA_MEMORY_REGISTERED_MEMORY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_REGISTERED_MEMORY_IPP

#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/memory/host_memory.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <array>
#include <optional>

namespace yoke::inline v0_1::cuda {

void* host_memory_functions::allocate_pagelocked_with(abi::context context, std::size_t bytes,
                                                      const pagelocked_options& options,
                                                      const source_location& where) const {
  const unsigned flags = (options.portable ? abi::host_alloc_portable : 0) |
                         (options.mapped ? abi::host_alloc_device_map : 0) |
                         (options.write_combined ? abi::host_alloc_write_combined : 0);
  return detail::allocate_locked(table(), context, bytes, flags, where);
}
pagelocked_options host_memory_functions::pagelocked_options_of(abi::context context, void* block,
                                                                const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  unsigned flags = 0;
  detail::invoke<&abi::functions::mem_host_get_flags>(table(), where, &flags, block);
  return {(flags & abi::host_alloc_portable) != 0, (flags & abi::host_alloc_device_map) != 0,
          (flags & abi::host_alloc_write_combined) != 0};
}
void host_memory_functions::register_host(abi::context context, void* address, std::size_t bytes,
                                          const registration_options& options, const source_location& where) const {
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
release_result host_memory_functions::unregister_host(abi::context context, void* address) const noexcept {
  // Works also when the context is gone: the address is enough.
  return detail::release_in(table(), context,
                            [&] { return detail::release<&abi::functions::mem_host_unregister>(table(), address); });
}
abi::device_pointer host_memory_functions::mapped_address(abi::context context, void* address,
                                                          const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::device_pointer mapped = 0;
  detail::invoke<&abi::functions::mem_host_get_device_pointer>(table(), where, &mapped, address, 0U);
  return mapped;
}
std::optional<pointer_info> host_memory_functions::describe_pointer(abi::device_pointer pointer,
                                                                    const source_location& where) const {
  if (pointer == 0) return std::nullopt;
  pointer_info info;
  abi::memory_type type{};
  unsigned managed = 0;
  using enum abi::pointer_attribute;
  // The plural call gives zeros for what it does not know. It knows the device address only while the memory's own context
  // is current.
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
