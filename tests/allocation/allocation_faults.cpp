// SPDX-License-Identifier: MIT
// The replaced operator new and delete of the allocation tests.
#include <support/faults/allocation_faults.hpp>
#include <support/faults/allocation_pause.hpp>
#include <support/faults/block_count.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

using yoke_test::fault_mode;

constinit thread_local bool armed = false;
constinit thread_local std::size_t fail_at = 0;
constinit thread_local std::size_t seen = 0;
constinit thread_local std::size_t struck = 0;
constinit thread_local fault_mode mode_of_fault = fault_mode::once;

// Counted blocks stand in a table of their own. A header before each block would be simpler, but drivers are loaded
// with their own bindings: they may free with the C library what was allocated here.
constexpr std::size_t slots = std::size_t{1} << 18;
constinit std::atomic<std::uintptr_t> table[slots]{};
constinit std::atomic<std::size_t> live{0};
constinit std::atomic<std::size_t> counted{0};  // since the table was last emptied
constexpr std::uintptr_t grave = 1;

std::size_t slot_of(std::uintptr_t block) { return (block >> 4) * 0x9E3779B97F4A7C15u >> 46; }

void count_in(void* block) {
  const auto key = reinterpret_cast<std::uintptr_t>(block);
  std::size_t at = slot_of(key);
  for (std::size_t i = 0; i < slots; ++i, at = (at + 1) % slots) {
    std::uintptr_t there = table[at].load();
    if (there == key) return;  // freed behind our back and handed out again
    if (there <= grave && table[at].compare_exchange_strong(there, key)) {
      ++live;
      ++counted;
      return;
    }
  }
  std::abort();
}

void count_out(void* block) {
  if (live.load(std::memory_order_relaxed) == 0) return;
  const auto key = reinterpret_cast<std::uintptr_t>(block);
  std::size_t at = slot_of(key);
  for (std::size_t i = 0; i < slots; ++i, at = (at + 1) % slots) {
    std::uintptr_t there = table[at].load();
    if (there == 0) return;
    if (there == key) {
      if (table[at].compare_exchange_strong(there, grave)) --live;
      return;
    }
  }
}

bool strikes() {
  if (!armed || yoke_test::allocation_pauses > 0) return false;
  ++seen;
  if (fail_at == 0) return false;
  const bool now = seen == fail_at || (mode_of_fault == fault_mode::for_ever && seen > fail_at);
  if (now) ++struck;
  return now;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (strikes()) return nullptr;
  if (size == 0) size = 1;
  void* const block = alignment == 0 ? std::malloc(size)
                                     : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (block != nullptr && armed && yoke_test::allocation_pauses == 0) count_in(block);
  return block;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const block = allocate(size, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void free_block(void* block) noexcept {
  if (block == nullptr) return;
  count_out(block);
  std::free(block);
}

std::size_t value(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

namespace yoke_test::allocation_faults {

void arm(std::size_t n, fault_mode mode) noexcept {
  if (live != 0 || counted > slots / 64) {  // emptying takes longer than most scenarios
    for (auto& each : table) each.store(0, std::memory_order_relaxed);
    live = 0;
    counted = 0;
  }
  fail_at = n;
  mode_of_fault = mode;
  seen = 0;
  struck = 0;
  armed = true;
}

void disarm() noexcept { armed = false; }
std::size_t injected() noexcept { return struck; }
std::size_t live_blocks() noexcept { return live; }

}  // namespace yoke_test::allocation_faults

namespace {

constexpr yoke_test::block_counter counter{[]() noexcept { yoke_test::allocation_faults::arm(0, fault_mode::once); },
                                           &yoke_test::allocation_faults::disarm,
                                           &yoke_test::allocation_faults::live_blocks};
[[maybe_unused]] const bool entered = (yoke_test::the_block_counter = &counter, true);

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, 0); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 0); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 0); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate_or_throw(size, value(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocate_or_throw(size, value(alignment)); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, value(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, value(alignment));
}

void operator delete(void* block) noexcept { free_block(block); }
void operator delete[](void* block) noexcept { free_block(block); }
void operator delete(void* block, std::size_t) noexcept { free_block(block); }
void operator delete[](void* block, std::size_t) noexcept { free_block(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { free_block(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { free_block(block); }
void operator delete(void* block, std::align_val_t) noexcept { free_block(block); }
void operator delete[](void* block, std::align_val_t) noexcept { free_block(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { free_block(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { free_block(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { free_block(block); }
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept { free_block(block); }
