// SPDX-License-Identifier: MIT
// The part of memory pools that all backends share: bins, stream caches, statistics and the steps when memory runs out.
#ifndef YOKE_MEMORY_BLOCK_POOL_HPP
#define YOKE_MEMORY_BLOCK_POOL_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/execution/stream_slot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace yoke::inline v0_1 {

/// Options of a memory pool.
struct pool_options {
  unsigned leading_bits = 4;                  ///< each power of two has 2^leading_bits bins; at most 16
  std::size_t limit_bytes = ~std::size_t{0};  ///< the pool never manages more
  /// Whether the pool reuses idle blocks of other streams, behind an event, before it asks the driver for a new one. If
  /// false, it reuses them only after those streams have ended or when memory runs out.
  bool across_streams = true;
  /// Blocks of this size and more are not rounded up to the bin's largest size: they take less memory but serve fewer
  /// requests. Units: bytes.
  std::size_t exact_from = ~std::size_t{0};
  bool track = false;  ///< whether `holders()` works; costs a few nanoseconds for each allocation
};

/// The figures of a pool. Units: blocks and bytes.
struct pool_statistics {
  std::size_t held_blocks = 0;        ///< idle blocks that wait for reuse
  std::size_t active_blocks = 0;      ///< blocks in use
  std::size_t managed_bytes = 0;      ///< of idle and active blocks, as allocated from the driver
  std::size_t active_bytes = 0;       ///< of blocks in use, as requested by the program
  std::size_t peak_bytes = 0;         ///< the greatest `managed_bytes` so far
  std::size_t waits = 0;              ///< how often a stream had to wait for another one's block
  std::size_t made_blocks = 0;        ///< blocks allocated from the driver so far
  std::size_t given_away_blocks = 0;  ///< blocks that `release()` of their owners took out of the pool so far

  friend bool operator==(const pool_statistics&, const pool_statistics&) noexcept = default;
};

/// The blocks in use that one line of the program has allocated.
struct pool_holder {
  source_location where{};
  std::size_t blocks = 0;
  std::size_t bytes = 0;  ///< as requested by the program
};

namespace detail {

/// Effects: hands the current exception to the cleanup handler, under the name of its driver call.
YOKE_API void report_pool_failure() noexcept;

class block_pool;
class stream_cache;

/// A point in a stream behind which a block is idle.
class pool_point {
 public:
  pool_point() = default;
  pool_point(const pool_point&) = delete;
  pool_point& operator=(const pool_point&) = delete;
  virtual ~pool_point() = default;
  [[nodiscard]] virtual bool is_done() noexcept = 0;
  /// Effects: this thread waits for the point. A failure goes to the cleanup handler.
  virtual void wait() noexcept = 0;
};

/// A stream as pools use it. It keeps the native stream alive.
class pool_stream {
 public:
  pool_stream() = default;
  pool_stream(const pool_stream&) = delete;
  pool_stream& operator=(const pool_stream&) = delete;
  virtual ~pool_stream() = default;
  [[nodiscard]] virtual shared<pool_point> record(const source_location& where) = 0;
  virtual void wait(pool_point& point, const source_location& where) = 0;
  virtual void synchronize(const source_location& where) = 0;
};

/// A block of a pool, held by its owner while it is active, else by a bin. It has cache lines of its own, because each
/// use writes to it.
class alignas(64) pool_block {
 public:
  pool_block() = default;
  pool_block(const pool_block&) = delete;
  pool_block& operator=(const pool_block&) = delete;

  /// The bytes that the owner requested.
  [[nodiscard]] std::size_t asked() const noexcept { return asked_; }
  /// The block's size in bytes.
  [[nodiscard]] std::size_t capacity() const noexcept { return bytes_; }
  /// Effects: the next user waits for this point, too. Throws: `std::bad_alloc`.
  YOKE_API void add_point(shared<pool_point> point);

 protected:
  ~pool_block() = default;

 private:
  friend block_pool;
  friend stream_cache;

  stream_cache* home_ = nullptr;  // the cache of the stream in whose order it is freed; set under the pool's lock
  pool_block* below_ = nullptr;   // the next block of its bin
  std::size_t bytes_ = 0;
  std::size_t asked_ = 0;
  std::size_t bin_ = 0;
  std::uint64_t freed_ = 0;  // the home's `frees` when it came back
  bool active_ = false;
  shared<pool_stream> order_;      // in whose order the memory is freed
  shared<pool_point> home_point_;  // behind the home's work; set if its stream is gone or the host uses blocks
  std::vector<shared<pool_point>> points_;
  pool_block* next_ = nullptr;  // in the list of all blocks
  pool_block* previous_ = nullptr;
  source_location where_;
};

/// Keeps a stream's cache for its pool.
class pool_note;

/// A memory pool. The virtual functions do the backend's part.
/// Thread safety: safe.
class YOKE_API block_pool {
 public:
  /// `host_uses`: the host uses new blocks at once, so that they must be idle, and a wait of a stream is not enough.
  block_pool(const pool_options& options, std::size_t largest_block, bool host_uses);
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;
  virtual ~block_pool();

  /// Returns: a stream's cache; makes it at the first call. `stream` is the handle, passed on to `make_stream`.
  [[nodiscard]] stream_cache& cache_of(stream_slot& slot, const void* stream, const source_location& where);
  /// Returns: this thread's cache of blocks without a stream; few threads share one. Throws: `std::bad_alloc`.
  [[nodiscard]] stream_cache& common_cache();

  /// Returns: an active block of at least `bytes` bytes. Requires: `bytes` is not 0.
  /// Throws: `memory_error` with the pool's figures; `error`.
  [[nodiscard]] pool_block& take(stream_cache& in, std::size_t bytes, const void* stream, const source_location& where);
  /// Effects: makes the block idle; frees it if the pool no longer holds idle blocks or the block `is_spoiled`.
  static void give_back(pool_block& block, bool is_spoiled = false) noexcept;
  /// Effects: removes the block from the pool.
  static void give_away(pool_block& block) noexcept;
  /// Effects: adds a block of foreign memory to the pool, in use in a cache.
  /// Throws: `logic_error` if the pool has the memory already or its limit is exceeded; `std::bad_alloc`.
  void adopt(pool_block& block, stream_cache& in, std::size_t bytes, std::size_t asked, const source_location& where);
  /// Returns: the pool of a block. Requires: the block is in use.
  [[nodiscard]] static block_pool& pool_of(const pool_block& block) noexcept;
  /// Whether a block is freed in the order of the slot's stream, and that stream has not ended.
  [[nodiscard]] static bool is_of(const pool_block& block, const stream_slot& slot) noexcept;
  /// Returns: a point behind the work of the stream in whose order a block is freed; null without such a stream.
  /// Throws: `error`.
  [[nodiscard]] static shared<pool_point> point_behind(const pool_block& block, const source_location& where);

  void free_held() noexcept;
  void stop_holding() noexcept;
  void trim(std::size_t bytes) noexcept;
  void begin_deferral() noexcept;
  void end_deferral() noexcept;
  [[nodiscard]] pool_statistics statistics() const noexcept;
  [[nodiscard]] std::vector<pool_holder> holders() const;
  [[nodiscard]] const pool_options& options() const noexcept { return options_; }
  /// Effects: called by the last handle: frees idle blocks now, and others when they come back.
  void close() noexcept;

 protected:
  /// Returns: a new block. `stream` is the requesting stream's handle, or null.
  /// Throws: `memory_error` without memory; `error`.
  virtual pool_block& make(std::size_t bytes, const void* stream, const source_location& where) = 0;
  /// Effects: frees the block's memory, in the order of `home` unless that is null, and destroys the block.
  virtual void end(pool_block& block, pool_stream* home) noexcept = 0;
  /// Effects: destroys the block, but keeps its memory.
  virtual void forget(pool_block& block) noexcept = 0;
  /// Returns: the block's native memory as a number; called only for kinds of memory that can be adopted.
  [[nodiscard]] virtual std::uint64_t native_of(const pool_block& block) const noexcept = 0;
  [[nodiscard]] virtual shared<pool_stream> make_stream(const void* stream, const source_location& where) = 0;
  /// Effects: adds or drops a share of this pool.
  virtual void share() noexcept = 0;
  virtual void drop() noexcept = 0;
  /// Whether `end` may be called before a block's points are done.
  [[nodiscard]] virtual bool ends_behind_work() const noexcept = 0;
  /// Whether `end` frees memory behind the work enqueued in `home` so far.
  [[nodiscard]] virtual bool ends_in_order() const noexcept { return false; }

 private:
  friend pool_note;
  friend stream_cache;
  struct parts;

  struct refusal {
    std::error_code code;
    const char* call = "";
    std::string what;
  };

  stream_cache& add_cache(stream_slot& slot, const void* stream, const source_location& where);
  bool is_closed() const noexcept;
  pool_block* take_elsewhere(stream_cache& in, std::size_t bin, std::size_t bytes, bool of_living,
                             const source_location& where);
  pool_block& take_otherwise(stream_cache& in, std::size_t bin, std::size_t bytes, const void* stream,
                             const source_location& where);
  pool_block* try_make(std::size_t size, const void* stream, refusal& why, const source_location& where);
  [[noreturn]] void throw_exhausted(std::size_t bytes, std::size_t size, const refusal& why,
                                    const source_location& where) const;
  void check_not_held(const pool_block& block, const source_location& where) const;
  void wait_for_points(stream_cache& in, pool_block& block, const source_location& where);
  void enlist(pool_block& block, stream_cache& in, std::size_t bin, std::size_t bytes) noexcept;
  void unlist(pool_block& block) noexcept;
  void give_back_slowly(pool_block& block, bool is_spoiled) noexcept;
  bool leave(pool_block& block, stream_cache& home) noexcept;
  static shared<pool_point> point_now(pool_stream& in) noexcept;
  void end_or_defer(pool_block& block) noexcept;
  void end_now(pool_block* block) noexcept;
  bool flush_deferred() noexcept;
  pool_block* pop_largest(stream_cache* of) noexcept;
  void retire(stream_cache& cache) noexcept;
  void drop_cache(stream_cache& cache) noexcept;
  void put_orphan(pool_block& block) noexcept;

  const pool_options options_;
  const std::size_t largest_block_;
  const bool host_uses_;
  owner<parts> parts_;
  std::array<atomic<stream_cache*>, 8> common_{};  // for blocks without a stream; each thread uses one of them
};

/// Keeps a stream's cache for its pool.
class YOKE_API pool_note final : public stream_note {
 public:
  pool_note(block_pool& of, stream_cache& with) noexcept;
  ~pool_note() override;
  stream_cache* cache;

 private:
  friend block_pool;
  block_pool* pool_;
};

[[gnu::always_inline]] inline stream_cache& block_pool::cache_of(stream_slot& slot, const void* stream,
                                                                 const source_location& where) {
  const stream_note* const note = slot.find(this);
  if (note == nullptr) [[unlikely]]
    return add_cache(slot, stream, where);
  return *static_cast<const pool_note*>(note)->cache;
}

}  // namespace detail
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/block_pool.ipp>
#endif

#endif
