// SPDX-License-Identifier: MIT
// What the OpenCL port keeps of a kernel: the driver's own, and clones for launches.
#ifndef YOKE_DRIVER_OPENCL_KERNEL_CLONES_HPP
#define YOKE_DRIVER_OPENCL_KERNEL_CLONES_HPP

#include <yoke/driver/opencl/abi.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace yoke::inline YOKE_ABI::opencl {

namespace detail {

/// A clone whose arguments are SVM pointers at `places`, a bit each.
struct svm_clone {
  abi::kernel kernel = nullptr;
  std::uint64_t places = 0;
};

// Below, whether there has ever been a user event: commands fail with those, and PoCL 3.1 never ends one that is to wait
// for an event that has failed.
// Whether any user event that PoCL does not survive the failure of is unset (`held_events`): one load for each launch.
#if defined(YOKE_HEADER_ONLY)
inline constinit std::atomic<bool> events_are_held{false};
inline constinit std::atomic<bool> user_events_take_part{false};
#else
extern YOKE_API std::atomic<bool> events_are_held;
extern YOKE_API std::atomic<bool> user_events_take_part;
#endif

}  // namespace detail

/// A kernel with its idle clones: `clSetKernelArg` is the one OpenCL call that is not safe from several threads, so
/// each launch takes a clone of its own by one atomic exchange and puts it back. Clones that had SVM pointers are kept
/// apart: NVIDIA's driver (580.159) refuses a buffer for ever where an SVM pointer was set before.
struct kernel_clones {
  abi::kernel original = nullptr;
  bool owned = true;
  std::size_t static_local_bytes = 0;
  bool can_clone = false;  ///< OpenCL 2.1: loaders dispatch newer calls of older drivers through null
  /// The first clone serves launches that look at nothing but their arguments. A kernel that by itself has more local
  /// memory than some device of it never puts one there, so that its launches look.
  bool keeps_first = true;
  std::array<std::atomic<abi::kernel>, 8> idle{};
  std::array<std::atomic<detail::svm_clone*>, 4> idle_svm{};

  /// Returns: the index of the first clone that launches with a second look may use.
  [[nodiscard]] std::size_t first() const noexcept { return keeps_first ? 0 : 1; }
};

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
