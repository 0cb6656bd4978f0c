// SPDX-License-Identifier: MIT
// The base of every owning handle.
#ifndef YOKE_CORE_HANDLE_HPP
#define YOKE_CORE_HANDLE_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/native_comparison.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Stands for the facts of a handle that keeps no facts.
struct no_facts {};

/// Base of every move-only owner of a driver object.
///
/// `Derived` supplies `static void destroy(Parent&, Native) noexcept` and `static constexpr const char* noun`.
/// `Parent` keeps the object's dependencies alive until it is destroyed, mostly the context. `Facts` are small values
/// about the object, such as its size, and anything else that destroying it needs: `destroy` gets them as its third
/// argument. They move with the object and end before the parent; an empty handle has `Facts{}`. Move assignment
/// releases first. Handles of one driver object are equal and have one hash.
/// Thread safety: one non-const handle from one thread at a time.
template <class Derived, class Parent, class Native, class Facts = no_facts>
class handle : public std::conditional_t<compares_native<Derived>, compared_by_native<Derived>, not_compared> {
 public:
  handle() noexcept = default;
  handle(handle&& other) noexcept
      : parent_(std::exchange(other.parent_, Parent{})),
        native_(std::exchange(other.native_, Native{})),
        facts_(std::exchange(other.facts_, Facts{})),
        owned_(std::exchange(other.owned_, false)) {}
  handle& operator=(handle&& other) noexcept {
    if (this != &other) {
      reset();
      swap_handle(other);
    }
    return *this;
  }
  ~handle() { destroy_owned(); }

  /// The driver's own handle; null when empty. Throws: nothing.
  [[nodiscard]] Native native_handle() const noexcept { return native_; }

  /// Gives up the driver object and empties this handle: the caller now has to release the object.
  /// Returns: the driver's handle. Also returns a borrowed object; its owner still releases it.
  /// Throws: nothing.
  [[nodiscard]] Native release() noexcept {
    owned_ = false;
    facts_ = Facts{};
    const Parent dropped = std::exchange(parent_, Parent{});
    return std::exchange(native_, Native{});
  }

  /// Releases the driver object now. Throws: nothing; a failure goes to the cleanup handler.
  void reset() noexcept {
    destroy_owned();
    owned_ = false;
    native_ = Native{};
    facts_ = Facts{};
    const Parent dropped = std::exchange(parent_, Parent{});  // last: it may end the context
  }

  void swap(Derived& other) noexcept { swap_handle(other); }
  friend void swap(Derived& left, Derived& right) noexcept { left.swap(right); }

  /// Whether this holds a driver object.
  [[nodiscard]] explicit operator bool() const noexcept { return native_ != Native{}; }

 protected:
  handle(Parent parent, Native native, bool owned, Facts facts = Facts{}) noexcept
      : parent_(std::move(parent)), native_(native), facts_(std::move(facts)), owned_(owned) {}

  void swap_handle(handle& other) noexcept {
    std::swap(parent_, other.parent_);
    std::swap(native_, other.native_);
    std::swap(facts_, other.facts_);
    std::swap(owned_, other.owned_);
  }

  /// Returns: the driver's handle. Throws: `logic_error` when empty.
  Native use(const source_location& where) const {
    if (native_ == Native{}) [[unlikely]] {
      throw_empty_handle(Derived::noun, where);
    }
    return native_;
  }

  void take_ownership() noexcept { owned_ = true; }
  [[nodiscard]] bool is_owned() const noexcept { return owned_; }
  /// Effects: releases the driver object, then owns `next` of the same parent.
  void replace(Native next) noexcept {
    destroy_owned();
    native_ = next;
    owned_ = true;
  }
  /// The handle's storage, for driver calls that read it by address.
  [[nodiscard]] const Native& native_place() const noexcept { return native_; }
  /// The handle's storage, for driver calls that write it by address.
  [[nodiscard]] Native& native_slot() noexcept { return native_; }

  [[nodiscard]] const Facts& facts() const noexcept { return facts_; }
  [[nodiscard]] Facts& facts() noexcept { return facts_; }
  [[nodiscard]] const Parent& parent() const noexcept { return parent_; }
  [[nodiscard]] Parent& parent() noexcept { return parent_; }

 private:
  void destroy_owned() noexcept {
    if (!owned_ || native_ == Native{}) return;
    if constexpr (std::is_same_v<Facts, no_facts>) {
      Derived::destroy(parent_, native_);
    } else {
      Derived::destroy(parent_, native_, facts_);
    }
  }

  Parent parent_{};
  Native native_{};
  [[no_unique_address]] Facts facts_{};
  bool owned_ = false;
};

}  // namespace yoke::inline v0_1::detail

#endif
