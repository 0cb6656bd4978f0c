// SPDX-License-Identifier: MIT
// Allocates, finds and frees ranges, and quarantines the addresses of freed ones for a while.
#include "machine/memory/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "machine/base/settings.hpp"
#include "machine/base/shared_file.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/guarded_memory.hpp"
#include "machine/memory/pools.hpp"
#include "machine/memory/virtual_memory.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator {

namespace {

constexpr std::size_t allocation_unit = 512;  // of the driver
constexpr int fresh_byte = 0xA5;
constexpr std::size_t filled_when_fresh = std::size_t{1} << 20;  // more would touch pages that are otherwise unused
constexpr std::size_t quarantine_blocks = 4096;
constexpr std::size_t quarantine_bytes = std::size_t{64} << 30;  // of addresses, not of memory

std::size_t occupied(std::size_t bytes) { return (bytes + allocation_unit - 1) / allocation_unit * allocation_unit; }

void occupy(context& owner, std::size_t bytes, pool_object* pool) {
  device& of = device_of(owner.device);
  const std::size_t size = occupied(bytes);
  require(bytes <= of.total_bytes && size <= of.total_bytes - of.used_bytes, abi::error_out_of_memory);
  if (pool != nullptr && pool->max_bytes != 0) {
    require(size <= pool->max_bytes && pool->used <= pool->max_bytes - size, abi::error_out_of_memory);
  }
  of.used_bytes += size;
  if (pool != nullptr) pool->take(size);
}

std::size_t alignment_of(memory_kind kind) {
  // Page-locked and managed memory consist of pages; CUDA guarantees 256 for other memory.
  return kind == memory_kind::host || kind == memory_kind::managed ? 4096 : 256;
}

void vacate(const memory_block& block) {
  device& of = device_of(block.owner->device);
  const std::size_t size = occupied(block.bytes);
  if (block.kind == memory_kind::imported) return;  // it counts in the process that made it
  if (block.pool != nullptr && block.pool->is_imported) return;
  of.used_bytes -= size;
  if (block.pool != nullptr) block.pool->give_back(size);
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

/// Effects: appends room to the pool's file, which is never reused. Returns: the mapped address, or null.
void* allocate_in_file(pool_object& pool, std::size_t bytes, std::size_t& offset) {
  const std::size_t room = whole_pages(bytes);
  if (!pool.file.grow_to(pool.file_bytes + room)) return nullptr;
  const std::uintptr_t base = pool.file.map(0, pool.file_bytes, room, true);
  if (base == 0) return nullptr;
  offset = std::exchange(pool.file_bytes, pool.file_bytes + room);
  return reinterpret_cast<void*>(base);
}

/// Effects: releases a fresh block's memory.
void free_fresh(const memory_block& block) {
  if (block.is_shared) {
    const std::size_t before = block.base % 4096;
    ::munmap(reinterpret_cast<void*>(block.base - before), whole_pages(before + block.bytes));
  } else {
    close_guarded(block.base, block.bytes);
    free_guarded(block.base, block.bytes);
  }
}

std::string text_of(const memory_block& block) {
  char text[100];
  std::snprintf(text, sizeof text, "%s of %zu bytes at 0x%zx",
                block.kind == memory_kind::managed ? "managed memory"
                : block.is_device()                ? "device memory"
                                                   : "page-locked memory",
                block.bytes, static_cast<std::size_t>(block.base));
  return text;
}

std::string text_of(const memory_block& block, const overrun& run) {
  char text[100];
  std::snprintf(text, sizeof text, " was written to %s, at bytes %td to %td",
                run.first < 0 ? "before its beginning" : "behind its end", run.first, run.last);
  return text_of(block) + text;
}

std::string sites_of(const memory_block& block, bool was_freed = false) {
  return "; made at " + block.made.text() + (was_freed ? "; freed at " + block.freed.text() : "");
}

std::string text_of(const memory_block& block, const memory_fault& fault, bool was_freed) {
  using enum memory_fault::access;
  const auto at = static_cast<std::ptrdiff_t>(*fault.address - block.base);
  char text[100];
  std::snprintf(text, sizeof text, " was %s %s, at byte %td, in ",
                fault.what == read    ? "read"
                : fault.what == write ? "written to"
                                      : "accessed",
                was_freed ? "after it was freed"
                : at < 0  ? "before its beginning"
                          : "behind its end",
                at);
  return text_of(block) + text + fault.who + sites_of(block, was_freed);
}

}  // namespace

void count_allocation() {
  static unsigned long asked = 0;  // under the driver's lock
  require(++asked != the_settings().failing_allocation, abi::error_out_of_memory);
}

std::uintptr_t note_allocation(object_kind kind, const memory_block& fresh) {
  const std::uintptr_t base = fresh.base;
  try {
    state<ledger>().add(kind, base, fresh.bytes, fresh.made);
  } catch (...) {
    state<memory_table>().release(base);
    throw;
  }
  return base;
}

bool can_be_opened(const memory_block& block) {
  return block.kind == memory_kind::plain && pages_of(block.base, block.bytes).bytes != 0;
}

bool memory_block::is_accessible() const {
  if (mapped == nullptr) return true;
  return std::any_of(mapped->access.begin(), mapped->access.end(),
                     [](const auto& each) { return each.second != abi::access_flags::none; });
}

bool memory_block::is_open_to(const context& kernels) const {
  if (!is_device() || kind == memory_kind::managed) return true;
  const auto has_access = [&](const std::map<int, abi::access_flags>& given) {
    const auto found = given.find(kernels.device);
    return found != given.end() && found->second != abi::access_flags::none;
  };
  if (mapped != nullptr) return has_access(mapped->access);
  if (owner->device == kernels.device) return true;
  return pool != nullptr ? has_access(pool->access) : kernels.peers.count(owner) != 0;
}

memory_block& memory_table::enter_fresh(memory_block fresh) {
  try {
    memory_block& made = enter(*fresh.owner, fresh.base, fresh.bytes, fresh.kind, fresh.flags);
    made.pool = fresh.pool;
    made.is_shared = fresh.is_shared;
    made.file_offset = fresh.file_offset;
    made.file = fresh.file;
    made.opened = fresh.opened;
    made.made = call_site::here();
    return made;
  } catch (...) {
    free_fresh(fresh);
    if (fresh.is_device()) vacate(fresh);
    throw;
  }
}

memory_block& memory_table::allocate(context& owner, std::size_t bytes, memory_kind kind, unsigned flags,
                                     const std::shared_ptr<pool_object>& pool) {
  memory_block fresh{0, bytes, kind, &owner, flags};
  fresh.pool = pool;
  fresh.is_shared = pool != nullptr && pool->file;
  const bool on_device = kind != memory_kind::host;
  count_allocation();
  if (on_device) occupy(owner, bytes, pool.get());
  void* const base =
      fresh.is_shared ? allocate_in_file(*pool, bytes, fresh.file_offset) : allocate_guarded(bytes, alignment_of(kind));
  if (base == nullptr) {
    if (on_device) vacate(fresh);
    refuse(abi::error_out_of_memory);
  }
  if (on_device) std::memset(base, fresh_byte, std::min(bytes, filled_when_fresh));
  fresh.base = reinterpret_cast<std::uintptr_t>(base);
  return enter_fresh(std::move(fresh));
}

memory_block& memory_table::open_shared(context& owner, const std::shared_ptr<pool_object>& pool, std::size_t offset,
                                        std::size_t bytes) {
  memory_block fresh{0, bytes, memory_kind::stream_ordered, &owner};
  fresh.pool = pool;
  fresh.is_shared = true;
  fresh.file_offset = offset;
  fresh.base = pool->file.map(0, offset, whole_pages(bytes), true);
  require(fresh.base != 0, abi::error_out_of_memory);
  return enter_fresh(std::move(fresh));
}

memory_block& memory_table::open_plain(context& owner, const std::shared_ptr<shared_file>& file, std::size_t offset,
                                       std::size_t bytes) {
  memory_block fresh{0, bytes, memory_kind::imported, &owner};
  fresh.is_shared = true;
  fresh.file = file;
  fresh.opened = 1;
  const std::uintptr_t first = file->map(0, 0, whole_pages(offset + bytes), true);
  require(first != 0, abi::error_out_of_memory);
  fresh.base = first + offset;
  return enter_fresh(std::move(fresh));
}

memory_block* memory_table::find_opened(std::uint64_t identity) {
  for (auto& [base, block] : blocks_) {
    if (block.kind == memory_kind::imported && block.file->facts().identity == identity) return &block;
  }
  return nullptr;
}

memory_block& memory_table::enter(context& owner, std::uintptr_t base, std::size_t bytes, memory_kind kind,
                                  unsigned flags) {
  departed_.erase(base);
  memory_block& made = blocks_[base];
  made = memory_block{base, bytes, kind, &owner, flags, ++ids_};
  if (kind == memory_kind::stream_ordered) ++ordered_blocks_;
  return made;
}

void memory_table::begin_free(memory_block& block) {
  block.freeing = true;
  block.freed = call_site::here();
}

void memory_table::release(std::uintptr_t base) {
  const auto found = blocks_.find(base);
  if (found == blocks_.end()) return;
  memory_block gone = std::move(found->second);
  blocks_.erase(found);
  if (!gone.is_guarded()) {
    free_fresh(gone);
    if (gone.pool != nullptr && !gone.pool->is_imported)
      gone.pool->file.forget(gone.file_offset, whole_pages(gone.bytes));
  } else if (const auto run = take_overrun(gone.base, gone.bytes)) {
    say_corruption(text_of(gone, *run) + sites_of(gone) + "; noticed when it was freed");
  }
  if (gone.kind == memory_kind::stream_ordered) --ordered_blocks_;
  if (gone.is_device()) vacate(gone);
  gone.order.reset();
  gone.allocated.reset();
  gone.uses.clear();
  gone.managed.reset();
  gone.pool.reset();
  gone.file.reset();
  if (gone.is_guarded()) quarantine(std::move(gone));
}

std::vector<std::uintptr_t> memory_table::release_context(const context& gone) {
  std::vector<std::uintptr_t> bases;
  for (auto each = blocks_.begin(); each != blocks_.end();) {
    memory_block& block = each->second;
    ++each;
    if (block.owner != &gone || block.kind == memory_kind::mapped) continue;
    const std::uintptr_t base = block.base;
    departed_.insert(base);
    bases.push_back(base);
    if (!block.is_own()) {
      blocks_.erase(base);
      continue;
    }
    if (!block.freeing) begin_free(block);
    release(base);
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
  require(found.is_accessible());
  const memory_block* last = &found;
  while (bytes > last->end() - address) {
    const auto next = last->kind == memory_kind::mapped ? blocks_.find(last->end()) : blocks_.end();
    require(next != blocks_.end() && next->second.kind == memory_kind::mapped && next->second.is_accessible());
    last = &next->second;
  }
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
    if (!block.is_guarded() || block.owner != &of) continue;
    if (const auto run = take_overrun(base, block.bytes)) lines.push_back(text_of(block, *run) + sites_of(block));
  }
  return lines;
}

void memory_table::check_at_exit() {
  for (const auto& [base, block] : blocks_) {
    if (!block.is_guarded()) continue;
    if (const auto run = take_overrun(base, block.bytes)) {
      say_corruption(text_of(block, *run) + sites_of(block) + "; noticed at exit");
    }
  }
}

void memory_table::say_corruption(const std::string& text) {
  ++corruptions_;
  say(text);
}

void memory_table::quarantine(memory_block gone) {
  close_guarded(gone.base, gone.bytes);
  quarantined_bytes_ += gone.bytes;
  quarantine_.push_back(std::move(gone));
  while (quarantine_.size() > quarantine_blocks || quarantined_bytes_ > quarantine_bytes) {
    const memory_block& oldest = quarantine_.front();
    free_guarded(oldest.base, oldest.bytes);
    quarantined_bytes_ -= oldest.bytes;
    quarantine_.pop_front();
  }
}

std::vector<memory_block*> memory_table::named_in(std::string_view arguments) {
  std::vector<memory_block*> named;
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= arguments.size(); at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    memory_block* const block = find(word);
    if (block == nullptr || !block->is_own() || block->freeing) continue;
    if (std::find(named.begin(), named.end(), block) == named.end()) named.push_back(block);
  }
  return named;
}

std::optional<std::string> memory_table::take_fault(const memory_fault& fault) {
  if (!fault.address) return std::nullopt;
  const auto is_at = [&](const memory_block& block) {
    return block.is_guarded() && is_guarded_by(block.base, block.bytes, *fault.address);
  };
  const auto behind = blocks_.upper_bound(*fault.address);
  for (auto each = behind == blocks_.begin() ? behind : std::prev(behind); each != blocks_.end(); ++each) {
    const memory_block& block = each->second;
    if (is_at(block)) {
      const auto run = fault.is_late ? take_overrun(block.base, block.bytes) : std::nullopt;
      return run ? text_of(block, *run) + ", in " + fault.who + sites_of(block) : text_of(block, fault, false);
    }
    if (each->first > *fault.address) break;
  }
  const auto freed = std::find_if(quarantine_.rbegin(), quarantine_.rend(), is_at);
  if (freed == quarantine_.rend()) return std::nullopt;
  return text_of(*freed, fault, true);
}

}  // namespace yoke::simulator
