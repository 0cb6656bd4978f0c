// SPDX-License-Identifier: MIT
// The OpenCL port's queues: created, queried and waited for.
#ifndef YOKE_DRIVER_OPENCL_STREAM_HPP
#define YOKE_DRIVER_OPENCL_STREAM_HPP

#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class stream_functions : public facet<stream_functions> {
 public:
  YOKE_API abi::queue create_stream(abi::context context, abi::device device, const stream_options& options,
                                    const source_location& where) const;
  YOKE_API abi::queue create_out_of_order_stream(abi::context context, abi::device device,
                                                 const stream_options& options, const source_location& where) const;
  YOKE_API void retain_stream(abi::queue stream, const source_location& where) const;
  YOKE_API release_result release_stream(abi::queue stream) const noexcept;
  YOKE_API abi::device stream_device(abi::queue stream, const source_location& where) const;
  YOKE_API abi::context stream_context(abi::queue stream, const source_location& where) const;
  YOKE_API bool stream_has_timing(abi::queue stream, const source_location& where) const;
  YOKE_API bool stream_is_out_of_order(abi::queue stream, const source_location& where) const;
  /// Returns: `CL_QUEUE_REFERENCE_COUNT`, which may include pending commands.
  YOKE_API abi::uint stream_references(abi::queue stream, const source_location& where) const;
  YOKE_API void flush(abi::queue stream, const source_location& where) const;
  YOKE_API void synchronize(abi::queue stream, const source_location& where) const;
  YOKE_API abi::event barrier(abi::queue stream, std::span<const abi::event> after, const source_location& where) const;
  YOKE_API void wait_in_stream(abi::queue stream, std::span<const abi::event> events,
                               const source_location& where) const;

  static constexpr bool waits_want_flushes() noexcept { return true; }
  /// Effects: flushes `recorded_in`, unless it is `stream`, and waits. Does nothing once user events take part, since
  /// only then the event may have failed, or if the queue to flush is unknown.
  [[nodiscard, gnu::always_inline]] std::int32_t wait_directly(abi::queue stream, const abi::event& event,
                                                               abi::queue recorded_in) const noexcept {
    if (notes().user_events_take_part.load(yoke::detail::order::relaxed)) [[unlikely]]
      return direct_unusual;
    if (recorded_in != stream) [[unlikely]] {
      if (recorded_in == nullptr || table()->flush(recorded_in) != 0) return direct_unusual;  // which `wait` reports
    }
    return table()->enqueue_barrier(stream, 1, &event, nullptr);
  }
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/stream.ipp>
#endif

#endif
