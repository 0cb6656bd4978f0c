// SPDX-License-Identifier: MIT
// Bodies of memory/staged_copy.hpp.
#ifndef YOKE_MEMORY_STAGED_COPY_IPP
#define YOKE_MEMORY_STAGED_COPY_IPP

#include <yoke/memory/staged_copy.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace yoke::inline v0_1::detail {

/// Threads that copy pieces between host memory and blocks, in order. The destructor ends them.
class staging_team {
 public:
  staging_team(bool to_blocks, std::byte* host, std::byte* blocks, const staging_plan& plan)
      : to_blocks_(to_blocks), host_(host), blocks_(blocks), plan_(plan), copied_(plan.blocks, false) {
    threads_.reserve(plan.threads);
    for (unsigned i = 0; i < plan.threads; ++i) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {  // go on with the threads that have started
        break;
      } catch (...) {
        stop();
        throw;
      }
    }
  }
  staging_team(const staging_team&) = delete;
  staging_team& operator=(const staging_team&) = delete;
  ~staging_team() { stop(); }

  [[nodiscard]] bool empty() const noexcept { return threads_.empty(); }
  /// Effects: lets the next piece be copied. Requires: the last piece of its block has been copied.
  void post() {
    {
      const std::lock_guard lock(mutex_);
      copied_[posted_ % plan_.blocks] = false;
      ++posted_;
    }
    work_.notify_one();
  }
  /// Effects: waits until a posted piece is copied.
  void await(std::size_t piece) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return copied_[piece % plan_.blocks]; });
  }

 private:
  void work() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [&] { return taken_ < posted_ || stopped_; });
      if (stopped_) return;
      const std::size_t piece = taken_++;
      lock.unlock();
      const std::size_t index = piece % plan_.blocks;
      std::byte* const host = host_ + plan_.offset(piece);
      std::byte* const block = blocks_ + index * plan_.block_bytes;
      std::memcpy(to_blocks_ ? block : host, to_blocks_ ? host : block, plan_.size(piece));
      lock.lock();
      copied_[index] = true;
      done_.notify_one();
    }
  }
  void stop() noexcept {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    work_.notify_all();
    for (std::thread& each : threads_) each.join();
    threads_.clear();
  }

  const bool to_blocks_;
  std::byte* const host_;
  std::byte* const blocks_;
  const staging_plan& plan_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::vector<bool> copied_;  // by block
  std::size_t posted_ = 0;
  std::size_t taken_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
inline constexpr std::size_t page_for(std::size_t bytes) noexcept {
  return bytes < huge_page_bytes ? 4096 : huge_page_bytes;
}
staging_pages::staging_pages(std::size_t bytes) {
  const std::size_t page = page_for(bytes);
  bytes_ = (bytes + page - 1) / page * page;
  first_ = static_cast<std::byte*>(::operator new(bytes_, std::align_val_t{page}));
#if defined(__linux__)
  if (page == huge_page_bytes) (void)::madvise(first_, bytes_, MADV_HUGEPAGE);  // only a hint
#endif
}
staging_pages::~staging_pages() { ::operator delete(first_, std::align_val_t{page_for(bytes_)}); }

void check_staging(const staging_options& options, const source_location& where) {
  if (options.threads > 64) {
    throw_error(errc::invalid_argument, text("staging by ", options.threads, " threads: at most 64"), where);
  }
  if (options.block_bytes > (std::size_t{1} << 30)) {
    throw_error(errc::invalid_argument,
                text("staging by blocks of ", options.block_bytes, " bytes: at most 1073741824, 1 GiB"), where);
  }
}

staging_plan plan_staging(std::size_t bytes, const staging_options& options) noexcept {
  constexpr std::size_t step = 64 << 10;
  staging_plan plan;
  plan.bytes = bytes;
  plan.threads = options.threads != 0 ? options.threads : (std::min)(std::thread::hardware_concurrency() / 2, 8U);
  plan.block_bytes = options.block_bytes;
  // Locking pages takes time, too, so small copies get small blocks.
  if (plan.block_bytes == 0) plan.block_bytes = std::clamp(bytes / 128 / step * step, 4 * step, 16 * step);
  if (bytes == 0) plan.threads = 0;
  plan.blocks = 2 * static_cast<std::size_t>(plan.threads);
  if (plan.blocks > plan.pieces()) plan.blocks = plan.pieces();
  return plan;
}

bool run_staged(bool to_device, std::byte* host, std::byte* blocks, const staging_plan& plan, staging_driver& driver) {
  staging_team team(to_device, host, blocks, plan);
  if (team.empty()) return false;
  const std::size_t pieces = plan.pieces();
  // A few transfers keep the device busy. The threads get the other blocks, so that they do not wait for the slowest
  // one.
  const std::size_t most_transfers = std::clamp(plan.blocks / 2, std::size_t{1}, std::size_t{3});
  if (to_device) {
    std::size_t posted = 0;
    for (; posted < plan.blocks; ++posted) team.post();
    std::size_t left = 0;  // pieces whose blocks are free again
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      team.await(piece);
      driver.start(piece);
      if (piece + 1 - left < most_transfers || posted == pieces) continue;
      driver.wait(left++);
      team.post();
      ++posted;
    }
    driver.wait(pieces - 1);
    return true;
  }
  std::size_t landed = 0;
  const auto land = [&] {
    driver.wait(landed++);
    team.post();
  };
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    if (piece >= plan.blocks) team.await(piece - plan.blocks);
    driver.start(piece);
    if (piece + 1 - landed >= most_transfers) land();
  }
  while (landed < pieces) land();
  for (std::size_t piece = pieces - plan.blocks; piece < pieces; ++piece) team.await(piece);
  return true;
}

}  // namespace yoke::inline v0_1::detail

#endif
