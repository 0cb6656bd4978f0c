// SPDX-License-Identifier: MIT
// The base of handles whose copies share one driver object.
#ifndef YOKE_CUDA_DEVICE_SHARED_NATIVE_HPP
#define YOKE_CUDA_DEVICE_SHARED_NATIVE_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda::detail {

/// Base of a handle whose copies share one driver object. `State` has it as `native`, keeps its context as `in`, and
/// destroys it. `Derived` supplies `static constexpr const char* noun`.
template <class Derived, class State>
class shared_native : public yoke::detail::compared_by_native<Derived> {
 public:
  using port_type = port;
  using native_type = decltype(State::native);

  shared_native() noexcept = default;

  /// The driver's own handle; null when empty. Throws: nothing.
  [[nodiscard]] native_type native_handle() const noexcept { return state_ ? state_->native : native_type{}; }
  /// Throws: `logic_error` when empty.
  [[nodiscard]] const context& context_of(const source_location& where = source_location::current()) const {
    return state(where).in.get();
  }
  /// Releases this share of the object, which ends with its last user. Throws: nothing; a failure goes to the cleanup
  /// handler.
  void reset() noexcept { state_.reset(); }
  void swap(Derived& other) noexcept { state_.swap(other.state_); }
  friend void swap(Derived& left, Derived& right) noexcept { left.swap(right); }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(state_); }

 protected:
  explicit shared_native(yoke::detail::shared<State> state) noexcept : state_(std::move(state)) {}
  [[nodiscard]] State& state(const source_location& where) const {
    if (!state_) yoke::detail::throw_empty_handle(Derived::noun, where);
    return *state_;
  }
  [[nodiscard]] const yoke::detail::shared<State>& share_of_state() const noexcept { return state_; }

 private:
  yoke::detail::shared<State> state_;
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif
