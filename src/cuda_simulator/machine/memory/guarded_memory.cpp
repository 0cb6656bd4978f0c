// SPDX-License-Identifier: MIT
// Maps memory with its guards, fills canaries and checks them.
#include "machine/memory/guarded_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#ifndef YOKE_SIMULATOR_ASAN
#include <sys/mman.h>
#include <unistd.h>

#include "engine/system/sanitizers.hpp"
#endif

namespace yoke::simulator {

#ifdef YOKE_SIMULATOR_ASAN

// Allocates the exact size, so that AddressSanitizer detects the first byte after it; it also quarantines freed memory.
void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept {
  void* base = nullptr;
  return ::posix_memalign(&base, alignment, std::max<std::size_t>(bytes, 1)) == 0 ? base : nullptr;
}
void close_guarded(std::uintptr_t base, std::size_t) noexcept { std::free(reinterpret_cast<void*>(base)); }
std::size_t free_guarded(std::uintptr_t, std::size_t) noexcept { return 0; }
bool is_guarded_by(std::uintptr_t, std::size_t, std::uintptr_t) noexcept { return false; }
page_range pages_of(std::uintptr_t, std::size_t) noexcept { return {}; }
canary canary_of(std::uintptr_t, std::size_t, bool) noexcept { return {}; }
std::optional<overrun> take_overrun(std::uintptr_t, std::size_t) noexcept { return std::nullopt; }

#else

namespace {

constexpr std::size_t canary_limit = 4096;

// The pattern avoids zeros, the bytes of fresh memory, and equal neighbours, which a fill would leave.
constexpr std::array<unsigned char, canary_limit> song = [] {
  std::array<unsigned char, canary_limit> bytes{};
  for (std::size_t each = 0; each < canary_limit; ++each) {
    bytes[each] = static_cast<unsigned char>(0xC1 + each * 7 % 29);
  }
  return bytes;
}();

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}
std::size_t rounded_up(std::size_t number, std::size_t step) noexcept { return (number + step - 1) / step * step; }

/// The pages of a block, and its guards around them. guard_room is whole pages of every size that Linux has.
struct pages {
  std::uintptr_t begin, end;
  pages(std::uintptr_t base, std::size_t bytes)
      : begin(base / page_bytes() * page_bytes()), end(rounded_up(base + bytes, page_bytes())) {}
  void* mapping() const { return reinterpret_cast<void*>(begin - guard_room); }
  std::size_t mapping_bytes() const { return end - begin + 2 * guard_room; }
};

constexpr int reserved_only = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// Returns: the first and the last byte that differ, as offsets from `base`.
std::optional<overrun> look(const canary& at, std::uintptr_t base) noexcept {
  if (at.bytes == 0 || std::memcmp(at.at, at.expected, at.bytes) == 0) return std::nullopt;
  std::size_t first = 0, last = at.bytes - 1;
  while (at.at[first] == at.expected[first]) ++first;
  while (at.at[last] == at.expected[last]) --last;
  std::memcpy(at.at, at.expected, at.bytes);
  const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(at.at) - base);
  return overrun{offset + static_cast<std::ptrdiff_t>(first), offset + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace

void* allocate_guarded(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes > SIZE_MAX / 2) return nullptr;
  const std::size_t used = rounded_up(std::max<std::size_t>(bytes, 1), alignment);
  const std::size_t room = rounded_up(used, page_bytes());
  void* const whole = ::mmap(nullptr, room + 2 * guard_room, PROT_NONE, reserved_only, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(whole) + guard_room;
  if (::mprotect(first, room, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(whole, room + 2 * guard_room);
    return nullptr;
  }
  const auto base = reinterpret_cast<std::uintptr_t>(first + (room - used));
  for (const bool is_behind : {false, true}) {
    const canary laid = canary_of(base, bytes, is_behind);
    if (laid.bytes != 0) std::memcpy(laid.at, laid.expected, laid.bytes);
  }
  return reinterpret_cast<void*>(base);
}

void close_guarded(std::uintptr_t base, std::size_t bytes) noexcept {
  const pages of(base, bytes);
  (void)::mmap(of.mapping(), of.mapping_bytes(), PROT_NONE, reserved_only | MAP_FIXED, -1, 0);
}

std::size_t free_guarded(std::uintptr_t base, std::size_t bytes) noexcept {
  const pages of(base, bytes);
  ::munmap(of.mapping(), of.mapping_bytes());
  return of.mapping_bytes();
}

bool is_guarded_by(std::uintptr_t base, std::size_t bytes, std::uintptr_t address) noexcept {
  const pages of(base, bytes);
  return address >= of.begin - guard_room && address < of.end + guard_room;
}

page_range pages_of(std::uintptr_t base, std::size_t bytes) noexcept {
  const pages of(base, bytes);
  return {of.begin, of.end - of.begin};
}

canary canary_of(std::uintptr_t base, std::size_t bytes, bool is_behind) noexcept {
  const pages of(base, bytes);
  const std::uintptr_t begin = is_behind ? base + bytes : std::max(of.begin, base - std::min(base, canary_limit));
  const std::size_t room = std::min((is_behind ? of.end : base) - begin, canary_limit);
  return {reinterpret_cast<unsigned char*>(begin), song.data(), room};
}

std::optional<overrun> take_overrun(std::uintptr_t base, std::size_t bytes) noexcept {
  const auto before = look(canary_of(base, bytes, false), base);
  const auto behind = look(canary_of(base, bytes, true), base);
  return behind ? behind : before;
}

#endif

}  // namespace yoke::simulator
