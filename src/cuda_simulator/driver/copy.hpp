// SPDX-License-Identifier: MIT
// Copies and fills: what they touch, checked when they are asked for, done when the stream comes to it.
#ifndef YOKE_SIMULATOR_DRIVER_COPY_HPP
#define YOKE_SIMULATOR_DRIVER_COPY_HPP

#include <cstddef>
#include <cstdint>
#include <memory>

#include "call.hpp"
#include "stream.hpp"

namespace yoke::simulator {

/// One side of a copy: rows of a box in memory.
struct copy_side {
  abi::memory_type type = abi::memory_type::unified;  ///< unified: whatever the address says
  std::uintptr_t address = 0;                         ///< of the box's first byte
  std::size_t pitch = 0;                              ///< from row to row
  std::size_t slice = 0;                              ///< from layer to layer
  std::shared_ptr<std::byte[]> array{};               ///< the memory of an array, which the address is in
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

/// When the call returns, as far as the driver says when.
enum class copy_return { when_done, like_the_driver, at_once };

/// Effects: checks both sides, then copies in the stream's order. Memory that is not page-locked has been read, or
/// written, when this returns. Throws: refusal.
void copy(driver_lock& lock, stream& on, const copy_plan& plan, copy_return how);

/// Returns: both sides of the copy that the driver's structure describes. Throws: refusal.
copy_plan plan_of(const abi::copy_3d& what);
/// Throws: refusal, unless both sides can be copied now.
void check_copy(const copy_plan& plan);
/// Effects: moves the bytes.
void run_copy(const copy_plan& plan);
/// Effects: enters the copy among the users of the memory on both sides. Throws: refusal, if it is not in order.
void note_copy(const copy_plan& plan, const ticket& at);

/// A fill of `height` rows with `width` elements of 1, 2 or 4 bytes.
struct fill_plan {
  abi::device_pointer to = 0;
  std::size_t pitch = 0;
  unsigned value = 0;
  unsigned element_bytes = 1;
  std::size_t width = 0;
  std::size_t height = 1;
};
/// Effects: checks the range, then fills in the stream's order. Throws: refusal.
void fill(driver_lock& lock, stream& on, const fill_plan& plan, copy_return how);

/// The same as for copies.
void check_fill(const fill_plan& plan);
void run_fill(const fill_plan& plan);
void note_fill(const fill_plan& plan, const ticket& at);

}  // namespace yoke::simulator

#endif
