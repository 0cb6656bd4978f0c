// SPDX-License-Identifier: MIT
// Atomic values for the library's own classes, without the mutexes and system calls that <atomic> brings along.
#ifndef YOKE_CORE_ATOMIC_HPP
#define YOKE_CORE_ATOMIC_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// The same as `std::memory_order`.
enum class order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};

/// The same as `std::atomic` for integers, `bool` and pointers, without C++20's waits (docs/decisions/own-pointers.md).
/// Thread safety: as `std::atomic`.
template <class T>
class atomic {
 public:
  atomic() noexcept = default;
  constexpr atomic(T value) noexcept : value_(value) {}  // NOLINT: as std::atomic
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  [[nodiscard, gnu::always_inline]] T load(order how = order::seq_cst) const noexcept {
    return __atomic_load_n(&value_, static_cast<int>(how));
  }
  [[gnu::always_inline]] void store(T value, order how = order::seq_cst) noexcept {
    __atomic_store_n(&value_, value, static_cast<int>(how));
  }
  [[gnu::always_inline]] T exchange(T value, order how = order::seq_cst) noexcept {
    return __atomic_exchange_n(&value_, value, static_cast<int>(how));
  }
  [[gnu::always_inline]] T fetch_add(T value, order how = order::seq_cst) noexcept {
    return __atomic_fetch_add(&value_, value, static_cast<int>(how));
  }
  [[gnu::always_inline]] T fetch_sub(T value, order how = order::seq_cst) noexcept {
    return __atomic_fetch_sub(&value_, value, static_cast<int>(how));
  }
  /// Effects: may fail for no reason. `how` orders the exchange; a failed one loads relaxed.
  [[nodiscard, gnu::always_inline]] bool compare_exchange_weak(T& expected, T value, order how) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, true, static_cast<int>(how), __ATOMIC_RELAXED);
  }
  [[nodiscard, gnu::always_inline]] bool compare_exchange_strong(T& expected, T value) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

 private:
  T value_{};
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
