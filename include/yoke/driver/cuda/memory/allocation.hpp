// SPDX-License-Identifier: MIT
// Helpers for all allocations: the context of default streams, failures with the device's memory, page-locked blocks.
#ifndef YOKE_DRIVER_CUDA_MEMORY_ALLOCATION_HPP
#define YOKE_DRIVER_CUDA_MEMORY_ALLOCATION_HPP

#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/invoke.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace yoke::inline v0_1::cuda::detail {

/// Makes a context current for a scope, but only for a default stream, which belongs to the current context.
class default_stream_context {
 public:
  default_stream_context(const abi::functions* table, abi::context wanted, abi::stream stream,
                         const source_location& where) {
    if (is_default_stream(stream)) scope_.emplace(table, wanted, where);
  }

 private:
  std::optional<current_context> scope_;
};

/// Throws: always: the error for a failed allocation; if memory ran out, with the device's memory.
[[noreturn, gnu::cold]] inline void throw_no_memory(const abi::functions* table, abi::context context,
                                                    abi::status status, const char* call, std::string what,
                                                    const source_location& where) {
  if (status == abi::error_out_of_memory) {
    try {
      const current_context scope(table, context, where);
      std::size_t free_bytes = 0;
      std::size_t all_bytes = 0;
      invoke<&abi::functions::mem_get_info>(table, where, &free_bytes, &all_bytes);
      what += text(": ", free_bytes, " of the device's ", all_bytes, " bytes are free");
    } catch (const error&) {  // the allocation's own failure is thrown
    }
  }
  throw_failure(status, call, what, where);
}
/// Returns: page-locked memory. Throws: `error`; the driver does not tell how much is free.
inline void* allocate_locked(const abi::functions* table, abi::context context, std::size_t bytes, unsigned flags,
                             const source_location& where) {
  const current_context scope(table, context, where);
  void* block = nullptr;
  const abi::status status = call<&abi::functions::mem_host_alloc>(table, &block, bytes, flags);
  if (status != abi::success) {
    throw_failure(status, "cuMemHostAlloc", text("page-locked allocation of ", bytes, " bytes"), where);
  }
  return block;
}
inline std::string device_allocation_of(std::size_t bytes) { return text("device allocation of ", bytes, " bytes"); }

}  // namespace yoke::inline v0_1::cuda::detail

#endif
