// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/memory/memory.hpp: parts of a buffer, mapped or with a handle of their own.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_PARTS_OF_MEMORY_IPP
#define YOKE_DRIVER_OPENCL_MEMORY_PARTS_OF_MEMORY_IPP

#include <yoke/driver/opencl/event/ended_commands.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/buffers.hpp>
#include <yoke/driver/opencl/memory/memory.hpp>

namespace yoke::inline v0_1::opencl {

void memory_functions::retain_memory(abi::memory memory, const source_location& where) const {
  detail::invoke<&abi::functions::retain_memory>(table(), where, memory);
}
void* memory_functions::map(abi::queue stream, abi::memory memory, std::size_t offset, std::size_t bytes, map_mode mode,
                            const source_location& where) const {
  abi::status status = 0;
  abi::event event = nullptr;
  abi::event* const slot = detail::reads_tell_all(table()) ? nullptr : &event;
  void* address = table()->enqueue_map_buffer(stream, memory, abi::yes, detail::map_flags(mode), offset, bytes, 0,
                                              nullptr, slot, &status);
  if (status != 0 || address == nullptr) detail::throw_refused_map(table(), memory, mode, status, where);
  if (slot == nullptr) [[likely]]
    return address;
  try {
    detail::wait_and_release(table(), event, where);
  } catch (...) {  // the driver still counts it as mapped
    detail::report(unmap(stream, memory, address));
    throw;
  }
  return address;
}
release_result memory_functions::unmap(abi::queue stream, abi::memory memory, void* address) const noexcept {
  detail::kept_event kept(table());
  return detail::release<&abi::functions::enqueue_unmap_memory>(table(), stream, memory, address, abi::uint{0},
                                                                static_cast<const abi::event*>(nullptr), kept.slot());
}
abi::memory memory_functions::create_sub_buffer(abi::memory parent, std::size_t offset, std::size_t bytes,
                                                const source_location& where) const {
  const abi::buffer_region region{offset, bytes};
  abi::status status = 0;
  const abi::memory part =
      table()->create_sub_buffer(parent, abi::ulong{0}, abi::buffer_create_region, &region, &status);
  if (status != 0 || part == nullptr) [[unlikely]] {
    abi::memory whole = nullptr;
    const bool is_part =
        table()->get_memory_info(parent, abi::mem_associated, sizeof whole, &whole, nullptr) == 0 && whole != nullptr;
    detail::throw_failure(
        status == 0 ? -6 : status, "clCreateSubBuffer",
        is_part ? "the allocation is itself a part of a buffer: make the part from the whole one" : "", where);
  }
  return part;
}

}  // namespace yoke::inline v0_1::opencl

#endif
