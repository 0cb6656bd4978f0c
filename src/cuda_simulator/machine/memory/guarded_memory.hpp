// SPDX-License-Identifier: MIT
// Memory between pages that fault, and the bytes between it and these pages, which show who wrote there.
#ifndef YOKE_SIMULATOR_MACHINE_MEMORY_GUARDED_MEMORY_HPP
#define YOKE_SIMULATOR_MACHINE_MEMORY_GUARDED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

namespace yoke::simulator {

/// What faults on each side of a block, counted from its last page. In builds with AddressSanitizer nothing does: it
/// sees the access itself.
inline constexpr std::size_t guard_room = std::size_t{64} * 1024;

/// Returns: memory of which the end is at most `alignment - 1` bytes before the guard; null if there is none.
/// Requires: alignment is a power of two and at most a page.
void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept;
/// Effects: gives the memory back, but keeps its addresses, so that every access faults.
void close_guarded(std::uintptr_t base, std::size_t bytes) noexcept;
/// Effects: gives the addresses back. Returns: how many there were.
std::size_t free_guarded(std::uintptr_t base, std::size_t bytes) noexcept;
/// Whether an access there is one beyond that memory, or in it.
bool is_guarded_by(std::uintptr_t base, std::size_t bytes, std::uintptr_t address) noexcept;

/// Whole pages.
struct page_range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
/// Returns: the pages that hold the block, and nothing else but its canaries. None in builds with AddressSanitizer,
/// where blocks lie beside each other.
page_range pages_of(std::uintptr_t base, std::size_t bytes) noexcept;

/// Bytes beside a block that nobody may write to.
struct canary {
  unsigned char* at = nullptr;
  const unsigned char* expected = nullptr;
  std::size_t bytes = 0;
};
/// Before the block, if `is_behind` does not hold, up to its guard.
canary canary_of(std::uintptr_t base, std::size_t bytes, bool is_behind) noexcept;

/// The first and the last byte that were written to, counted from the block's beginning.
struct overrun {
  std::ptrdiff_t first, last;
};
/// Effects: looks at the canaries of a block, and puts them in order. Returns: what was written to; on both sides, that
/// behind the block.
std::optional<overrun> take_overrun(std::uintptr_t base, std::size_t bytes) noexcept;

}  // namespace yoke::simulator

#endif
