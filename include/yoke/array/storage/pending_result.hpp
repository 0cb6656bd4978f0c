// SPDX-License-Identifier: MIT
// A result that a copy brings to the host.
#ifndef YOKE_ARRAY_STORAGE_PENDING_RESULT_HPP
#define YOKE_ARRAY_STORAGE_PENDING_RESULT_HPP

#include <yoke/memory/transfer.hpp>

namespace yoke::inline v0_1 {

/// A result that a copy in flight fills. The destructor waits for the copy. Move-only.
/// Thread safety: one thread at a time.
template <class Result, class Port = any_port>
class [[nodiscard]] pending_result {
 public:
  pending_result(transfer<Port> copy, Result result) noexcept : result_(std::move(result)), copy_(std::move(copy)) {}

  /// Whether the result has arrived. Throws: `logic_error` when taken or moved from; `error`.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    return copy_.is_done(where);
  }
  /// The event behind the copy; empty when nothing was copied.
  [[nodiscard]] const event<Port>& done() const noexcept { return copy_.done(); }
  /// Waits for the copy. Returns: the result. Throws: `runtime_error` when the copy failed; `logic_error` when moved
  /// from.
  /// Example: `auto values = std::move(later).get();`
  [[nodiscard]] Result get(const source_location& where = source_location::current()) && {
    transfer<Port> copy = std::move(copy_);
    copy.wait(where);
    return std::move(result_);
  }

 private:
  Result result_;
  transfer<Port> copy_;  // last member, so that its destructor waits first
};

}  // namespace yoke::inline v0_1

#endif
