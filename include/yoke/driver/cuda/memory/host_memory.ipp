// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/host_memory.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_HOST_MEMORY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_HOST_MEMORY_IPP

#include <yoke/driver/cuda/memory/host_memory.hpp>

#include <yoke/core/native.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/memory/memory.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

void* host_memory_functions::allocate_pagelocked(abi::context context, device_id, std::size_t bytes, void** address,
                                                 const source_location& where) const {
  return *address = detail::allocate_locked(table(), context, bytes, abi::host_alloc_portable, where);
}
release_result host_memory_functions::release_pagelocked(abi::context context, void* block) const noexcept {
  // The address is enough; the driver gets a context only if it insists.
  const release_result direct = detail::release<&abi::functions::mem_free_host>(table(), block);
  if (direct.code != abi::error_invalid_context) return direct;
  return detail::outcome_of("cuMemFreeHost", [&] {
    const detail::current_context scope(table(), context, {});
    return detail::release<&abi::functions::mem_free_host>(table(), block);
  });
}
void host_memory_functions::check_pagelocked(const void* address, std::size_t bytes,
                                             const source_location& where) const {
  const auto is_locked = [&](std::uintptr_t at) {
    abi::memory_type type{};
    const abi::status told = detail::call<&abi::functions::pointer_get_attribute>(
        table(), static_cast<void*>(&type), abi::pointer_attribute::memory_type, at);
    if (told != abi::success && told != abi::error_invalid_value) {
      detail::throw_failure(told, "cuPointerGetAttribute", "", where);
    }
    return told == abi::success && type == abi::memory_type::host;
  };
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (is_locked(first) && (bytes == 0 || is_locked(first + bytes - 1))) return;
  detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("memory", first),
                      " is not page-locked for ", bytes, " bytes: CUDA does not know all of it");
}
void* host_memory_functions::adopt_pagelocked(abi::context, device_id, void* native, std::size_t bytes,
                                              native_ownership ownership, void** address,
                                              const source_location& where) const {
  check_pagelocked(native, bytes, where);
  if (ownership != native_ownership::borrowed) {
    detail::check_first_address(table(), reinterpret_cast<abi::device_pointer>(native), where);
  }
  *address = native;
  return native;
}
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

}  // namespace yoke::inline v0_1::cuda

#endif
