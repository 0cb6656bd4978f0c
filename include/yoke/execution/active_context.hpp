// SPDX-License-Identifier: MIT
// A guard that makes a context current on a thread, for other libraries' code.
#ifndef YOKE_EXECUTION_ACTIVE_CONTEXT_HPP
#define YOKE_EXECUTION_ACTIVE_CONTEXT_HPP

#include <yoke/driver/concepts.hpp>

#include <utility>

namespace yoke::inline v0_1 {

template <class Port>
class context;  // its header includes this one

/// Keeps a context current on one thread. Its end restores the context that was current before. Move-only.
///
/// Guards nest, also those of one context, and must end in the reverse order of their construction. Code in the scope
/// may replace the current context; if it leaves a context pushed or pops one too many, the guard restores the stack
/// and reports to the cleanup handler. A guard may be moved, but must end on the thread that made it: on another thread
/// it changes nothing and reports to the cleanup handler. It keeps the context alive.
/// Thread safety: the thread that made it.
/// Example: `{ const auto active = ctx.activate(); vendor_library_call(); }`
template <class Port>
class [[nodiscard]] active_context {
 public:
  static_assert(current_context_port<Port>, "this backend's threads have no current context");
  active_context() noexcept : context_(context<Port>::none()) {}
  active_context(active_context&& other) noexcept
      : context_(std::exchange(other.context_, context<Port>::none())), made_(std::exchange(other.made_, {})) {}
  /// Effects: ends this guard, then takes over the other one.
  active_context& operator=(active_context&& other) noexcept {
    if (this != &other) {
      reset();
      context_ = std::exchange(other.context_, context<Port>::none());
      made_ = std::exchange(other.made_, {});
    }
    return *this;
  }
  ~active_context() { reset(); }

  /// Ends the guard now: restores the context that was current before. Throws: nothing; a failure goes to the cleanup
  /// handler.
  void reset() noexcept {
    if (!context_) return;
    context_.shared()->report(context_.shared()->port.deactivate(made_));
    context_.reset();
  }
  /// The context that this makes current; empty once the guard has ended.
  [[nodiscard]] const context<Port>& context_of() const noexcept { return context_; }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(context_); }

 private:
  friend context<Port>;
  active_context(const context<Port>& in, const source_location& where)
      : context_(in), made_(in.port(where).activate(in.native_handle(), where)) {}

  context<Port> context_;
  typename Port::activation made_;
};

}  // namespace yoke::inline v0_1

#endif
