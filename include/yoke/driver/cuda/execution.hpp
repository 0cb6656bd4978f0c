// SPDX-License-Identifier: MIT
// The CUDA port's devices, contexts, streams and events. Functions translate errors and leave no context current.
#ifndef YOKE_DRIVER_CUDA_EXECUTION_HPP
#define YOKE_DRIVER_CUDA_EXECUTION_HPP

#include <yoke/driver/concepts.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/forked.hpp>
#include <yoke/driver/cuda/loader.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// A `CUdevice`, or none. The driver's own begin at 0.
class device_id {
 public:
  constexpr device_id() noexcept = default;
  explicit constexpr device_id(abi::device native) noexcept : next_(native + 1) {}
  /// The `CUdevice`; -1 for none.
  [[nodiscard]] constexpr abi::device native() const noexcept { return next_ - 1; }
  constexpr operator abi::device() const noexcept { return native(); }  // NOLINT: it is one
  [[nodiscard]] friend constexpr bool operator==(const device_id&, const device_id&) noexcept = default;

 private:
  int next_ = 0;
};

/// How a stream of CUDA is made.
struct stream_options {
  bool timing = false;        ///< of no effect: every stream records timed events
  bool non_blocking = false;  ///< does not synchronise with the legacy default stream
  int priority = 0;           ///< smaller runs first; the driver takes the nearest that the device has

  static constexpr bool refines_stream_options = true;
  [[nodiscard]] static constexpr stream_options refining(const yoke::stream_options& options) noexcept {
    return {options.timing, options.non_blocking, 0};
  }
};

namespace detail {
/// Returns: "GPU-12345678-1234-1234-1234-123456789abc", as the vendor's tools print it.
[[nodiscard]] YOKE_API std::string uuid_text(const abi::uuid& uuid);
}  // namespace detail

/// A part of `port`.
class execution_functions {
 public:
  using device_handle = device_id;
  using context_handle = abi::context;
  using stream_handle = abi::stream;
  using event_handle = abi::event;
  using table_type = abi::functions;
  using stream_options_type = stream_options;
  using devices_view = std::span<const device_handle>;
  using events_view = std::span<const event_handle>;

  [[nodiscard]] const abi::functions* table() const noexcept { return table_; }
  [[nodiscard]] const char* backend_name() const noexcept { return "cuda"; }
  [[nodiscard]] std::error_code error_code(std::int32_t code) const noexcept { return {code, error_category()}; }

  YOKE_API std::vector<device_handle> devices(const source_location& where) const;
  YOKE_API device_summary summary(device_handle device, const source_location& where) const;
  YOKE_API device_limits limits(device_handle device, const source_location& where) const;

  /// Retains the primary context of the one device.
  YOKE_API context_handle create_context(devices_view devices, const source_location& where) const;
  YOKE_API void retain_context(context_handle context, const source_location& where) const;
  YOKE_API release_result release_context(context_handle context) const noexcept;
  YOKE_API std::vector<device_handle> context_devices(context_handle context, const source_location& where) const;
  /// Returns: a number that a later context at the same address does not have; 0 if the driver has none.
  /// Wraps `cuCtxGetId`.
  [[nodiscard]] YOKE_API std::uint64_t context_identity(context_handle context) const noexcept;
  /// Returns: whether others have destroyed or reset it, and all that was made in it. The driver crashes when it then gets
  /// a stream of it. Wraps `cuCtxGetId`.
  [[nodiscard]] YOKE_API bool context_is_gone(context_handle context, std::uint64_t id) const noexcept;

  YOKE_API stream_handle create_stream(context_handle context, device_handle device, const stream_options& options,
                                       const source_location& where) const;
  YOKE_API void retain_stream(stream_handle stream, const source_location& where) const;
  YOKE_API release_result release_stream(stream_handle stream) const noexcept;
  /// Effects: drops a reference that the driver does not count. Returns: whether there was one; if not, the caller releases
  /// the stream itself, unless it ended with its context.
  YOKE_API bool forget_stream(stream_handle stream) const noexcept;
  YOKE_API device_handle stream_device(stream_handle stream, const source_location& where) const;
  YOKE_API context_handle stream_context(stream_handle stream, const source_location& where) const;
  YOKE_API void synchronize(stream_handle stream, const source_location& where) const;

  YOKE_API event_handle record(stream_handle stream, events_view after, const source_location& where) const;
  /// The same without a list. `context` is the stream's, so that the driver need not be asked.
  YOKE_API event_handle record_in(context_handle context, stream_handle stream, const source_location& where) const;
  YOKE_API event_handle record_timed(stream_handle stream, events_view after, const source_location& where) const;
  /// Returns: the existing event, which now marks this point.
  YOKE_API event_handle record_into(stream_handle stream, event_handle existing, const source_location& where) const;
  YOKE_API void wait_in_stream(stream_handle stream, events_view events, const source_location& where) const;
  YOKE_API void retain_event(event_handle event, const source_location& where) const;
  YOKE_API release_result release_event(event_handle event) const noexcept;
  YOKE_API void wait(event_handle event, const source_location& where) const;
  YOKE_API event_status status(event_handle event, const source_location& where) const;
  /// Units: nanoseconds.
  YOKE_API std::int64_t elapsed(event_handle start, event_handle stop, const source_location& where) const;

  static constexpr bool enqueues_directly = true;
  [[nodiscard, gnu::always_inline]] std::int32_t record_directly(stream_handle stream,
                                                                 event_handle& place) const noexcept {
    return is_forked() ? direct_unusual : table_->event_record(place, stream);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t wait_directly(stream_handle stream, const event_handle& event,
                                                               stream_handle /*recorded_in*/) const noexcept {
    return is_forked() ? direct_unusual : table_->stream_wait_event(stream, event, abi::event_wait_default);
  }

 protected:
  // In a forked process the driver crashes or reports success: the general functions throw.
  [[nodiscard, gnu::always_inline]] static bool is_forked() noexcept {
    return __builtin_expect(detail::forked.is_so.load(yoke::detail::order::relaxed), false);
  }
  YOKE_API event_handle record_event(stream_handle stream, unsigned flags, const source_location& where) const;
  /// Effects: completes a command: waits for it, hands out its event, or neither.
  YOKE_API void finish_or_record(stream_handle stream, completion<event_handle> done,
                                 const source_location& where) const;

  const abi::functions* table_ = nullptr;
};

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/execution.ipp>
#endif

#endif
