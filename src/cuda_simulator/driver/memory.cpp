// SPDX-License-Identifier: MIT
// The table of ranges, and what becomes of freed memory.
#include "memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../engine/sanitizers.hpp"
#include "canaries.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace yoke::simulator {

namespace {

constexpr std::size_t alignment = 512;  // what the driver gives; kernels may rely on 256
constexpr int fresh_byte = 0xA5;
[[maybe_unused]] constexpr unsigned char freed_byte = 0xDD;
constexpr std::size_t filled_when_fresh = std::size_t{1} << 20;  // more would touch pages that nobody else touches
[[maybe_unused]] constexpr std::size_t quarantine_limit = std::size_t{32} << 20;

std::size_t occupied(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

void occupy(context& owner, std::size_t bytes, bool pooled) {
  device& of = device_of(owner.device);
  const std::size_t size = occupied(bytes);
  require(bytes <= of.total_bytes && size <= of.total_bytes - of.used_bytes, abi::error_out_of_memory);
  of.used_bytes += size;
  if (!pooled) return;
  of.pool.used += size;
  of.pool.used_high = std::max(of.pool.used_high, of.pool.used);
  of.pool.reserved_high = std::max(of.pool.reserved_high, of.pool.used);
}

std::size_t alignment_of(memory_kind kind) {
  return kind == memory_kind::host ? 4096 : alignment;  // page-locked memory is made of pages
}

void free_block(std::uintptr_t base, memory_kind kind) {
  free_guarded(reinterpret_cast<void*>(base), alignment_of(kind));
}

void vacate(const memory_block& block) {
  device& of = device_of(block.owner->device);
  const std::size_t size = occupied(block.bytes);
  of.used_bytes -= size;
  if (block.kind == memory_kind::stream_ordered) of.pool.used -= size;
}

std::string text_of(const memory_block& block, const overrun& run) {
  char text[200];
  std::snprintf(text, sizeof text, "%s of %zu bytes at 0x%zx was written to %s, at bytes %td to %td",
                block.is_device() ? "device memory" : "page-locked memory", block.bytes,
                static_cast<std::size_t>(block.base), run.first < 0 ? "before its beginning" : "behind its end",
                run.first, run.last);
  return text + ("; made at " + block.made.text());
}

}  // namespace

void count_allocation() {
  const unsigned long asked = ++state().allocations_asked;
  require(asked != the_settings().failing_allocation, abi::error_out_of_memory);
}

memory_block& memory_table::allocate(context& owner, std::size_t bytes, memory_kind kind, unsigned flags) {
  const bool on_device = kind != memory_kind::host;
  count_allocation();
  if (on_device) occupy(owner, bytes, kind == memory_kind::stream_ordered);
  void* const base = allocate_guarded(bytes, alignment_of(kind));
  if (base == nullptr) {
    if (on_device) vacate(memory_block{0, bytes, kind, &owner});
    refuse(abi::error_out_of_memory);
  }
  if (on_device) std::memset(base, fresh_byte, std::min(bytes, filled_when_fresh));
  try {
    memory_block& made = enter(owner, reinterpret_cast<std::uintptr_t>(base), bytes, kind, flags);
    made.made = call_site::here();
    return made;
  } catch (...) {
    free_guarded(base, alignment_of(kind));
    if (on_device) vacate(memory_block{0, bytes, kind, &owner});
    throw;
  }
}

memory_block& memory_table::enter(context& owner, std::uintptr_t base, std::size_t bytes, memory_kind kind,
                                  unsigned flags) {
  departed_.erase(base);
  memory_block& made = blocks_[base];
  made = memory_block{base, bytes, kind, &owner, flags, ++ids_};
  return made;
}

void memory_table::release(std::uintptr_t base) {
  const auto found = blocks_.find(base);
  if (found == blocks_.end()) return;
  const memory_block gone = found->second;
  blocks_.erase(found);
  if (const auto run = take_overrun(gone.base, gone.bytes)) {
    say_corruption(text_of(gone, *run) + "; noticed when it was freed");
  }
  if (gone.is_device()) vacate(gone);
  quarantine(gone);
}

std::vector<std::uintptr_t> memory_table::release_context(const context& gone) {
  std::vector<std::uintptr_t> bases;
  for (auto each = blocks_.begin(); each != blocks_.end();) {
    const memory_block block = each->second;
    ++each;
    if (block.owner != &gone) continue;
    departed_.insert(block.base);
    bases.push_back(block.base);
    if (block.kind == memory_kind::registered || block.kind == memory_kind::global) {
      blocks_.erase(block.base);
    } else {
      release(block.base);
    }
  }
  return bases;
}

memory_block* memory_table::find(std::uintptr_t address) {
  auto behind = blocks_.upper_bound(address);
  if (behind == blocks_.begin()) return nullptr;
  memory_block& block = std::prev(behind)->second;
  return address < block.base + std::max<std::size_t>(block.bytes, 1) ? &block : nullptr;
}

memory_block& memory_table::require_block(std::uintptr_t address) {
  memory_block* const found = find(address);
  require(found != nullptr && !found->freeing);
  return *found;
}

memory_block& memory_table::require_range(std::uintptr_t address, std::size_t bytes) {
  memory_block& found = require_block(address);
  require(bytes <= found.end() - address);
  return found;
}

bool memory_table::overlaps(std::uintptr_t address, std::size_t bytes) {
  if (find(address) != nullptr) return true;
  const auto next = blocks_.lower_bound(address);
  return next != blocks_.end() && next->first < address + bytes;
}

std::vector<std::string> memory_table::take_overruns(const context& of) {
  std::vector<std::string> lines;
  for (const auto& [base, block] : blocks_) {
    if (!block.is_own() || block.owner != &of) continue;
    if (const auto run = take_overrun(base, block.bytes)) lines.push_back(text_of(block, *run));
  }
  return lines;
}

void memory_table::check_at_exit() {
  for (const auto& [base, block] : blocks_) {
    if (!block.is_own()) continue;
    if (const auto run = take_overrun(base, block.bytes)) say_corruption(text_of(block, *run) + "; noticed at exit");
  }
  for (const freed_block& each : quarantine_) drop(each);
  quarantine_.clear();
  quarantined_bytes_ = 0;
}

void memory_table::say_corruption(const std::string& text) {
  ++corruptions_;
  say(text);
}

#ifdef YOKE_SIMULATOR_ASAN
// AddressSanitizer keeps and poisons what is freed, and knows who freed it.
void memory_table::quarantine(const memory_block& gone) { free_block(gone.base, gone.kind); }
void memory_table::drop(const freed_block&) {}
#else
void memory_table::quarantine(const memory_block& gone) {
  // Of a large block the beginning must do: the rest may never have been touched.
  const std::size_t filled = std::min(gone.bytes, filled_when_fresh);
  std::memset(reinterpret_cast<void*>(gone.base), freed_byte, filled);
  if (gone.bytes > filled_when_fresh) {
    free_block(gone.base, gone.kind);
    return;
  }
  quarantine_.push_back({gone.base, gone.bytes, gone.kind});
  // Small blocks are held with what lies around them, which is far more than they are.
  const auto held = [](std::size_t bytes) { return bytes + 2 * canary_bytes; };
  for (quarantined_bytes_ += held(gone.bytes); quarantined_bytes_ > quarantine_limit; quarantine_.pop_front()) {
    quarantined_bytes_ -= held(quarantine_.front().bytes);
    drop(quarantine_.front());
  }
}

void memory_table::drop(const freed_block& old) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(old.base);
  const auto* const end = bytes + old.bytes;
  const auto* const touched = std::find_if(bytes, end, [](unsigned char each) { return each != freed_byte; });
  if (touched != end) {
    char text[128];
    std::snprintf(text, sizeof text, "byte %zu of a freed block of %zu bytes at 0x%zx was written to",
                  static_cast<std::size_t>(touched - bytes), old.bytes, static_cast<std::size_t>(old.base));
    say_corruption(text);
  }
  free_block(old.base, old.kind);
}
#endif

}  // namespace yoke::simulator
