// SPDX-License-Identifier: MIT
// Calls an entry point and translates its failure; the only way the port reaches the driver.
#ifndef YOKE_DRIVER_CUDA_INVOKE_HPP
#define YOKE_DRIVER_CUDA_INVOKE_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/loader.hpp>
#include <yoke/driver/types.hpp>

#include <optional>

namespace yoke::inline v0_1::cuda::detail {

using yoke::detail::text;
using yoke::detail::throw_error;

// The driver's name of an entry point.
template <auto Member>
consteval const char* symbol() noexcept;
#define YOKE_SYMBOL(own, name, version, ...)                                                                           \
  template <>                                                                                                          \
  consteval const char* symbol<&abi::functions::own>() noexcept {                                                      \
    return name;                                                                                                       \
  }
YOKE_CUDA_FUNCTIONS(YOKE_SYMBOL)
#undef YOKE_SYMBOL

/// Returns: the entry. Throws: `unsupported_error` when the driver is too old to have it.
template <auto Member>
auto entry(const abi::functions* table, const source_location& where) {
  auto* function = table->*Member;
  if (function == nullptr) [[unlikely]] {
    throw_error(errc::unsupported, where, "this CUDA driver has no ", symbol<Member>());
  }
  return function;
}

/// Effects: calls an entry that is present. Returns: its status. In a forked process, where the driver crashes or
/// returns wrong results, it is not called: the status is `error_not_initialized`.
template <auto Member, class... Arguments>
abi::status call(const abi::functions* table, Arguments... arguments) noexcept {
  if (forked.is_so.load(yoke::detail::order::relaxed)) [[unlikely]]
    return abi::error_not_initialized;
  return (table->*Member)(arguments...);
}

/// As above, for an entry that older drivers lack. Throws: `unsupported_error` if the driver lacks it.
template <auto Member, class... Arguments>
abi::status call_present(const abi::functions* table, const source_location& where, Arguments... arguments) {
  (void)entry<Member>(table, where);
  return call<Member>(table, arguments...);
}

/// Effects: calls an entry that returns a status. `explain` turns a failure's code into a message; if that is empty,
/// the message is the code's own text.
template <auto Member, class Explain, class... Arguments>
void invoke_explained(const abi::functions* table, const source_location& where, const Explain& explain,
                      Arguments... arguments) {
  if (forked.is_so.load(yoke::detail::order::relaxed)) [[unlikely]]
    throw_failure(abi::error_not_initialized, symbol<Member>(), "", where);
  const abi::status status = entry<Member>(table, where)(arguments...);
  if (status != abi::success) [[unlikely]]
    throw_failure(status, symbol<Member>(), explain(status), where);
}

/// Effects: calls an entry that returns a status.
template <auto Member, class... Arguments>
void invoke(const abi::functions* table, const source_location& where, Arguments... arguments) {
  invoke_explained<Member>(
      table, where, [](abi::status) { return std::string_view(); }, arguments...);
}

/// Returns: the status of a release; success for codes after which there is nothing left to release.
inline abi::status settled(abi::status status) noexcept {
  if (status == abi::success) [[likely]]
    return status;
  return is_ended(status) ? abi::success : status;
}

/// Effects: calls a release, which must not throw.
template <auto Member, class... Arguments>
release_result release(const abi::functions* table, Arguments... arguments) noexcept {
  if (is_forked_process()) return {abi::success, symbol<Member>()};
  return {settled((table->*Member)(arguments...)), symbol<Member>()};
}

/// Effects: hands the failure of a release to the cleanup handler.
inline void report(const release_result& result) noexcept {
  if (result.code != 0) yoke::detail::report_cleanup_failure({result.code, error_category()}, result.call);
}

/// Effects: adds the outcome of another call of the same release. The first failure is the release's outcome.
inline void add_outcome(release_result& first, const release_result& next) noexcept {
  if (first.code == 0) {
    first = next;
  } else {
    report(next);
  }
}

/// Returns: the outcome of a release whose calls may throw. `call` names it when memory runs out.
template <class Act>
release_result outcome_of(const char* call, Act&& act) noexcept {
  try {
    return act();
  } catch (const error& failure) {
    return {settled(failure.code().value()), failure.call()};
  } catch (...) {
    return {abi::error_out_of_memory, call};
  }
}

/// Effects: pushes a context. The driver also accepts a context that other code has destroyed, and crashes at the next
/// call in it, so this checks first. Throws: `context_lost_error` for a destroyed one; `error`.
inline void push_living(const abi::functions* table, abi::context wanted, const source_location& where) {
  abi::ulong id = 0;
  if (wanted != nullptr) invoke<&abi::functions::context_get_id>(table, where, wanted, &id);
  invoke<&abi::functions::context_push>(table, where, wanted);
}

/// Returns: the context of a stream.
inline abi::context context_of(const abi::functions* table, abi::stream stream, const source_location& where) {
  abi::context context = nullptr;
  invoke<&abi::functions::stream_get_context>(table, where, stream, &context);
  return context;
}

/// Makes a context current on this thread for a scope, unless it is already.
class current_context {
 public:
  current_context(const abi::functions* table, abi::context wanted, const source_location& where) : table_(table) {
    abi::context now = nullptr;
    invoke<&abi::functions::context_get_current>(table, where, &now);
    if (now == wanted) return;
    push_living(table, wanted, where);
    pushed_ = true;
  }
  current_context(const current_context&) = delete;
  current_context& operator=(const current_context&) = delete;
  ~current_context() {
    abi::context popped = nullptr;
    if (pushed_) report(release<&abi::functions::context_pop>(table_, &popped));
  }

 private:
  const abi::functions* table_;
  bool pushed_ = false;
};

/// Effects: calls a release with its context current. If the context cannot be made current, releases all the same:
/// otherwise the objects would be lost.
/// Returns: the first failure.
template <class Release>
release_result release_in(const abi::functions* table, abi::context context, const Release& release) noexcept {
  std::optional<current_context> scope;
  release_result first = outcome_of("cuCtxPushCurrent", [&] {
    scope.emplace(table, context, source_location{});
    return release_result{};
  });
  add_outcome(first, release());
  return first;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
