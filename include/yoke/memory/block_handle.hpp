// SPDX-License-Identifier: MIT
// The base of owners whose memory transfers and views share.
#ifndef YOKE_MEMORY_BLOCK_HANDLE_HPP
#define YOKE_MEMORY_BLOCK_HANDLE_HPP

#include <yoke/core/shared.hpp>
#include <yoke/execution/context_reference.hpp>

#include <utility>

namespace yoke::inline v0_1::detail {

/// Base of owners of a shared block: the last share frees the block, which may be after the handle's end.
/// `Facts` are small values about the block; an empty handle has `Facts{}`. Move-only; move assignment releases first.
template <class Derived, class Port, class Block, class Facts>
class block_handle {
 public:
  block_handle() noexcept = default;
  block_handle(block_handle&& other) noexcept { swap_handle(other); }
  block_handle& operator=(block_handle&& other) noexcept {
    if (this != &other) {
      reset();
      swap_handle(other);
    }
    return *this;
  }
  ~block_handle() = default;

  [[nodiscard]] const context<Port>& context_of() const noexcept {
    return pool_context_ != nullptr ? *pool_context_ : context_.get();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
  /// Frees the memory now, or when the last transfer or view that uses it ends. Throws: nothing.
  void reset() noexcept {
    pool_context_ = nullptr;
    block_.reset();
    facts_ = Facts{};
    context_ = {};
  }
  void swap(Derived& other) noexcept { swap_handle(other); }
  friend void swap(Derived& left, Derived& right) noexcept { left.swap(right); }

  // The share that a transfer keeps.
  [[nodiscard]] shared<const void> keep_alive() const noexcept { return block_; }

 protected:
  block_handle(const context<Port>& in, Facts facts) noexcept : context_(in), facts_(std::move(facts)) {}
  /// A handle whose context `keep` or `enter` sets.
  explicit block_handle(Facts facts) noexcept : facts_(std::move(facts)) {}

  [[nodiscard]] const Facts& facts() const noexcept { return facts_; }
  [[nodiscard]] Facts& facts() noexcept { return facts_; }
  [[nodiscard]] const shared<Block>& block() const noexcept { return block_; }
  void keep(shared<Block> block) noexcept { block_ = std::move(block); }
  /// Effects: shares a block of a pool. The block keeps the pool and its context alive, so the handle only points to
  /// the context: threads would contend for a count of shares.
  void keep(shared<Block> block, const context<Port>& of_pool) noexcept {
    block_ = std::move(block);
    pool_context_ = &of_pool;
  }
  /// Effects: keeps a context alive, for a handle without a block.
  void enter(const context<Port>& in) noexcept { context_ = in; }

 private:
  void swap_handle(block_handle& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(pool_context_, other.pool_context_);
    std::swap(facts_, other.facts_);
    std::swap(block_, other.block_);
  }

  context_reference<Port> context_;
  const context<Port>* pool_context_ = nullptr;  // set for a pool's block; `context_` is then empty
  Facts facts_{};
  shared<Block> block_;
};

}  // namespace yoke::inline v0_1::detail

#endif
