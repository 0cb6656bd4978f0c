// SPDX-License-Identifier: MIT
// Page-locked pages that a context keeps for copies to host memory that is not there yet.
#ifndef YOKE_MEMORY_KEPT_PAGES_HPP
#define YOKE_MEMORY_KEPT_PAGES_HPP

#include <yoke/memory/staged_copy.hpp>

#include <mutex>
#include <span>

namespace yoke::inline v0_1::detail {

/// The sizes of copies that go through kept pages. Shorter ones find memory that was used before; longer ones are
/// staged, or spend their time elsewhere.
inline constexpr std::size_t least_kept_bytes = std::size_t{64} << 10U;
inline constexpr std::size_t most_kept_bytes = std::size_t{2} << 20U;

/// Page-locked pages for one copy at a time. Thread safety: safe.
template <class Port>
class kept_pages {
 public:
  explicit kept_pages(const context_state<Port>& in) noexcept : in_(in) {}
  kept_pages(const kept_pages&) = delete;
  kept_pages& operator=(const kept_pages&) = delete;
  ~kept_pages() {
    if (pages_) in_.report(port_traits<Port>::unlock_pages(in_.port, in_.native, pages_->data()));
  }

  /// The pages while a copy uses them; empty if another one does, if the backend needs none, and if `set_staging` has
  /// switched staging off.
  class lease {
   public:
    lease(kept_pages& of, const source_location& where) : lock_(of.mutex_, std::try_to_lock) {
      if (lock_.owns_lock() && of.in_.staging.get().enabled && of.are_there(where))
        pages_ = {of.pages_->data(), of.pages_->size()};
    }
    [[nodiscard]] std::span<std::byte> get() const noexcept { return pages_; }

   private:
    std::unique_lock<std::mutex> lock_;
    std::span<std::byte> pages_;
  };

 private:
  /// Returns: whether there are pages; they are locked at the first call.
  [[nodiscard]] bool are_there(const source_location& where) {
    if (pages_ || refused_) return !refused_;
    refused_ = true;
    try {
      pages_.emplace(most_kept_bytes);
      if (port_traits<Port>::stages_pageable(in_.port, in_.native, pages_->data(), where)) {
        port_traits<Port>::lock_pages(in_.port, in_.native, pages_->data(), pages_->size(), where);
        refused_ = false;
      }
    } catch (const error&) {  // the system or the driver refuses to lock them
    } catch (const std::bad_alloc&) {
    }
    if (refused_) pages_.reset();
    return !refused_;
  }

  const context_state<Port>& in_;
  std::mutex mutex_;
  std::optional<staging_pages> pages_;
  bool refused_ = false;
};
template <class Port>
[[nodiscard]] kept_pages<Port>& kept_pages_of(const context<Port>& of, const source_location& where) {
  context_state<Port>& in = of.state(where);
  return in.attached.template get<kept_pages<Port>>([&] { return kept_pages<Port>(in); });
}

}  // namespace yoke::inline v0_1::detail

#endif
