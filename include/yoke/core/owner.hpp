// SPDX-License-Identifier: MIT
// A pointer that owns, for what the umbrella's own classes hold.
#ifndef YOKE_CORE_OWNER_HPP
#define YOKE_CORE_OWNER_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <memory>

namespace yoke::inline YOKE_ABI::detail {

/// What `std::unique_ptr` is, without the tuple in it: each of those in the umbrella costs a compiler a hundredth of all
/// its headers (docs/performance.md). What a user would see stays `std::unique_ptr`.
template <class T>
class owner {
 public:
  owner() noexcept = default;
  owner(std::nullptr_t) noexcept {}  // NOLINT: none
  explicit owner(T* made) noexcept : to_(made) {}
  owner(owner&& other) noexcept : to_(other.release()) {}
  template <class From>
    requires std::convertible_to<From*, T*>
  owner(std::unique_ptr<From>&& other) noexcept : to_(other.release()) {}  // NOLINT: the same thing
  owner& operator=(owner&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~owner() { reset(); }

  [[nodiscard]] T* get() const noexcept { return to_; }
  T& operator*() const noexcept { return *to_; }
  T* operator->() const noexcept { return to_; }
  [[nodiscard]] friend bool operator==(const owner& left, std::nullptr_t) noexcept { return left.to_ == nullptr; }
  [[nodiscard]] explicit operator bool() const noexcept { return to_ != nullptr; }
  [[nodiscard]] T* release() noexcept {
    T* const had = to_;
    to_ = nullptr;
    return had;
  }
  /// Effects: takes the new one first, so that the end of the old one may look here.
  void reset(T* next = nullptr) noexcept {
    static_assert(sizeof(T) > 0, "what is owned has to be complete where it ends");
    T* const had = to_;
    to_ = next;
    delete had;
  }

 private:
  T* to_ = nullptr;
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
