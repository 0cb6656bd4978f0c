// SPDX-License-Identifier: MIT
// Explains why a driver gave no memory.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_FAILED_ALLOCATION_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_FAILED_ALLOCATION_HPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/port.hpp>

#include <algorithm>
#include <string>

namespace yoke::inline v0_1::opencl::detail {

/// Returns: the largest allocation that every device of a context supports, in bytes; 0 if the driver does not tell.
inline abi::ulong largest_allocation(const abi::functions* table, abi::context context) noexcept {
  try {
    abi::ulong least = 0;
    for (const abi::device device : port(table).context_devices(context, {})) {
      const auto bytes =
          query<abi::ulong, &abi::functions::get_device_info>(table, {}, device, info::max_mem_alloc_size.code);
      least = least == 0 ? bytes : (std::min)(least, bytes);
    }
    return least;
  } catch (...) {  // the allocation's own failure is thrown
    return 0;
  }
}

/// Throws: always: the error for a failed allocation of `what`; `memory_error` if it is beyond the device's limit.
[[noreturn, gnu::cold]] inline void throw_no_memory(const abi::functions* table, std::error_code code, const char* call,
                                                    abi::context context, std::string what, std::size_t bytes,
                                                    const source_location& where) {
  // CL_INVALID_BUFFER_SIZE means that no device takes that much.
  if (code.value() == -61) code = make_error_code(errc::out_of_memory);
  const abi::ulong limit = largest_allocation(table, context);
  if (limit != 0 && bytes > limit) {
    what += text(" exceeds the ", limit, " that the device takes in one allocation");
  } else if (limit != 0 && code == errc::out_of_memory) {
    what += text(": the device takes up to ", limit, " in one allocation, while it has them");
  }
  if (code == errc::out_of_memory) throw memory_error(code, call, what, where);
  throw_failure(code.value(), call, what, where);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
