// SPDX-License-Identifier: MIT
// What the OpenCL port keeps of a kernel: the driver's own, and clones for launches.
#ifndef YOKE_DRIVER_OPENCL_KERNEL_CLONES_HPP
#define YOKE_DRIVER_OPENCL_KERNEL_CLONES_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/driver/opencl/abi.hpp>
#include <yoke/driver/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// One instruction where the compiler knows it, and no call in a shared library.
#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_thread_pointer)
#define YOKE_HAS_THREAD_POINTER
#endif
#endif

namespace yoke::inline YOKE_ABI::opencl {

namespace detail {

/// A clone whose arguments are SVM pointers at `places`, a bit each.
struct svm_clone {
  abi::kernel kernel = nullptr;
  std::uint64_t places = 0;
};

/// Returns: what no other thread has meanwhile.
[[nodiscard, gnu::always_inline]] inline const void* this_thread() noexcept {
#if defined(YOKE_HAS_THREAD_POINTER)
  return __builtin_thread_pointer();
#else
  static thread_local constinit char mark = 0;
  return &mark;
#endif
}

/// What the values among a clone's arguments were set to: those that are the same again are not set again. Who has taken the
/// clone reads and writes it.
struct set_values {
  static constexpr std::size_t most = 16;  ///< the first arguments; those behind them are set each time
  /// Whether they are there: those of the kernel's one list of parameters, one behind the other without places for the
  /// arguments that are not kept.
  bool known = false;
  std::array<std::uint64_t, most> values;

  /// Whether an argument is one of these; its bytes, with zeros behind them, then are one.
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

/// A kernel with its idle clones: `clSetKernelArg` is the one OpenCL call that is not safe from several threads. The thread
/// that launched first has a clone to itself. One more is shared by the others, which take it by an atomic exchange; both go
/// back to their places alone. What is taken beyond these goes where there is room. Clones that had SVM pointers are kept
/// apart: NVIDIA's driver (580.159) refuses a buffer for ever where an SVM pointer was set before.
struct alignas(64) kernel_clones {
  // What a launch reads and writes, in one line of the caches with five values.
  yoke::detail::atomic<const void*> thread{nullptr};  ///< the thread that launched first
  /// Its clone while that is idle; that thread alone reads and writes it.
  yoke::detail::atomic<abi::kernel> own{nullptr};
  detail::set_values own_values;  ///< `own`'s
  /// What other threads write is in lines of its own.
  alignas(64) yoke::detail::atomic<abi::kernel> shared{nullptr};
  detail::set_values shared_values;  ///< `shared`'s
  std::array<yoke::detail::atomic<abi::kernel>, 7> idle{};
  std::array<yoke::detail::atomic<detail::svm_clone*>, 4> idle_svm{};
  abi::kernel original = nullptr;
  std::size_t static_local_bytes = 0;
  bool owned = true;
  bool can_clone = false;  ///< OpenCL 2.1: loaders dispatch newer calls of older drivers through null
  /// The thread's own clone and the shared one serve launches that look at nothing but their arguments. A kernel that by
  /// itself has more local memory than some device of it never puts one there, so that its launches look.
  bool keeps_first = true;
  yoke::detail::atomic<bool> is_shared{false};  ///< whether there is one to share

  /// Whether the calling thread has `own` to itself.
  [[nodiscard, gnu::always_inline]] bool is_own() const noexcept {
    return thread.load(yoke::detail::order::relaxed) == detail::this_thread();
  }
  /// Effects: leaves null in its place; a function that the driver calls within a launch may launch, too.
  /// Returns: the thread's own clone, or null while it is taken. Requires: `is_own()`.
  [[nodiscard, gnu::always_inline]] abi::kernel take_own() noexcept {
    abi::kernel const clone = own.load(yoke::detail::order::relaxed);
    own.store(nullptr, yoke::detail::order::relaxed);
    return clone;
  }
  /// The same of the clone that the other threads share.
  [[nodiscard, gnu::always_inline]] abi::kernel take_shared() noexcept {
    return shared.exchange(nullptr, yoke::detail::order::acquire);
  }
};

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
