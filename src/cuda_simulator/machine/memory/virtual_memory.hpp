// SPDX-License-Identifier: MIT
// Reserved addresses, physical memory, and the mappings between them.
#ifndef YOKE_SIMULATOR_MACHINE_MEMORY_VIRTUAL_MEMORY_HPP
#define YOKE_SIMULATOR_MACHINE_MEMORY_VIRTUAL_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "machine/base/call.hpp"
#include "machine/base/shared_file.hpp"

namespace yoke::simulator {

/// Memory of a device without an address. It ends with its last handle and mapping.
struct physical_block {
  abi::physical_memory handle = 0;
  int device = 0;
  std::size_t bytes = 0;
  abi::shared_handle_type handle_types = abi::shared_handle_type::none;
  bool is_counted = false;  ///< counts among the device's used bytes; false if another process made it
  unsigned references = 1;  ///< handles
  shared_file file{};

  physical_block() = default;
  physical_block(const physical_block&) = delete;
  physical_block& operator=(const physical_block&) = delete;
  ~physical_block();
};

/// Physical memory at an address. Initially without access.
struct mapped_block {
  std::shared_ptr<physical_block> memory{};
  std::map<int, abi::access_flags> access{};  ///< of devices
};

/// Thread safety: the driver's lock.
struct virtual_state {
  std::map<std::uintptr_t, std::size_t> ranges{};  ///< reserved ranges: start, bytes
  std::map<abi::physical_memory, std::shared_ptr<physical_block>> handles{};
  abi::physical_memory issued = 0;

  /// Whether an address is reserved, with or without memory.
  bool is_reserved(std::uintptr_t address) const {
    const auto behind = ranges.upper_bound(address);
    if (behind == ranges.begin()) return false;
    const auto& [base, bytes] = *std::prev(behind);
    return address - base < bytes;
  }
};

}  // namespace yoke::simulator

#endif
