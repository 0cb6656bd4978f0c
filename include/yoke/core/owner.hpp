// SPDX-License-Identifier: MIT
// A pointer that owns, for the library's own classes.
#ifndef YOKE_CORE_OWNER_HPP
#define YOKE_CORE_OWNER_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace yoke::inline YOKE_ABI::detail {

/// The same as `std::unique_ptr`, without what `<memory>` costs a compiler (docs/decisions/own-pointers.md).
template <class T>
class owner {
 public:
  owner() noexcept = default;
  owner(std::nullptr_t) noexcept {}  // NOLINT: none
  explicit owner(T* made) noexcept : to_(made) {}
  owner(owner&& other) noexcept : to_(other.release()) {}
  template <class From>
    requires(!std::same_as<From, T> && std::convertible_to<From*, T*>)
  owner(owner<From>&& other) noexcept : to_(other.release()) {}  // NOLINT: the same thing
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
  /// Effects: takes the new object before it destroys the old one, whose destructor may look here.
  void reset(T* next = nullptr) noexcept {
    static_assert(sizeof(T) > 0, "the type must be complete where its owner is destroyed");
    T* const had = to_;
    to_ = next;
    delete had;
  }

 private:
  T* to_ = nullptr;
};

/// Returns: the owner of a new object. Throws: `std::bad_alloc`, and as its constructor.
template <class T, class... Arguments>
[[nodiscard]] owner<T> make_owner(Arguments&&... arguments) {
  return owner<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
