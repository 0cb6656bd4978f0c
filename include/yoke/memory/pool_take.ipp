// SPDX-License-Identifier: MIT
// How a pool finds a block: idle in the stream, idle elsewhere, from the driver, and what it gives up before it refuses.
#ifndef YOKE_MEMORY_POOL_TAKE_IPP
#define YOKE_MEMORY_POOL_TAKE_IPP

#include <yoke/core/text.hpp>
#include <yoke/memory/pool_cache.hpp>

#include <algorithm>
#include <mutex>

namespace yoke::inline v0_1::detail {

pool_block& pool_core::take(pool_cache& in, std::size_t bytes, const void* stream, const source_location& where) {
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

void pool_core::wait_for_points(pool_cache& in, pool_block& block, const source_location& where) {
  const auto wait = [&](pool_point& point) {
    try {
      in.stream->wait(point, where);
    } catch (...) {  // a command that failed is over, too: its failure is not this stream's
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

/// Returns: an idle block of a stream that has ended, and with `of_living` of another stream; null if there is none.
pool_block* pool_core::take_elsewhere(pool_cache& in, std::size_t bin, std::size_t bytes, bool of_living,
                                      const source_location& where) {
  pool_block* found = nullptr;
  {
    const std::lock_guard lock(parts_->mutex);
    {
      const std::lock_guard orphans(parts_->orphans.mutex);
      found = parts_->orphans.pop(bin, bytes);
    }
    for (auto at = parts_->caches.begin(); of_living && found == nullptr && at != parts_->caches.end(); ++at) {
      pool_cache& from = **at;
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

pool_block* pool_core::try_make(std::size_t size, const void* stream, refusal& why, const source_location& where) {
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

pool_block& pool_core::take_otherwise(pool_cache& in, std::size_t bin, std::size_t bytes, const void* stream,
                                      const source_location& where) {
  {
    const std::lock_guard lock(in.mutex);
    in.make_room(bin);
  }
  {
    const std::lock_guard lock(parts_->orphans.mutex);
    parts_->orphans.make_room(bin);
  }
  const bool takes_others = options_.across_streams || in.stream == nullptr;  // which then need no wait
  if (pool_block* const found = take_elsewhere(in, bin, bytes, takes_others, where)) return *found;
  auto size = static_cast<std::size_t>(pool_alloc_size(bin, options_.leading_bits));
  const std::size_t most = std::min(options_.limit_bytes, largest_block_);
  // The rounding alone must not fail.
  if (bytes >= options_.exact_from || (size > most && bytes <= most)) size = bytes;
  const std::size_t rounded = size;

  refusal why;
  pool_block* made = try_make(size, stream, why, where);
  const auto again = [&] { return made = try_make(size, stream, why, where); };
  if (made == nullptr && bytes > options_.limit_bytes) throw_exhausted(bytes, size, why, where);  // whatever is freed
  if (made == nullptr) {
    // Idle blocks of this stream go first, then all, the largest first: the driver may get by with one.
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
    if (made == nullptr) {  // drivers free memory late, behind its work; and other threads may have given blocks back
      if (in.stream != nullptr) in.stream->synchronize(where);
      if (pool_block* const found = take_elsewhere(in, bin, bytes, true, where)) return *found;
      again();
    }
    const auto wait_for_other_threads = [&] {  // which are freeing blocks that are in no list any more
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

void pool_core::throw_exhausted(std::size_t bytes, std::size_t size, const refusal& why,
                                const source_location& where) const {
  const pool_statistics now = statistics();
  std::string message = text("pool allocation of ", bytes, " bytes, in a block of ", size, ": the pool manages ",
                             now.managed_bytes, " bytes, ", now.active_bytes, " of them asked for by ",
                             now.active_blocks, " blocks in use, and has ", now.held_blocks, " idle blocks left");
  if (options_.limit_bytes != ~std::size_t{0}) message += text("; its limit is ", options_.limit_bytes, " bytes");
  if (!why.what.empty()) {  // without the place and the driver's call, which the new error has
    const std::string said = why.what.substr(0, why.what.rfind(" (at "));
    message += text("; ", said.substr(0, *why.call == '\0' ? said.npos : said.rfind(text(" [", why.call, ": "))));
  }
  const std::error_code code = why.code ? why.code : make_error_code(errc::out_of_memory);
  throw memory_error(code, why.call, message, where);
}

}  // namespace yoke::inline v0_1::detail

#endif
