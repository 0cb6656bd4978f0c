// SPDX-License-Identifier: MIT
// The shared page of an event, as processes read and write it.
#include "machine/stream/shared_recordings.hpp"

#include <signal.h>  // NOLINT: POSIX has more in it
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "machine/base/settings.hpp"

namespace yoke::simulator {

/// A recording has a slot until its reuse by a later recording; after that it counts as complete.
struct shared_recordings::page {
  struct slot {
    std::atomic<std::uint64_t> reached;
    std::atomic<std::int32_t> process;  ///< the process that completes it
  };
  std::atomic<std::uint64_t> begun;
  std::array<slot, 200> slots;

  slot& of(std::uint64_t number) noexcept { return slots[number % slots.size()]; }
};

namespace {
constexpr std::size_t page_bytes = 4096;

bool has_ended(std::int32_t process) noexcept { return ::kill(process, 0) != 0 && errno == ESRCH; }
}  // namespace

std::shared_ptr<shared_recordings> shared_recordings::make(int device) {
  return open(shared_file::make(shared_kind::event, device, page_bytes));
}

std::shared_ptr<shared_recordings> shared_recordings::open(shared_file file) {
  static_assert(sizeof(page) <= page_bytes && std::atomic<std::uint64_t>::is_always_lock_free &&
                std::atomic<std::int32_t>::is_always_lock_free);
  const std::uintptr_t at = file ? file.map(0, 0, page_bytes, true) : 0;
  if (at == 0) return nullptr;
  // A fresh file is all zero, which is a valid page without recordings.
  return std::shared_ptr<shared_recordings>(new shared_recordings(std::move(file), reinterpret_cast<page*>(at)));
}

shared_recordings::~shared_recordings() { ::munmap(page_, page_bytes); }

std::uint64_t shared_recordings::begin() noexcept {
  const std::uint64_t number = ++page_->begun;
  page_->of(number).process = static_cast<std::int32_t>(::getpid());
  return number;
}

void shared_recordings::complete(std::uint64_t number) noexcept {
  std::atomic<std::uint64_t>& reached = page_->of(number).reached;
  std::uint64_t before = reached;
  while (before < number && !reached.compare_exchange_weak(before, number)) continue;
}

std::uint64_t shared_recordings::latest() const noexcept { return page_->begun; }

bool shared_recordings::is_done(std::uint64_t number) const noexcept {
  return page_->of(number).reached >= number || page_->begun >= number + page_->slots.size();
}

void shared_recordings::wait(std::uint64_t number) const noexcept {
  using clock = std::chrono::steady_clock;
  clock::time_point look_for_process = clock::now() + std::chrono::milliseconds(100);
  while (!is_done(number)) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (clock::now() < look_for_process) continue;
    const std::int32_t process = page_->of(number).process;
    if (process != 0 && has_ended(process) && !is_done(number)) {
      say("process " + std::to_string(process) + " ended before its stream came to an event that others wait for");
      return;
    }
    look_for_process = clock::now() + std::chrono::milliseconds(100);
  }
}

}  // namespace yoke::simulator
