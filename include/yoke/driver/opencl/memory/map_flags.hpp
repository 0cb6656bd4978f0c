// SPDX-License-Identifier: MIT
// Maps of buffers and images: their flags, and why a driver refuses one.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_MAP_FLAGS_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_MAP_FLAGS_HPP

#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline v0_1::opencl::detail {

inline abi::ulong map_flags(map_mode mode) noexcept {
  switch (mode) {
    case map_mode::read: return abi::map_read;
    case map_mode::write: return abi::map_write_invalidate;
    case map_mode::read_write: break;
  }
  return abi::map_read | abi::map_write;
}

/// Throws: always: why a map of a buffer was refused. Intel's CPU runtime returns `CL_INVALID_VALUE` if the buffer's
/// flags deny the host access; OpenCL demands `CL_INVALID_OPERATION`.
[[noreturn, gnu::cold]] inline void throw_refused_map(const abi::functions* table, abi::memory memory, map_mode mode,
                                                      abi::status status, const source_location& where) {
  const abi::ulong restricted = abi::mem_host_no_access | (mode != map_mode::write ? abi::mem_host_write_only : 0) |
                                (mode != map_mode::read ? abi::mem_host_read_only : 0);
  abi::ulong flags = 0;
  if (status == abi::invalid_value &&
      table->get_memory_info(memory, abi::mem_flags, sizeof flags, &flags, nullptr) == 0 && (flags & restricted) != 0) {
    status = abi::invalid_operation;
  }
  throw_failure(status == 0 ? abi::map_failure : status, symbol<&abi::functions::enqueue_map_buffer>(), "", where);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
