// SPDX-License-Identifier: MIT
// Runs a kernel over a grid on the CPU.
#ifndef YOKE_SIMULATOR_ENGINE_LAUNCH_LAUNCH_HPP
#define YOKE_SIMULATOR_ENGINE_LAUNCH_LAUNCH_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/binary/image.hpp"
#include "engine/system/worker_pool.hpp"

namespace yoke::simulator {

using extent3 = std::array<unsigned, 3>;
inline unsigned long long volume(const extent3& extents) {
  return static_cast<unsigned long long>(extents[0]) * extents[1] * extents[2];
}

inline constexpr unsigned block_threads_limit = 1024;

/// Bytes beside a kernel's memory that it may not write to, and what they hold.
struct watched_bytes {
  const unsigned char* at = nullptr;
  const unsigned char* expected = nullptr;
  std::size_t bytes = 0;
  std::size_t near_offset = 0, near_bytes = 0;  ///< the bytes checked whenever a thread ends or waits
};

struct launch_shape {
  extent3 grid = {1, 1, 1};
  extent3 block = {1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  bool cooperative =
      false;  ///< all blocks are there at once, so that this_grid().sync() works; one OS thread runs them
  extent3 cluster = {1, 1, 1};  ///< anything else is unsupported
  /// Each thread's stack, besides the extra room that host frames need.
  std::size_t stack_bytes = 1024;
  /// How long the threads of a block may do nothing but wait in loops before the block is given up.
  std::chrono::milliseconds patience = std::chrono::seconds(20);
  std::vector<watched_bytes> watched{};  ///< they outlive the launch
  unsigned long long whole_looks = 0;    ///< how often a block's threads check all watched bytes, before only near ones
};

enum class launch_status {
  success,
  invalid_shape,
  unsupported,
  out_of_memory,
  trap,
  assertion,
  barrier_divergence,  ///< threads wait at different barriers, or a lane is not in the mask it passed
  no_progress,         ///< every thread left waits for something that will not come
  not_cooperative,     ///< this_grid().sync() in an ordinary launch
  exception,
  illegal_address,  ///< an access that faults, or a write to watched bytes
};

/// An access to memory that a kernel may not touch.
struct memory_fault {
  enum class access { unknown, read, write };
  access what = access::unknown;
  std::optional<std::uintptr_t> address{};  ///< nothing for an impossible address
  bool is_late = false;                     ///< detected by its traces
  std::string who{};                        ///< "block (1, 0, 0), thread (3, 0, 0)"
};

struct launch_result {
  launch_status status = launch_status::success;
  std::string text;  ///< what happened, in which block and thread, at which line; empty after success
  std::optional<memory_fault> fault{};  ///< for illegal_address
  explicit operator bool() const noexcept { return status == launch_status::success; }
};

/// Returns: the arguments that `parameters` point at, laid out as the kernel takes them.
std::string pack_arguments(const kernel& kernel, const void* const* parameters);

/// Effects: runs the kernel; the calling thread and the pool's share the blocks. Arguments:
/// kernel.record->argument_bytes of them, from pack_arguments or laid out by the same rules. After a failure some
/// blocks have run and some have not. Returns: when all is done. Throws: std::bad_alloc. Thread safety: any number of
/// launches at once, of one kernel too.
launch_result launch(worker_pool& pool, const kernel& kernel, const launch_shape& shape, std::string_view arguments);

/// Effects: as above, with one pointer for each parameter.
launch_result launch(worker_pool& pool, const kernel& kernel, const launch_shape& shape, const void* const* parameters);

}  // namespace yoke::simulator

#endif
