// SPDX-License-Identifier: MIT
// The base of each part of the CUDA port, which gives it the function table.
#ifndef YOKE_DRIVER_CUDA_FACET_HPP
#define YOKE_DRIVER_CUDA_FACET_HPP

#include <yoke/driver/concepts.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/loader.hpp>

namespace yoke::inline v0_1::cuda {

class port;

/// A part of `port`: the functions of one noun. It stands beside the other parts, holds no data, and uses only the
/// table. A body reaches another part by `part`, so that it includes only that part's header; `port.hpp` defines both
/// functions.
template <class Noun>
class facet {
 protected:
  facet() = default;
  /// Returns: the function table of the port that contains this part.
  [[nodiscard]] const abi::functions* table() const noexcept;
  /// Returns: another part of the same port.
  template <class Part>
  [[nodiscard]] const Part& part() const noexcept;
};

/// A `CUdevice`, or none. The driver's values begin at 0.
class device_id {
 public:
  constexpr device_id() noexcept = default;
  explicit constexpr device_id(abi::device native) noexcept : next_(native + 1) {}
  /// The `CUdevice`; -1 for none.
  [[nodiscard]] constexpr abi::device native() const noexcept { return next_ - 1; }
  constexpr operator abi::device() const noexcept { return native(); }  // NOLINT: converts like a `CUdevice`
  [[nodiscard]] friend constexpr bool operator==(const device_id&, const device_id&) noexcept = default;

 private:
  int next_ = 0;
};

namespace detail {
// Whether this process was forked after the driver was initialised. There the driver crashes or reports success: direct
// functions leave the call to the general ones, which throw.
[[nodiscard, gnu::always_inline]] inline bool in_forked_process() noexcept {
  return __builtin_expect(forked.is_so.load(yoke::detail::order::relaxed), false);
}
/// Whether a stream is one of the two default streams, which belong to the current context.
[[nodiscard]] inline bool is_default_stream(abi::stream stream) noexcept {
  return reinterpret_cast<std::uintptr_t>(stream) <= abi::per_thread_stream;
}
}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#endif
