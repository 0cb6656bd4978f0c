// SPDX-License-Identifier: MIT
// A pointer that shares what it points to, for the library's own classes.
#ifndef YOKE_CORE_SHARED_HPP
#define YOKE_CORE_SHARED_HPP

#include <yoke/core/atomic.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace yoke::inline YOKE_ABI::detail {

/// The number of shares of an object, and the function that destroys it with the last share.
struct shared_count {
  using ending = void (*)(shared_count*) noexcept;
  explicit shared_count(ending with) noexcept : end(with) {}

  void add() noexcept { owners.fetch_add(1, order::relaxed); }
  /// Effects: adds a share unless the last one is gone. Returns: whether it did.
  [[nodiscard]] bool add_if_any() noexcept {
    std::size_t now = owners.load(order::relaxed);
    while (now != 0) {
      if (owners.compare_exchange_weak(now, now + 1, order::acquire)) return true;
    }
    return false;
  }
  void drop() noexcept {
    if (owners.fetch_sub(1, order::acq_rel) == 1) end(this);
  }

  atomic<std::size_t> owners{1};
  const ending end;
};

/// The same as `std::shared_ptr`, without what `<memory>` costs a compiler (docs/decisions/own-pointers.md).
/// Thread safety: as `std::shared_ptr`.
template <class T>
class shared {
 public:
  shared() noexcept = default;
  shared(std::nullptr_t) noexcept {}  // NOLINT: none
  /// Takes over one share.
  shared(T* to, shared_count* count) noexcept : to_(to), count_(count) {}
  shared(const shared& other) noexcept : to_(other.to_), count_(other.count_) {
    if (count_ != nullptr) count_->add();
  }
  shared(shared&& other) noexcept
      : to_(std::exchange(other.to_, nullptr)), count_(std::exchange(other.count_, nullptr)) {}
  template <class From>
    requires(!std::same_as<From, T> && std::convertible_to<From*, T*>)
  shared(shared<From> other) noexcept : to_(other.get()), count_(other.give_up()) {}  // NOLINT: the same thing
  shared& operator=(shared other) noexcept {
    swap(other);
    return *this;
  }
  ~shared() {
    if (count_ != nullptr) count_->drop();
  }

  [[nodiscard]] T* get() const noexcept { return to_; }
  std::add_lvalue_reference_t<T> operator*() const noexcept { return *to_; }
  T* operator->() const noexcept { return to_; }
  [[nodiscard]] explicit operator bool() const noexcept { return to_ != nullptr; }
  [[nodiscard]] friend bool operator==(const shared& left, const shared& right) noexcept {
    return left.to_ == right.to_;
  }
  [[nodiscard]] friend bool operator==(const shared& left, std::nullptr_t) noexcept { return left.to_ == nullptr; }
  [[nodiscard]] std::size_t use_count() const noexcept {
    return count_ == nullptr ? 0 : count_->owners.load(order::relaxed);
  }
  void reset() noexcept { const shared dropped = std::move(*this); }
  void swap(shared& other) noexcept {
    std::swap(to_, other.to_);
    std::swap(count_, other.count_);
  }
  /// Returns: the count, which still includes this share; this is null afterwards.
  [[nodiscard]] shared_count* give_up() noexcept {
    to_ = nullptr;
    return std::exchange(count_, nullptr);
  }

 private:
  T* to_ = nullptr;
  shared_count* count_ = nullptr;
};

/// An object with its count.
template <class T>
struct shared_object final : shared_count {
  template <class... Arguments>
  explicit shared_object(Arguments&&... arguments)
      : shared_count(&destroy), value(std::forward<Arguments>(arguments)...) {}
  static void destroy(shared_count* count) noexcept { delete static_cast<shared_object*>(count); }
  T value;
};

/// Returns: the only share of a new object. Throws: `std::bad_alloc`, and as its constructor.
template <class T, class... Arguments>
[[nodiscard]] shared<T> make_shared(Arguments&&... arguments) {
  auto* const made = new shared_object<T>(std::forward<Arguments>(arguments)...);
  return {&made->value, made};
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
