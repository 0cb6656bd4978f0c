// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/virtual_memory.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_VIRTUAL_MEMORY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_VIRTUAL_MEMORY_IPP

#include <yoke/driver/cuda/memory/virtual_memory.hpp>

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/memory/shared_descriptor.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

inline constexpr int virtual_memory_supported = 102;  // CU_DEVICE_ATTRIBUTE_...
inline constexpr int shared_by_descriptor_supported = 103;

abi::allocation_properties properties_on(device_id device, bool shareable) noexcept {
  abi::allocation_properties wanted{};
  wanted.type = abi::allocation_type::pinned;
  wanted.handle_types = shareable ? abi::shared_handle_type::file_descriptor : abi::shared_handle_type::none;
  wanted.location = {abi::memory_location_type::device, device.native()};
  return wanted;
}

std::string range_text(abi::device_pointer at, std::size_t bytes) {
  return text(bytes, " bytes at 0x", yoke::detail::hex_digits(at));
}

}  // namespace detail

std::size_t virtual_memory_functions::memory_granularity(abi::context context, device_id device,
                                                         abi::granularity_kind kind,
                                                         const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  detail::require_attribute(table(), device.native(), detail::virtual_memory_supported,
                            "has no virtual memory (CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)", where);
  const abi::allocation_properties wanted = detail::properties_on(device, false);
  std::size_t bytes = 0;
  detail::invoke<&abi::functions::mem_get_granularity>(table(), where, &bytes, &wanted, kind);
  return bytes;
}

abi::device_pointer virtual_memory_functions::reserve_addresses(abi::context context, std::size_t bytes,
                                                                std::size_t alignment, abi::device_pointer wanted,
                                                                const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::device_pointer range = 0;
  detail::invoke_explained<&abi::functions::mem_address_reserve>(
      table(), where,
      [&](abi::status status) {
        return detail::text("address range of ", bytes, " bytes, aligned to ", alignment, ": ", error_text(status));
      },
      &range, bytes, alignment, wanted, abi::ulong{0});
  return range;
}
release_result virtual_memory_functions::free_addresses(abi::device_pointer range, std::size_t bytes) const noexcept {
  return detail::release<&abi::functions::mem_address_free>(table(), range, bytes);
}

abi::physical_memory virtual_memory_functions::create_physical(abi::context context, device_id device,
                                                               std::size_t bytes, bool shareable,
                                                               const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  if (shareable) {
    detail::require_attribute(table(), device.native(), detail::shared_by_descriptor_supported,
                              "shares no memory by file descriptor "
                              "(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED)",
                              where);
  }
  const abi::allocation_properties wanted = detail::properties_on(device, shareable);
  abi::physical_memory memory = 0;
  const abi::status status =
      detail::call_present<&abi::functions::mem_create>(table(), where, &memory, bytes, &wanted, abi::ulong{0});
  if (status != abi::success) {
    detail::throw_no_memory(table(), context, status, "cuMemCreate",
                            detail::text("physical memory of ", bytes, " bytes"), where);
  }
  return memory;
}
release_result virtual_memory_functions::release_physical(abi::physical_memory memory) const noexcept {
  return detail::release<&abi::functions::mem_release>(table(), memory);
}
abi::allocation_properties virtual_memory_functions::physical_properties(abi::physical_memory memory,
                                                                         const source_location& where) const {
  abi::allocation_properties told{};
  detail::invoke<&abi::functions::mem_get_properties>(table(), where, &told, memory);
  return told;
}
abi::physical_memory virtual_memory_functions::retain_physical(abi::device_pointer mapped,
                                                               const source_location& where) const {
  abi::physical_memory memory = 0;
  detail::invoke_explained<&abi::functions::mem_retain>(
      table(), where,
      [&](abi::status status) {
        return detail::text("no physical memory is mapped at 0x", yoke::detail::hex_digits(mapped), ": ",
                            error_text(status));
      },
      &memory, reinterpret_cast<void*>(static_cast<std::uintptr_t>(mapped)));
  return memory;
}

void virtual_memory_functions::map_physical(abi::context context, abi::device_pointer at, std::size_t bytes,
                                            abi::physical_memory memory, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  detail::invoke_explained<&abi::functions::mem_map>(
      table(), where,
      [&](abi::status status) {
        return detail::text("physical memory cannot be mapped to ", detail::range_text(at, bytes), ": ",
                            error_text(status),
                            "; the addresses must be reserved and free, the memory of that size, and both multiples of "
                            "the device's granularity");
      },
      at, bytes, std::size_t{0}, memory, abi::ulong{0});
}
release_result virtual_memory_functions::unmap_physical(abi::context context, abi::device_pointer at,
                                                        std::size_t bytes) const noexcept {
  if (context == nullptr) return detail::release<&abi::functions::mem_unmap>(table(), at, bytes);
  // The driver does not document that it waits for kernels that use the memory.
  release_result first = detail::outcome_of("cuCtxSynchronize", [&] {
    const detail::current_context scope(table(), context, {});
    return detail::release<&abi::functions::context_synchronize>(table());
  });
  detail::add_outcome(first, detail::release<&abi::functions::mem_unmap>(table(), at, bytes));
  return first;
}

void virtual_memory_functions::set_access(abi::context context, abi::device_pointer at, std::size_t bytes,
                                          std::span<const abi::access_descriptor> access,
                                          const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  detail::invoke_explained<&abi::functions::mem_set_access>(
      table(), where,
      [&](abi::status status) {
        std::string devices;
        for (const abi::access_descriptor& each : access) {
          devices += detail::text(devices.empty() ? "" : ", ", each.location.id);
        }
        return detail::text("access of device ", devices, " to ", detail::range_text(at, bytes), ": ",
                            error_text(status), "; another device than the memory's own must be able to access that");
      },
      at, bytes, access.data(), access.size());
}
abi::access_flags virtual_memory_functions::access_of(abi::device_pointer at, device_id device,
                                                      const source_location& where) const {
  const abi::memory_location place{abi::memory_location_type::device, device.native()};
  abi::ulong flags = 0;
  detail::invoke<&abi::functions::mem_get_access>(table(), where, &flags, &place, at);
  return static_cast<abi::access_flags>(flags);
}

int virtual_memory_functions::export_physical(abi::physical_memory memory, const source_location& where) const {
  int descriptor = -1;
  detail::invoke<&abi::functions::mem_export>(table(), where, static_cast<void*>(&descriptor), memory,
                                              abi::shared_handle_type::file_descriptor, abi::ulong{0});
  return detail::closed_on_exec(descriptor);
}
abi::physical_memory virtual_memory_functions::import_physical(abi::context context, int descriptor,
                                                               const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::physical_memory memory = 0;
  detail::invoke_explained<&abi::functions::mem_import>(
      table(), where,
      [&](abi::status status) { return detail::refused_descriptor(descriptor, "physical memory", status); }, &memory,
      detail::as_shared_handle(descriptor, where), abi::shared_handle_type::file_descriptor);
  return memory;
}

}  // namespace yoke::inline v0_1::cuda

#endif
