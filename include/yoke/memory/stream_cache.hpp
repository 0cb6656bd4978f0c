// SPDX-License-Identifier: MIT
// A pool's cache for each stream, and the members that the pool's lock guards.
#ifndef YOKE_MEMORY_STREAM_CACHE_HPP
#define YOKE_MEMORY_STREAM_CACHE_HPP

#include <yoke/memory/block_pool.hpp>

#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace yoke::inline v0_1::detail {

/// A spin lock for a few instructions, at half the cost of a mutex: unlocking is a plain store. A thread that waits
/// long yields.
class brief_lock {
 public:
  [[gnu::always_inline]] void lock() noexcept {
    if (held_.exchange(true, order::acquire)) [[unlikely]]
      lock_later();
  }
  [[gnu::always_inline]] void unlock() noexcept { held_.store(false, order::release); }

 private:
  [[gnu::noinline]] void lock_later() noexcept {
    do {
      for (int turn = 0; held_.load(order::relaxed); ++turn) {
        if (turn >= 100) std::this_thread::yield();
      }
    } while (held_.exchange(true, order::acquire));
  }

  atomic<bool> held_{false};
};

/// The top blocks of some bins, in a cache line of their own.
struct alignas(64) bin_line {
  std::array<pool_block*, 64 / sizeof(pool_block*)> tops{};
};

/// The blocks that are freed in the order of one stream. Its lock guards all members but `core`; lock the pool first.
/// It has cache lines of its own, so that threads on different streams do not slow each other down.
class alignas(64) stream_cache {
 public:
  stream_cache(block_pool& of, shared<pool_stream> in)
      : core(of), stream(std::move(in)), bits(of.options_.leading_bits) {}

  /// Effects: allocates the room that `push` needs for this bin. Throws: `std::bad_alloc`.
  void make_room(std::size_t bin) {
    auto& row = rows[bin >> bits];
    if (row == nullptr) row = std::make_unique<bin_line[]>(mask() / line + 1);
  }
  void push(pool_block& block) noexcept {
    block.below_ = std::exchange(top(rows[block.bin_ >> bits], block.bin_ & mask()), &block);
    ++held;
  }
  /// Returns: the latest returned block of the bin that is usable and large enough; null if there is none.
  pool_block* pop(std::size_t bin, std::size_t bytes) noexcept {
    const auto& row = rows[bin >> bits];
    if (row == nullptr) return nullptr;
    // Adopted blocks, and blocks made near the limit, may be smaller than their bin's size.
    pool_block** link = &top(row, bin & mask());
    while (*link != nullptr && !((*link)->bytes_ >= bytes && is_usable(**link))) link = &(*link)->below_;
    return *link == nullptr ? nullptr : unlink(link);
  }
  /// Returns: the bin of the largest idle block, plus 1; 0 if there is none.
  [[nodiscard]] std::size_t largest_bin() const noexcept {
    if (held == 0) return 0;
    for (std::size_t row = rows.size(); row-- > 0;) {
      if (rows[row] == nullptr) continue;
      for (std::size_t at = mask() + 1; at-- > 0;) {
        if (top(rows[row], at) != nullptr) return (row << bits | at) + 1;
      }
    }
    return 0;
  }
  /// Returns: the top block of a bin, whether or not its points are done. Requires: the bin is not empty.
  pool_block* pop_any(std::size_t bin) noexcept { return unlink(&top(rows[bin >> bits], bin & mask())); }

  void count_taken(pool_block& block, std::size_t bytes, const source_location& where) noexcept {
    block.active_ = true;
    block.asked_ = bytes;
    if (core.options_.track) block.where_ = where;
    ++active;
    active_bytes += bytes;
  }
  void count_back(pool_block& block) noexcept {
    block.active_ = false;
    --active;
    active_bytes -= block.asked_;
  }
  /// Returns: the stream in whose order a block is freed; null if blocks may be freed at any time.
  [[nodiscard]] shared<pool_stream> order() const noexcept {
    return core.ends_behind_work() ? shared<pool_stream>() : stream;
  }

  brief_lock mutex;
  block_pool& core;
  shared<pool_stream> stream;  // null without a stream, or after its handle is gone
  bool attached = true;        // a stream's note, or the pool's list of common caches, points here
  bool retired = false;        // the stream's handle is gone
  bool holding = true;
  std::size_t held = 0;
  std::size_t active = 0;
  std::size_t active_bytes = 0;
  std::uint64_t frees = 0;
  shared<pool_point> point;  // behind the first `point_frees` frees; in a retired cache, behind all work
  std::uint64_t point_frees = 0;

 private:
  using row_of_bins = std::unique_ptr<bin_line[]>;
  static constexpr std::size_t line = std::tuple_size_v<decltype(bin_line::tops)>;

  [[nodiscard]] std::size_t mask() const noexcept { return (std::size_t{1} << bits) - 1; }
  [[nodiscard]] static pool_block*& top(const row_of_bins& row, std::size_t at) noexcept {
    return row[at / line].tops[at % line];
  }
  pool_block* unlink(pool_block** link) noexcept {
    --held;
    return std::exchange(*link, (*link)->below_);
  }
  [[nodiscard]] bool is_usable(pool_block& block) const noexcept {
    if (!core.host_uses_) return true;
    if (block.home_point_ != nullptr && !block.home_point_->is_done()) return false;
    for (const auto& each : block.points_) {
      if (!each->is_done()) return false;
    }
    block.home_point_.reset();
    block.points_.clear();
    return true;
  }

  const unsigned bits;
  std::array<row_of_bins, 64> rows;
};

/// How many blocks this thread is freeing; the resource that frees them may ask a pool for memory meanwhile.
inline std::size_t& ends_of_this_thread() noexcept {
  thread_local std::size_t count = 0;
  return count;
}

/// The members of a pool that its lock guards.
struct block_pool::parts {
  explicit parts(block_pool& of) : orphans(of, nullptr) {}

  /// Effects: counts one leaving block as freed or deferred, and wakes the waiting threads. Requires: the lock.
  void settle() noexcept {
    --leaving;
    ++settled;
    left.notify_all();
  }

  mutable std::mutex mutex;
  std::vector<stream_cache*> caches;
  stream_cache orphans;  // idle blocks of streams that are gone
  pool_block* all = nullptr;
  bool closed = false;
  bool holding = true;
  std::size_t deferrals = 0;
  pool_block* deferred = nullptr;  // the first; `below_` links them
  std::size_t deferred_blocks = 0;
  std::size_t deferred_bytes = 0;
  std::size_t peak = 0;
  std::size_t managed = 0;
  std::size_t leaving = 0;       // managed blocks in no list, which a thread is freeing
  std::size_t settled = 0;       // how many leaving blocks were freed or deferred
  std::condition_variable left;  // notified after each
  std::size_t made = 0;
  std::size_t given_away = 0;
  atomic<std::size_t> waits{0};
};

}  // namespace yoke::inline v0_1::detail

#endif
