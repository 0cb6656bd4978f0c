// SPDX-License-Identifier: MIT
// The pools of stream-ordered memory: each device's own, those of programs, those of other processes.
#ifndef YOKE_SIMULATOR_MACHINE_MEMORY_POOLS_HPP
#define YOKE_SIMULATOR_MACHINE_MEMORY_POOLS_HPP

#include <algorithm>
#include <cstddef>
#include <map>

#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"
#include "machine/base/shared_file.hpp"

namespace yoke::simulator {

/// The attributes of cuMemPoolSetAttribute, and the figures. Thread safety: the driver's lock.
struct pool_object {
  static constexpr std::size_t step = std::size_t{2} << 20;  ///< a pool takes memory from the device in these steps

  int device = 0;
  bool is_default = false;
  bool is_imported = false;
  bool is_exported = false;
  abi::memory_pool handle = nullptr;
  std::size_t max_bytes = 0;  ///< 0: the whole device memory
  int reuse[3] = {1, 1, 1};
  unsigned long long release_threshold = 0;
  unsigned long long used = 0;
  unsigned long long used_high = 0;
  unsigned long long reserved = 0;
  unsigned long long reserved_high = 0;
  std::map<int, abi::access_flags> access{};  ///< of other devices than its own
  shared_file file{};                         ///< of pools that other processes open
  std::size_t file_bytes = 0;

  void take(std::size_t bytes) {
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, (used + step - 1) / step * step);
    reserved_high = std::max(reserved_high, reserved);
  }
  void give_back(std::size_t bytes) { used -= bytes; }
  /// Effects: gives idle memory beyond that many bytes back to the device.
  void trim_to(unsigned long long bytes) {
    const unsigned long long needed = (std::max(used, bytes) + step - 1) / step * step;
    reserved = used == 0 && bytes == 0 ? 0 : std::min(reserved, std::max(needed, bytes));
  }
};

/// Thread safety: the driver's lock.
struct pool_state {
  handle_table<pool_object, abi::memory_pool, handle_kind::pool> pools{};
};

/// Effects: at a synchronisation, every pool of the device gives back idle memory beyond its threshold.
void release_idle(int device);

}  // namespace yoke::simulator

#endif
