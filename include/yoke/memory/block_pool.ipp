// SPDX-License-Identifier: MIT
// Bodies of memory/block_pool.hpp.
#ifndef YOKE_MEMORY_BLOCK_POOL_IPP
#define YOKE_MEMORY_BLOCK_POOL_IPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/text.hpp>
#include <yoke/memory/block_pool.hpp>
#include <yoke/memory/pool_bins.hpp>
#include <yoke/memory/stream_cache.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <thread>

namespace yoke::inline v0_1::detail {

/// Locks a stream's notes, which several pools may change, also pools of different shared libraries.
class locked_notes {
 public:
  explicit locked_notes(stream_notes& notes) noexcept : notes_(notes) {
    while (!notes_.try_lock()) std::this_thread::yield();
  }
  locked_notes(const locked_notes&) = delete;
  locked_notes& operator=(const locked_notes&) = delete;
  ~locked_notes() { notes_.unlock(); }

 private:
  stream_notes& notes_;
};

void pool_block::add_point(shared<pool_point> point) { points_.push_back(std::move(point)); }

pool_note::pool_note(block_pool& of, stream_cache& with) noexcept : stream_note(&of), cache(&with), pool_(&of) {}
pool_note::~pool_note() { pool_->retire(*cache); }

block_pool::block_pool(const pool_options& options, std::size_t largest_block, bool host_uses)
    : options_(options), largest_block_(largest_block), host_uses_(host_uses), parts_(make_owner<parts>(*this)) {}
block_pool::~block_pool() = default;

/// Returns: the index of this thread's common cache. Indices go round, so that few threads share a cache.
inline std::size_t common_cache_of_this_thread(std::size_t caches) noexcept {
  static atomic<std::size_t> threads{0};
  thread_local const std::size_t mine = threads.fetch_add(1, order::relaxed);
  return mine % caches;
}

stream_cache& block_pool::common_cache() {
  atomic<stream_cache*>& slot = common_[common_cache_of_this_thread(common_.size())];
  if (stream_cache* const there = slot.load(order::acquire)) [[likely]]
    return *there;
  const std::lock_guard lock(parts_->mutex);
  if (stream_cache* const there = slot.load(order::relaxed)) return *there;
  auto made = std::make_unique<stream_cache>(*this, nullptr);
  parts_->caches.push_back(made.get());
  made->holding = parts_->holding;
  share();
  slot.store(made.get(), order::release);
  return *made.release();
}

stream_cache& block_pool::add_cache(stream_slot& slot, const void* stream, const source_location& where) {
  stream_notes& notes = slot.notes();
  const locked_notes lock_of_notes(notes);
  if (const stream_note* const there = notes.find(this)) return *static_cast<const pool_note*>(there)->cache;
  auto made = std::make_unique<stream_cache>(*this, make_stream(stream, where));
  // Reuse the note of a closed pool, so that a stream that outlives many pools gathers few notes.
  stream_note* note = notes.first();
  while (note != nullptr && !static_cast<pool_note*>(note)->pool_->is_closed()) note = note->next;
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->caches.reserve(parts_->caches.size() + 1);
    if (note == nullptr) notes.add(new pool_note(*this, *made));
    parts_->caches.push_back(made.get());
    made->holding = parts_->holding;
  }
  share();
  stream_cache& cache = *made.release();
  if (note == nullptr) return cache;
  auto* const old = static_cast<pool_note*>(note);
  old->key.store(nullptr, order::relaxed);
  old->pool_->retire(*old->cache);
  old->pool_ = this;
  old->cache = &cache;
  old->key.store(this, order::release);
  return cache;
}

bool block_pool::is_closed() const noexcept {
  const std::lock_guard lock(parts_->mutex);
  return parts_->closed;
}

void block_pool::enlist(pool_block& block, stream_cache& in, std::size_t bin, std::size_t bytes) noexcept {
  block.home_ = &in;
  block.bin_ = bin;
  block.bytes_ = bytes;
  block.next_ = parts_->all;
  if (block.next_ != nullptr) block.next_->previous_ = &block;
  parts_->all = &block;
}
void block_pool::unlist(pool_block& block) noexcept {
  if (block.next_ != nullptr) block.next_->previous_ = block.previous_;
  (block.previous_ != nullptr ? block.previous_->next_ : parts_->all) = block.next_;
}

void block_pool::give_back(pool_block& block, bool is_spoiled) noexcept {
  stream_cache& home = *block.home_;
  block_pool& core = home.core;
  {
    const std::lock_guard lock(home.mutex);
    if (core.host_uses_ && home.stream != nullptr) [[unlikely]]
      block.home_point_ = point_now(*home.stream);
    if (home.holding && !home.retired && !is_spoiled) [[likely]] {
      home.count_back(block);
      block.freed_ = ++home.frees;
      home.push(block);
      return;
    }
    core.share();  // keeps the pool after `home` is dropped
  }
  core.give_back_slowly(block, is_spoiled);
  core.drop();
}
void block_pool::give_back_slowly(pool_block& block, bool is_spoiled) noexcept {
  stream_cache& home = *block.home_;
  bool ends = false;
  bool is_last = false;
  {
    const std::lock_guard lock(parts_->mutex);
    const std::lock_guard guard(home.mutex);
    ends = is_spoiled || !home.holding;
    if (home.retired) {
      if (block.home_point_ == nullptr) block.home_point_ = home.point;
    } else {
      block.order_ = home.order();
    }
    is_last = leave(block, home);
    if (ends) {
      unlist(block);
      ++parts_->leaving;
    } else {
      put_orphan(block);
    }
  }
  if (ends) end_or_defer(block);
  if (is_last) drop_cache(home);
}
/// Effects: counts the block as no longer active. Returns: whether the caller must drop the cache.
/// Requires: both locks.
bool block_pool::leave(pool_block& block, stream_cache& home) noexcept {
  home.count_back(block);
  if (home.active != 0 || home.attached) return false;
  std::erase(parts_->caches, &home);
  return true;
}
void block_pool::drop_cache(stream_cache& cache) noexcept {
  delete &cache;
  drop();
}
/// Requires: the pool's lock.
void block_pool::put_orphan(pool_block& block) noexcept {
  const std::lock_guard lock(parts_->orphans.mutex);
  block.home_ = &parts_->orphans;
  parts_->orphans.push(block);
}
void report_pool_failure() noexcept {
  try {
    throw;
  } catch (const error& failure) {
    if (failure.code() == errc::context_ended) return;  // its work has ended with it
    report_cleanup_failure(failure.code(), failure.call(), failure.what());
  } catch (...) {
    report_cleanup_exception("memory_pool");
  }
}
shared<pool_point> block_pool::point_now(pool_stream& in) noexcept {
  try {
    return in.record({});
  } catch (...) {  // the stream could not record: this thread waits, so that the block is not reused too early
    try {
      in.synchronize({});
    } catch (...) {
      report_pool_failure();
    }
    return nullptr;
  }
}

shared<pool_point> block_pool::point_behind(const pool_block& block, const source_location& where) {
  stream_cache& home = *block.home_;
  const std::lock_guard lock(home.mutex);
  return home.stream != nullptr ? home.stream->record(where) : home.point;
}

void block_pool::give_away(pool_block& block) noexcept {
  stream_cache& home = *block.home_;
  block_pool& core = home.core;
  core.share();
  bool is_last = false;
  {
    const std::lock_guard lock(core.parts_->mutex);
    const std::lock_guard guard(home.mutex);
    is_last = core.leave(block, home);
    core.unlist(block);
    core.parts_->managed -= block.bytes_;
    ++core.parts_->given_away;
  }
  core.forget(block);
  if (is_last) core.drop_cache(home);
  core.drop();
}
/// Throws: `logic_error` if another block of the pool has the same memory, which would be used and freed twice.
void block_pool::check_not_held(const pool_block& block, const source_location& where) const {
  const std::uint64_t native = native_of(block);
  const auto refuse = [&](const pool_block& held, const char* how) {
    throw_error(errc::invalid_argument, where, "native memory 0x", hex_digits(native), " is a block of this pool, ",
                how, ", of ", held.bytes_, " bytes: release() of its owner takes it out of the pool");
  };
  const std::lock_guard lock(parts_->mutex);
  for (const pool_block* at = parts_->all; at != nullptr; at = at->next_) {
    if (native_of(*at) != native) continue;
    const std::lock_guard guard(at->home_->mutex);
    refuse(*at, at->active_ ? "in use" : "idle");
  }
  for (const pool_block* at = parts_->deferred; at != nullptr; at = at->below_) {
    if (native_of(*at) == native) refuse(*at, "about to be freed");
  }
}
void block_pool::adopt(pool_block& block, stream_cache& in, std::size_t bytes, std::size_t asked,
                       const source_location& where) {
  const std::size_t bin = pool_bin_number(bytes, options_.leading_bits);
  const std::size_t limit = options_.limit_bytes;
  check_not_held(block, where);
  if (bytes <= limit && statistics().managed_bytes > limit - bytes) {  // free idle blocks to make room
    trim(limit - bytes);
    (void)flush_deferred();
  }
  const std::lock_guard lock(parts_->mutex);
  if (bytes > limit || parts_->managed > limit - bytes) {
    throw_error(errc::out_of_range,
                text("native memory of ", bytes, " bytes is too much for the pool: it manages ", parts_->managed,
                     " bytes, and its limit is ", limit),
                where);
  }
  const std::lock_guard guard(in.mutex);
  in.make_room(bin);
  {
    const std::lock_guard orphans(parts_->orphans.mutex);
    parts_->orphans.make_room(bin);
  }
  enlist(block, in, bin, bytes);
  in.count_taken(block, asked, where);
  parts_->managed += bytes;
  parts_->peak = std::max(parts_->peak, parts_->managed);
}
block_pool& block_pool::pool_of(const pool_block& block) noexcept { return block.home_->core; }
bool block_pool::is_of(const pool_block& block, const stream_slot& slot) noexcept {
  const auto* const note = static_cast<const pool_note*>(slot.find(&block.home_->core));
  return note != nullptr && note->cache == block.home_;
}

/// Returns: the largest idle block of a cache, or of all if null, removed from the lists for `end_or_defer` or
/// `end_now`; null if no block is idle.
pool_block* block_pool::pop_largest(stream_cache* of) noexcept {
  const std::lock_guard lock(parts_->mutex);
  for (;;) {
    stream_cache* from = nullptr;
    std::size_t best = 0;
    const auto consider = [&](stream_cache& each) {
      if (of != nullptr && &each != of) return;
      const std::lock_guard guard(each.mutex);
      const std::size_t largest = each.largest_bin();
      if (largest <= best) return;
      best = largest;
      from = &each;
    };
    consider(parts_->orphans);
    for (stream_cache* const each : parts_->caches) consider(*each);
    if (from == nullptr) return nullptr;
    const std::lock_guard guard(from->mutex);
    const std::size_t now = from->largest_bin();
    if (now == 0) continue;  // its stream took the block meanwhile: look again
    pool_block* const found = from->pop_any(now - 1);
    if (found->home_point_ == nullptr) found->order_ = from->order();
    unlist(*found);
    ++parts_->leaving;
    return found;
  }
}

/// Effects: frees a block that is in no list, now or when the deferral ends.
void block_pool::end_or_defer(pool_block& block) noexcept {
  {
    const std::lock_guard lock(parts_->mutex);
    if (parts_->deferrals != 0) {
      block.below_ = std::exchange(parts_->deferred, &block);
      ++parts_->deferred_blocks;
      parts_->deferred_bytes += block.bytes_;
      parts_->settle();
      return;
    }
  }
  end_now(&block);
}
void block_pool::end_now(pool_block* block) noexcept {
  ++ends_of_this_thread();
  const std::size_t bytes = block->bytes_;
  const shared<pool_stream> order = std::move(block->order_);
  if (!ends_behind_work()) {
    const bool in_order = order != nullptr && ends_in_order();
    const auto wait = [&](pool_point& point) {
      try {
        if (in_order) return order->wait(point, {});
      } catch (...) {  // the stream could not wait: this thread does
      }
      point.wait();
    };
    if (block->home_point_ != nullptr) wait(*block->home_point_);
    for (const auto& each : block->points_) wait(*each);
  }
  end(*block, order.get());
  --ends_of_this_thread();
  const std::lock_guard lock(parts_->mutex);
  parts_->managed -= bytes;
  parts_->settle();
}
bool block_pool::flush_deferred() noexcept {
  pool_block* first = nullptr;
  {
    const std::lock_guard lock(parts_->mutex);
    first = std::exchange(parts_->deferred, nullptr);
    parts_->leaving += std::exchange(parts_->deferred_blocks, 0);
    parts_->deferred_bytes = 0;
  }
  if (first == nullptr) return false;
  while (first != nullptr) end_now(std::exchange(first, first->below_));
  return true;
}
void block_pool::begin_deferral() noexcept {
  const std::lock_guard lock(parts_->mutex);
  ++parts_->deferrals;
}
void block_pool::end_deferral() noexcept {
  {
    const std::lock_guard lock(parts_->mutex);
    if (--parts_->deferrals != 0) return;
  }
  (void)flush_deferred();
}

void block_pool::free_held() noexcept {
  while (pool_block* const idle = pop_largest(nullptr)) end_or_defer(*idle);
}
void block_pool::trim(std::size_t bytes) noexcept {
  const auto is_above = [&] {
    const std::lock_guard lock(parts_->mutex);
    return parts_->managed - parts_->deferred_bytes > bytes;
  };
  while (is_above()) {
    pool_block* const idle = pop_largest(nullptr);
    if (idle == nullptr) return;
    end_or_defer(*idle);
  }
}
void block_pool::stop_holding() noexcept {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->holding = false;
    for (stream_cache* const each : parts_->caches) {
      const std::lock_guard guard(each->mutex);
      each->holding = false;
    }
  }
  free_held();
}
void block_pool::close() noexcept {
  std::array<stream_cache*, std::tuple_size_v<decltype(common_)>> ended{};
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->closed = true;
    parts_->deferrals = 0;
  }
  stop_holding();
  (void)flush_deferred();
  {
    const std::lock_guard lock(parts_->mutex);
    for (stream_cache* const each : parts_->caches) {
      const std::lock_guard guard(each->mutex);
      each->point.reset();
    }
    for (std::size_t i = 0; i < common_.size(); ++i) {
      stream_cache* const common = common_[i].load(order::relaxed);
      if (common == nullptr) continue;
      const std::lock_guard guard(common->mutex);
      common->attached = false;
      if (common->active == 0) ended[i] = common;
    }
    std::erase_if(parts_->caches,
                  [&](const stream_cache* each) { return std::find(ended.begin(), ended.end(), each) != ended.end(); });
  }
  for (stream_cache* const each : ended) {
    if (each != nullptr) drop_cache(*each);
  }
}

/// Effects: called when the stream's handle ends: any stream may then take its idle blocks, behind a point after its
/// work.
void block_pool::retire(stream_cache& cache) noexcept {
  share();
  bool is_last = false;
  {
    const std::lock_guard lock(parts_->mutex);
    const std::lock_guard guard(cache.mutex);
    if (cache.stream != nullptr && (cache.active != 0 || cache.held != 0)) cache.point = point_now(*cache.stream);
    while (const std::size_t bin = cache.largest_bin()) {
      pool_block& idle = *cache.pop_any(bin - 1);
      if (idle.home_point_ == nullptr) idle.home_point_ = cache.point;
      put_orphan(idle);
    }
    cache.retired = true;
    cache.attached = false;
    cache.stream.reset();
    is_last = cache.active == 0;
    if (is_last) std::erase(parts_->caches, &cache);
  }
  if (is_last) drop_cache(cache);
  drop();
}

pool_statistics block_pool::statistics() const noexcept {
  const std::lock_guard lock(parts_->mutex);
  pool_statistics sum{.held_blocks = parts_->deferred_blocks,
                      .managed_bytes = parts_->managed,
                      .peak_bytes = parts_->peak,
                      .waits = parts_->waits.load(order::relaxed),
                      .made_blocks = parts_->made,
                      .given_away_blocks = parts_->given_away};
  const auto add = [&](stream_cache& each) {
    const std::lock_guard guard(each.mutex);
    sum.held_blocks += each.held;
    sum.active_blocks += each.active;
    sum.active_bytes += each.active_bytes;
  };
  add(parts_->orphans);
  for (stream_cache* const each : parts_->caches) add(*each);
  return sum;
}
std::vector<pool_holder> block_pool::holders() const {
  std::vector<pool_holder> found;
  const auto is_same = [](const source_location& left, const source_location& right) {
    return left.line() == right.line() && std::string_view(left.file_name()) == right.file_name() &&
           std::string_view(left.function_name()) == right.function_name();
  };
  const std::lock_guard lock(parts_->mutex);
  for (const pool_block* at = parts_->all; at != nullptr; at = at->next_) {
    const std::lock_guard guard(at->home_->mutex);
    if (!at->active_) continue;
    auto same = std::find_if(found.begin(), found.end(),
                             [&](const pool_holder& each) { return is_same(each.where, at->where_); });
    if (same == found.end()) same = found.insert(found.end(), {at->where_});
    ++same->blocks;
    same->bytes += at->asked_;
  }
  std::sort(found.begin(), found.end(),
            [](const pool_holder& left, const pool_holder& right) { return left.bytes > right.bytes; });
  return found;
}

// Finds a block: idle in the stream, idle elsewhere, or new from the driver; frees idle blocks before it fails.

pool_block& block_pool::take(stream_cache& in, std::size_t bytes, const void* stream, const source_location& where) {
  const std::size_t bin = pool_bin_number(bytes, options_.leading_bits);
  pool_block* found = nullptr;
  {
    const std::lock_guard lock(in.mutex);
    found = in.pop(bin, bytes);
    if (found != nullptr) in.count_taken(*found, bytes, where);
  }
  if (found == nullptr) [[unlikely]]
    return take_otherwise(in, bin, bytes, stream, where);
  if (found->home_point_ != nullptr || !found->points_.empty()) [[unlikely]]
    wait_for_points(in, *found, where);
  return *found;
}

void block_pool::wait_for_points(stream_cache& in, pool_block& block, const source_location& where) {
  const auto wait = [&](pool_point& point) {
    try {
      in.stream->wait(point, where);
    } catch (...) {  // a failed command has ended, too, and does not concern this stream
      if (!point.is_done()) throw;
    }
  };
  try {
    if (block.home_point_ != nullptr) wait(*block.home_point_);
    for (const auto& each : block.points_) wait(*each);
  } catch (...) {
    give_back(block);
    throw;
  }
  block.home_point_.reset();
  block.points_.clear();
  parts_->waits.fetch_add(1, order::relaxed);
}

/// Returns: an idle block of an ended stream, or with `of_living` of any other stream; null if there is none.
pool_block* block_pool::take_elsewhere(stream_cache& in, std::size_t bin, std::size_t bytes, bool of_living,
                                       const source_location& where) {
  pool_block* found = nullptr;
  {
    const std::lock_guard lock(parts_->mutex);
    {
      const std::lock_guard orphans(parts_->orphans.mutex);
      found = parts_->orphans.pop(bin, bytes);
    }
    for (auto at = parts_->caches.begin(); of_living && found == nullptr && at != parts_->caches.end(); ++at) {
      stream_cache& from = **at;
      if (&from == &in) continue;
      const std::lock_guard guard(from.mutex);
      found = from.pop(bin, bytes);
      if (found == nullptr || host_uses_ || from.stream == nullptr) continue;
      try {
        if (from.point == nullptr || from.point_frees < found->freed_) {
          from.point = from.stream->record(where);
          from.point_frees = from.frees;
        }
      } catch (...) {
        from.push(*found);
        throw;
      }
      found->home_point_ = from.point;
    }
    if (found == nullptr) return nullptr;
    found->home_ = &in;
  }
  {
    const std::lock_guard lock(in.mutex);
    in.count_taken(*found, bytes, where);
  }
  if (found->home_point_ != nullptr || !found->points_.empty()) wait_for_points(in, *found, where);
  return found;
}

pool_block* block_pool::try_make(std::size_t size, const void* stream, refusal& why, const source_location& where) {
  {
    const std::lock_guard lock(parts_->mutex);
    if (size > options_.limit_bytes || parts_->managed > options_.limit_bytes - size) {
      why = {};
      return nullptr;
    }
    parts_->managed += size;  // reserved, so that two threads do not pass the limit together
  }
  const auto give_up = [&] {
    const std::lock_guard lock(parts_->mutex);
    parts_->managed -= size;
  };
  try {
    pool_block& made = make(size, stream, where);
    const std::lock_guard lock(parts_->mutex);
    parts_->peak = std::max(parts_->peak, parts_->managed);
    ++parts_->made;
    return &made;
  } catch (const memory_error& e) {
    give_up();
    why = {e.code(), e.call(), e.what()};
    return nullptr;
  } catch (...) {
    give_up();
    throw;
  }
}

pool_block& block_pool::take_otherwise(stream_cache& in, std::size_t bin, std::size_t bytes, const void* stream,
                                       const source_location& where) {
  {
    const std::lock_guard lock(in.mutex);
    in.make_room(bin);
  }
  {
    const std::lock_guard lock(parts_->orphans.mutex);
    parts_->orphans.make_room(bin);
  }
  const bool takes_others = options_.across_streams || in.stream == nullptr;  // blocks without a stream need no wait
  if (pool_block* const found = take_elsewhere(in, bin, bytes, takes_others, where)) return *found;
  auto size = static_cast<std::size_t>(pool_alloc_size(bin, options_.leading_bits));
  const std::size_t most = std::min(options_.limit_bytes, largest_block_);
  // Do not fail only because the size was rounded up.
  if (bytes >= options_.exact_from || (size > most && bytes <= most)) size = bytes;
  const std::size_t rounded = size;

  refusal why;
  pool_block* made = try_make(size, stream, why, where);
  const auto again = [&] { return made = try_make(size, stream, why, where); };
  if (made == nullptr && bytes > options_.limit_bytes) throw_exhausted(bytes, size, why, where);  // freeing cannot help
  if (made == nullptr) {
    // Free idle blocks until the driver succeeds: this stream's first, then all, the largest first.
    if (!takes_others) {
      if (pool_block* const found = take_elsewhere(in, bin, bytes, true, where)) return *found;
    }
    while (made == nullptr) {
      pool_block* const idle = pop_largest(&in);
      if (idle == nullptr) break;
      end_now(idle);
      again();
    }
    while (made == nullptr) {
      pool_block* const idle = pop_largest(nullptr);
      if (idle == nullptr) break;
      end_now(idle);
      again();
    }
    if (made == nullptr && flush_deferred()) again();
    if (made == nullptr) {  // drivers free memory only behind its work; others may have returned blocks
      if (in.stream != nullptr) in.stream->synchronize(where);
      if (pool_block* const found = take_elsewhere(in, bin, bytes, true, where)) return *found;
      again();
    }
    const auto wait_for_other_threads = [&] {  // they may be freeing blocks that are in no list
      std::unique_lock lock(parts_->mutex);
      if (parts_->leaving == 0 || ends_of_this_thread() != 0) return false;
      const std::size_t before = parts_->settled;
      parts_->left.wait(lock, [&] { return parts_->settled != before; });
      return true;
    };
    while (made == nullptr && wait_for_other_threads()) {
      (void)flush_deferred();
      if (pool_block* const found = take_elsewhere(in, bin, bytes, true, where)) return *found;
      again();
    }
    if (made == nullptr && size > bytes) {
      size = bytes;
      again();
    }
    if (made == nullptr) throw_exhausted(bytes, rounded, why, where);
  }
  const std::lock_guard lock(parts_->mutex);
  const std::lock_guard guard(in.mutex);
  enlist(*made, in, bin, size);
  in.count_taken(*made, bytes, where);
  return *made;
}

void block_pool::throw_exhausted(std::size_t bytes, std::size_t size, const refusal& why,
                                 const source_location& where) const {
  const pool_statistics now = statistics();
  std::string message = text("pool allocation of ", bytes, " bytes, in a block of ", size, ": the pool manages ",
                             now.managed_bytes, " bytes, ", now.active_bytes, " of them asked for by ",
                             now.active_blocks, " blocks in use, and has ", now.held_blocks, " idle blocks left");
  if (options_.limit_bytes != ~std::size_t{0}) message += text("; its limit is ", options_.limit_bytes, " bytes");
  if (!why.what.empty()) {  // without the location and driver call, which the new error adds
    const std::string said = why.what.substr(0, why.what.rfind(" (at "));
    message += text("; ", said.substr(0, *why.call == '\0' ? said.npos : said.rfind(text(" [", why.call, ": "))));
  }
  const std::error_code code = why.code ? why.code : make_error_code(errc::out_of_memory);
  throw memory_error(code, why.call, message, where);
}

}  // namespace yoke::inline v0_1::detail

#endif
