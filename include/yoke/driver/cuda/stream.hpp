// SPDX-License-Identifier: MIT
// What only CUDA's streams have: the default ones, flags, priorities, numbers, and functions of the host in their order.
#ifndef YOKE_DRIVER_CUDA_STREAM_HPP
#define YOKE_DRIVER_CUDA_STREAM_HPP

#include <yoke/driver/cuda/context.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// Part of `port`; use that.
class stream_functions : public context_functions {
 public:
  YOKE_API bool stream_is_done(stream_handle stream, const source_location& where) const;
  YOKE_API bool stream_is_non_blocking(stream_handle stream, const source_location& where) const;
  YOKE_API int stream_priority(stream_handle stream, const source_location& where) const;
  YOKE_API std::uint64_t stream_id(stream_handle stream, const source_location& where) const;
  /// The driver calls `function(data)` on a thread of its own when the stream comes to it, but not once the context has
  /// an error.
  YOKE_API void launch_host_function(stream_handle stream, abi::host_function function, void* data,
                                     const source_location& where) const;
};

namespace detail {
/// Whether a stream is one of the two default ones, which mean those of the context that is current.
[[nodiscard]] inline bool is_default_stream(abi::stream stream) noexcept {
  return reinterpret_cast<std::uintptr_t>(stream) <= abi::per_thread_stream;
}
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/stream.ipp>
#endif

#endif
