// SPDX-License-Identifier: MIT
// Bytes around every block that nobody may write to, and the look whether somebody has.
#ifndef YOKE_SIMULATOR_DRIVER_CANARIES_HPP
#define YOKE_SIMULATOR_DRIVER_CANARIES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

namespace yoke::simulator {

/// On each side of a block. In builds with AddressSanitizer there are none: it sees the access itself.
inline constexpr std::size_t canary_bytes = 512;

/// Returns: memory with canaries around it; null if there is none.
void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept;
void free_guarded(void* base, std::size_t alignment) noexcept;

/// The first and the last byte that were written to, counted from the block's beginning.
struct overrun {
  std::ptrdiff_t first, last;
};
/// Effects: looks at the canaries of a block that allocate_guarded made, and puts them in order. Returns: what was
/// written to; on both sides, that behind the block.
std::optional<overrun> take_overrun(std::uintptr_t base, std::size_t bytes) noexcept;

}  // namespace yoke::simulator

#endif
