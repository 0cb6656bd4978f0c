// SPDX-License-Identifier: MIT
// Lets the fault loop count what is lost of operator new's memory, in a program that links allocation_faults.cpp.
#ifndef YOKE_TESTS_SUPPORT_BLOCK_COUNT_HPP
#define YOKE_TESTS_SUPPORT_BLOCK_COUNT_HPP

#include <chrono>
#include <cstddef>
#include <thread>

namespace yoke_test {

/// How blocks are counted; see `allocation_faults`.
struct block_counter {
  void (*begin)() noexcept;        ///< counts what this thread allocates from now on, and fails nothing
  void (*end)() noexcept;          ///< counts no more; frees still are
  std::size_t (*live)() noexcept;  ///< how many of those are not freed
};

/// Null where nothing counts.
inline constinit const block_counter* the_block_counter = nullptr;

/// By how much the waits for what may come late are shorter. The loops' own tests raise it, because what they lose never comes.
inline int haste = 1;
struct in_haste {
  in_haste() { haste = 50; }
  ~in_haste() { haste = 1; }
  in_haste(const in_haste&) = delete;
  in_haste& operator=(const in_haste&) = delete;
};

/// Returns: how many blocks are lost once threads of the library and the driver had time to let go. On a busy machine a thread
/// of the driver may come late with what it ends, so that a loss counts only after a long wait.
inline std::size_t blocks_when_quiet(std::size_t (*live)() noexcept, std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most / haste;
  while (live() != 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return live();
}

}  // namespace yoke_test

#endif
