// SPDX-License-Identifier: MIT
// Copies and fills: checked when they are enqueued, run in the stream's order.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_COPY_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_COPY_HPP

#include <cstddef>
#include <cstdint>
#include <memory>

#include "machine/stream/stream.hpp"
#include "machine/work/copy_plan.hpp"

namespace yoke::simulator {

/// When the call returns; `like_the_driver` follows the documentation.
enum class copy_return { when_done, like_the_driver, at_once };

/// Effects: checks both sides, then copies in the stream's order. Memory that is not page-locked has been read, or
/// written, when this returns. Throws: refusal.
void copy(driver_lock& lock, stream& on, const copy_plan& plan, copy_return how);

/// Throws: refusal, unless both sides can be copied now.
void check_copy(const copy_plan& plan);
/// Effects: moves the bytes.
void run_copy(const copy_plan& plan);
/// Effects: notes the copy as a user of the memory on both sides. Throws: refusal for a violation of the stream order.
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

/// Returns: whether there is anything to fill. Throws: refusal if the range cannot be filled now.
bool has_to_fill(const fill_plan& plan);
/// As `check_copy`, for a fill.
void check_fill(const fill_plan& plan);
void run_fill(const fill_plan& plan);
void note_fill(const fill_plan& plan, const ticket& at);

}  // namespace yoke::simulator

#endif
