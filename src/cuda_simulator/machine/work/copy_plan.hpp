// SPDX-License-Identifier: MIT
// The two sides of a copy, read from the driver's structures.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_COPY_PLAN_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_COPY_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <memory>

#include "machine/base/call.hpp"

namespace yoke::simulator {

/// One side of a copy: rows of a box in memory.
struct copy_side {
  abi::memory_type type = abi::memory_type::unified;  ///< unified: the address decides
  std::uintptr_t address = 0;                         ///< of the box's first byte
  std::size_t pitch = 0;                              ///< from row to row
  std::size_t slice = 0;                              ///< from layer to layer
  std::shared_ptr<std::byte[]> array{};               ///< the array's memory, which contains the address
};
struct copy_box {
  std::size_t width = 0;  ///< in bytes
  std::size_t height = 1;
  std::size_t depth = 1;
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
};
struct copy_plan {
  copy_side from, to;
  copy_box box;
};

/// Returns: the side with its offsets applied; pitch and height 0 mean the box's. Throws: refusal.
copy_side side_of(abi::memory_type type, std::uintptr_t base, std::size_t pitch, std::size_t height,
                  const std::size_t (&offset)[3], const copy_box& box);
/// Returns: an array as a side. Throws: refusal if the box leaves it, or x is not a multiple of a texel.
copy_side byte_layout(abi::array handle, const std::size_t (&offset)[3], const copy_box& box);

/// Returns: both sides of the copy that the driver's structure describes. Throws: refusal.
copy_plan plan_of(const abi::copy_2d& what);
copy_plan plan_of(const abi::copy_3d& what);

}  // namespace yoke::simulator

#endif
