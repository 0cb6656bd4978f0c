// SPDX-License-Identifier: MIT
// The CUDA port's streams: creation, waits, identity, and host functions in their order.
#ifndef YOKE_DRIVER_CUDA_STREAM_HPP
#define YOKE_DRIVER_CUDA_STREAM_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// The options of a CUDA stream.
struct stream_options {
  bool timing = false;        ///< without effect: every stream records timed events
  bool non_blocking = false;  ///< does not synchronise with the legacy default stream
  int priority = 0;           ///< smaller runs first; the driver takes the device's nearest priority

  static constexpr bool refines_stream_options = true;
  [[nodiscard]] static constexpr stream_options refining(const yoke::stream_options& options) noexcept {
    return {options.timing, options.non_blocking, 0};
  }
};

/// A part of `port`.
class stream_functions : public facet<stream_functions> {
 public:
  YOKE_API abi::stream create_stream(abi::context context, device_id device, const stream_options& options,
                                     const source_location& where) const;
  YOKE_API void retain_stream(abi::stream stream, const source_location& where) const;
  YOKE_API release_result release_stream(abi::stream stream) const noexcept;
  /// Effects: drops a reference that the driver does not count. Returns: whether there was one; if not, the caller
  /// releases the stream itself, unless it ended with its context.
  YOKE_API bool forget_stream(abi::stream stream) const noexcept;
  /// Returns: the number of the capture that a stream is in; 0 for none.
  YOKE_API std::uint64_t capture_of(abi::stream stream) const noexcept;
  YOKE_API device_id stream_device(abi::stream stream, const source_location& where) const;
  YOKE_API abi::context stream_context(abi::stream stream, const source_location& where) const;
  /// Throws: `unsupported_error` in a forked process.
  YOKE_API void check_process(const source_location& where) const;
  YOKE_API void synchronize(abi::stream stream, const source_location& where) const;
  YOKE_API void wait_in_stream(abi::stream stream, std::span<const abi::event> events,
                               const source_location& where) const;
  YOKE_API bool stream_is_done(abi::stream stream, const source_location& where) const;
  YOKE_API bool stream_is_non_blocking(abi::stream stream, const source_location& where) const;
  YOKE_API int stream_priority(abi::stream stream, const source_location& where) const;
  YOKE_API std::uint64_t stream_id(abi::stream stream, const source_location& where) const;
  /// Enqueues operations on words of memory, which run in order.
  YOKE_API void enqueue_mem_ops(abi::stream stream, std::span<const abi::mem_op_params> operations,
                                const source_location& where) const;
  /// Enqueues `function(data)`. The driver calls it on a thread of its own, but not after the context has failed.
  YOKE_API void launch_host_function(abi::stream stream, abi::host_function function, void* data,
                                     const source_location& where) const;

  [[nodiscard, gnu::always_inline]] std::int32_t wait_directly(abi::stream stream, const abi::event& event,
                                                               abi::stream /*recorded_in*/) const noexcept {
    return detail::in_forked_process() ? direct_unusual
                                       : table()->stream_wait_event(stream, event, abi::event_wait_default);
  }
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/stream.ipp>
#endif

#endif
