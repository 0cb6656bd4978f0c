// SPDX-License-Identifier: MIT
// Atomics, unique and shared pointers for the library's own classes (docs/decisions/own-pointers.md).
#ifndef YOKE_CORE_SHARED_HPP
#define YOKE_CORE_SHARED_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::detail {

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
  /// Effects: may fail spuriously. `how` orders a successful exchange; a failed one loads relaxed.
  [[nodiscard, gnu::always_inline]] bool compare_exchange_weak(T& expected, T value, order how) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, true, static_cast<int>(how), __ATOMIC_RELAXED);
  }
  [[nodiscard, gnu::always_inline]] bool compare_exchange_strong(T& expected, T value) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

 private:
  T value_{};
};

/// The same as `std::unique_ptr` (docs/decisions/own-pointers.md).
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
  /// Effects: takes the new object, then destroys the old one, whose destructor may read this owner.
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

/// Counts the owners of an object and destroys it when the last one drops its share.
struct shared_count {
  using ending = void (*)(shared_count*) noexcept;
  explicit shared_count(ending own_end) noexcept : end(own_end) {}

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

/// A share of an object by its count, or none: one pointer.
/// Thread safety: as `std::shared_ptr`.
class counted_share {
 public:
  counted_share() noexcept = default;
  /// Adds a share unless `of` is null.
  explicit counted_share(shared_count* of) noexcept : of_(of) {
    if (of_ != nullptr) of_->add();
  }
  counted_share(const counted_share& other) noexcept : counted_share(other.of_) {}
  counted_share(counted_share&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  counted_share& operator=(counted_share other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~counted_share() {
    if (of_ != nullptr) of_->drop();
  }
  [[nodiscard]] shared_count* get() const noexcept { return of_; }

 private:
  shared_count* of_ = nullptr;
};

/// The same as `std::shared_ptr` (docs/decisions/own-pointers.md).
/// Thread safety: as `std::shared_ptr`.
template <class T>
class shared {
 public:
  shared() noexcept = default;
  shared(std::nullptr_t) noexcept {}  // NOLINT: none
  /// Takes over one share of `count`.
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
  [[nodiscard]] shared_count* count() const noexcept { return count_; }
  /// Effects: makes this null without dropping its share. Returns: the count, which still includes that share.
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

}  // namespace yoke::inline v0_1::detail

#endif
