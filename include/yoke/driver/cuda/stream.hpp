// SPDX-License-Identifier: MIT
// What only CUDA's streams have: default streams, flags, priorities, numbers, and host functions in their order.
#ifndef YOKE_DRIVER_CUDA_STREAM_HPP
#define YOKE_DRIVER_CUDA_STREAM_HPP

#include <yoke/driver/cuda/context.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// A part of `port`.
class stream_functions : public context_functions {
 public:
  YOKE_API bool stream_is_done(stream_handle stream, const source_location& where) const;
  YOKE_API bool stream_is_non_blocking(stream_handle stream, const source_location& where) const;
  YOKE_API int stream_priority(stream_handle stream, const source_location& where) const;
  YOKE_API std::uint64_t stream_id(stream_handle stream, const source_location& where) const;
  /// Enqueues `function(data)`, which the driver calls on a thread of its own, but not once the context has an error.
  YOKE_API void launch_host_function(stream_handle stream, abi::host_function function, void* data,
                                     const source_location& where) const;
};

namespace detail {
/// Whether a stream is one of the two default streams, which belong to the current context.
[[nodiscard]] inline bool is_default_stream(abi::stream stream) noexcept {
  return reinterpret_cast<std::uintptr_t>(stream) <= abi::per_thread_stream;
}
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/stream.ipp>
#endif

#endif
