// SPDX-License-Identifier: MIT
// Lays canaries and looks at them.
#include "canaries.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "../engine/sanitizers.hpp"

namespace yoke::simulator {

#ifdef YOKE_SIMULATOR_ASAN

// The exact size, so that AddressSanitizer sees the first byte behind it.
void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept {
  void* base = nullptr;
  return ::posix_memalign(&base, alignment, std::max<std::size_t>(bytes, 1)) == 0 ? base : nullptr;
}
void free_guarded(void* base, std::size_t) noexcept { std::free(base); }
std::optional<overrun> take_overrun(std::uintptr_t, std::size_t) noexcept { return std::nullopt; }

#else

namespace {

// Neither zero nor what fresh and freed memory hold, nor twice the same in a row, which a fill would leave.
constexpr std::array<unsigned char, canary_bytes> song = [] {
  std::array<unsigned char, canary_bytes> bytes{};
  for (std::size_t each = 0; each < canary_bytes; ++each) {
    bytes[each] = static_cast<unsigned char>(0xC1 + each * 7 % 29);
  }
  return bytes;
}();

std::size_t room_before(std::size_t alignment) { return std::max(alignment, canary_bytes); }

/// Returns: the first and the last byte that differ, counted from `offset`.
std::optional<overrun> look(unsigned char* canary, std::ptrdiff_t offset) {
  if (std::memcmp(canary, song.data(), canary_bytes) == 0) return std::nullopt;
  const auto differs = [&](std::size_t each) { return canary[each] != song[each]; };
  std::size_t first = 0, last = canary_bytes - 1;
  while (!differs(first)) ++first;
  while (!differs(last)) --last;
  std::memcpy(canary, song.data(), canary_bytes);
  return overrun{offset + static_cast<std::ptrdiff_t>(first), offset + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace

void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t before = room_before(alignment);
  void* whole = nullptr;
  if (bytes > SIZE_MAX - before - canary_bytes) return nullptr;
  if (::posix_memalign(&whole, alignment, before + bytes + canary_bytes) != 0) return nullptr;
  char* const base = static_cast<char*>(whole) + before;
  std::memcpy(base - canary_bytes, song.data(), canary_bytes);
  std::memcpy(base + bytes, song.data(), canary_bytes);
  return base;
}

void free_guarded(void* base, std::size_t alignment) noexcept {
  std::free(static_cast<char*>(base) - room_before(alignment));
}

std::optional<overrun> take_overrun(std::uintptr_t base, std::size_t bytes) noexcept {
  auto* const begin = reinterpret_cast<unsigned char*>(base);
  const auto before = look(begin - canary_bytes, -static_cast<std::ptrdiff_t>(canary_bytes));
  const auto behind = look(begin + bytes, static_cast<std::ptrdiff_t>(bytes));
  return behind ? behind : before;
}

#endif

}  // namespace yoke::simulator
