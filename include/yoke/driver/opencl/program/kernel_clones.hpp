// SPDX-License-Identifier: MIT
// A kernel with its clones, so that several threads can launch it at once.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_KERNEL_CLONES_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_KERNEL_CLONES_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/opencl/abi/abi.hpp>
#include <yoke/driver/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// The builtin is one instruction, also in a shared library, where a thread-local variable needs a call.
#if defined(__has_builtin) && !defined(__CUDACC__) && !defined(_WIN32)
#if __has_builtin(__builtin_thread_pointer)
#define YOKE_HAS_THREAD_POINTER
#endif
#endif

namespace yoke::inline v0_1::opencl {

namespace detail {

/// A clone that had SVM pointers as arguments. Each bit of `places` stands for one of these arguments.
struct svm_clone {
  abi::kernel kernel = nullptr;
  std::uint64_t places = 0;
};

/// Returns: an address that is unique among living threads.
[[nodiscard, gnu::always_inline]] inline const void* this_thread() noexcept {
#if defined(YOKE_HAS_THREAD_POINTER)
  return __builtin_thread_pointer();
#else
  static thread_local constinit char mark = 0;
  return &mark;
#endif
}

/// The by-value arguments last set on a clone; unchanged ones are skipped. Only the thread that has taken the clone
/// reads and writes this.
struct set_values {
  static constexpr std::size_t most = 16;  ///< arguments after these are set each time
  /// Whether the values are known. They are stored back to back in the order of the parameters, without arguments that
  /// `keeps` excludes.
  bool known = false;
  std::array<std::uint64_t, most> values;

  /// Whether an argument's value is stored: its bytes, padded with zeros, fit one value.
  static constexpr bool keeps(const argument_form& form, std::size_t index) noexcept {
    return index < most && form.is_its_bytes &&
           (form.bytes == 1 || form.bytes == 2 || form.bytes == 4 || form.bytes == 8);
  }
  template <std::size_t Bytes>
  [[nodiscard, gnu::always_inline]] static std::uint64_t read(const void* place) noexcept {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, place, Bytes);
    return value;
  }
};

}  // namespace detail

/// A kernel with its idle clones: `clSetKernelArg` is the only OpenCL call that is not thread-safe. The thread that
/// launched first has its own clone. The others share one more, which they take by an atomic exchange. These two always
/// return to their slots; further clones go to any free slot. Clones that had SVM pointers are kept apart: NVIDIA's
/// driver (580.159) never again takes a buffer for an argument that was set to an SVM pointer.
struct alignas(64) kernel_clones {
  // The data of a launch, in one cache line with five values.
  yoke::detail::atomic<const void*> thread{nullptr};  ///< the thread that launched first
  /// That thread's clone while it is idle. Only that thread reads and writes this.
  yoke::detail::atomic<abi::kernel> own{nullptr};
  detail::set_values own_values;  ///< the values of `own`
  /// Other threads write the members below, which are in other cache lines.
  alignas(64) yoke::detail::atomic<abi::kernel> shared{nullptr};
  detail::set_values shared_values;  ///< the values of `shared`
  std::array<yoke::detail::atomic<abi::kernel>, 7> idle{};
  std::array<yoke::detail::atomic<detail::svm_clone*>, 4> idle_svm{};
  abi::kernel original = nullptr;
  std::size_t static_local_bytes = 0;
  bool owned = true;
  bool can_clone = false;  ///< OpenCL 2.1 or newer: with an older driver the loader would call through null
  /// Whether the own and the shared clone serve launches that check only their arguments. False for a kernel with more
  /// static local memory than one of its devices has: its launches need every check.
  bool keeps_first = true;
  yoke::detail::atomic<bool> is_shared{false};  ///< whether the shared clone exists
  std::vector<const void*> reached{};           ///< SVM that the kernel reaches through pointers in memory; set on
                                                ///< every clone

  /// Whether `own` belongs to the calling thread.
  [[nodiscard, gnu::always_inline]] bool is_own() const noexcept {
    return thread.load(yoke::detail::order::relaxed) == detail::this_thread();
  }
  /// Effects: takes the thread's own clone and leaves null in its slot, since a driver callback within a launch may
  /// launch too. Requires: `is_own()`. Returns: the clone; null while it is taken.
  [[nodiscard, gnu::always_inline]] abi::kernel take_own() noexcept {
    abi::kernel const clone = own.load(yoke::detail::order::relaxed);
    own.store(nullptr, yoke::detail::order::relaxed);
    return clone;
  }
  /// As `take_own`, for the clone that the other threads share.
  [[nodiscard, gnu::always_inline]] abi::kernel take_shared() noexcept {
    return shared.exchange(nullptr, yoke::detail::order::acquire);
  }
};

}  // namespace yoke::inline v0_1::opencl

#endif
