// SPDX-License-Identifier: MIT
// Memory between pages that fault, and canaries between the memory and these pages, which show stray writes.
#ifndef YOKE_SIMULATOR_MACHINE_MEMORY_GUARDED_MEMORY_HPP
#define YOKE_SIMULATOR_MACHINE_MEMORY_GUARDED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

namespace yoke::simulator {

/// The faulting bytes on each side of a block, counted from its last page. None in builds with AddressSanitizer, which
/// detects the access itself.
inline constexpr std::size_t guard_room = std::size_t{64} * 1024;

/// Returns: memory whose end is at most `alignment - 1` bytes before the guard; null if memory ran out.
/// Requires: alignment is a power of two and at most a page.
void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept;
/// Effects: gives the memory back, but keeps its addresses, so that every access faults.
void close_guarded(std::uintptr_t base, std::size_t bytes) noexcept;
/// Effects: releases the addresses. Returns: how many bytes that were.
std::size_t free_guarded(std::uintptr_t base, std::size_t bytes) noexcept;
/// Whether an address is in that memory or its guards.
bool is_guarded_by(std::uintptr_t base, std::size_t bytes, std::uintptr_t address) noexcept;

/// Whole pages.
struct page_range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
/// Returns: the pages of the block, which contain only it and its canaries. None in builds with AddressSanitizer, where
/// blocks share pages.
page_range pages_of(std::uintptr_t base, std::size_t bytes) noexcept;

/// Bytes beside a block that no kernel may write.
struct canary {
  unsigned char* at = nullptr;
  const unsigned char* expected = nullptr;
  std::size_t bytes = 0;
};
/// Returns: the bytes after the block if `is_behind`, else those before it, up to the guard.
canary canary_of(std::uintptr_t base, std::size_t bytes, bool is_behind) noexcept;

/// The first and the last byte that were written, as offsets from the block's start.
struct overrun {
  std::ptrdiff_t first, last;
};
/// Effects: checks the canaries of a block, and restores them. Returns: the overwritten bytes; if both sides were,
/// those after the block.
std::optional<overrun> take_overrun(std::uintptr_t base, std::size_t bytes) noexcept;

}  // namespace yoke::simulator

#endif
