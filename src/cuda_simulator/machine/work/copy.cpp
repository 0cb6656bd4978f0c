// SPDX-License-Identifier: MIT
// Checks ranges, stages pageable memory, moves bytes.
#include "machine/work/copy.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "machine/base/call.hpp"
#include "machine/base/state.hpp"
#include "machine/memory/memory.hpp"
#include "machine/memory/virtual_memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/submission.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator {

namespace {

/// Returns: the bytes from the first to the last one that the box covers. Throws: refusal on overflow.
std::size_t span_of(const copy_side& side, const copy_box& box) {
  std::size_t rows = 0, layers = 0, span = 0;
  const bool fits = !__builtin_mul_overflow(box.height - 1, side.pitch, &rows) &&
                    !__builtin_mul_overflow(box.depth - 1, side.slice, &layers) &&
                    !__builtin_add_overflow(rows, layers, &span) && !__builtin_add_overflow(span, box.width, &span);
  require(fits);
  return span;
}

/// Throws: refusal. As on a GPU, a thread without a current context cannot copy across two pieces of mapped memory.
void require_copyable(std::uintptr_t address, std::size_t bytes) {
  const memory_block& block = state<memory_table>().require_range(address, bytes);
  require(bytes <= block.end() - address || top_context() != nullptr);
}

/// Returns: whether the call itself must finish with the side's memory.
bool check_side(const copy_side& side, const copy_box& box) {
  if (side.array != nullptr) return false;  // its box was checked
  require(side.address != 0);
  require(box.height == 1 || side.pitch >= box.width);
  const std::size_t span = span_of(side, box);
  memory_table& memory = state<memory_table>();
  const memory_block* const block = memory.find(side.address);
  if (side.type == abi::memory_type::device) {
    require_copyable(side.address, span);
    return false;
  }
  if (block == nullptr) {
    // With unified addressing an address outside allocations is the program's own memory.
    require(!memory.overlaps(side.address, span) && !state<virtual_state>().is_reserved(side.address));
    return true;
  }
  require(side.type != abi::memory_type::host || !block->is_device() || block->managed != nullptr);
  require_copyable(side.address, span);
  return false;
}

void move_rows(const copy_plan& plan) {
  for (std::size_t layer = 0; layer < plan.box.depth; ++layer) {
    for (std::size_t row = 0; row < plan.box.height; ++row) {
      const std::uintptr_t from = plan.from.address + layer * plan.from.slice + row * plan.from.pitch;
      const std::uintptr_t to = plan.to.address + layer * plan.to.slice + row * plan.to.pitch;
      std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), plan.box.width);
    }
  }
}

void finish(driver_lock& lock, context& in, const ticket& last) {
  wait_for(lock, last);
  check_work(in);
}

/// Effects: notes the command as a user of the memory. Throws: refusal for a violation of the stream order.
void note_use(const copy_side& side, const ticket& at, const char* what) {
  memory_block* const block = state<memory_table>().find(side.address);
  if (block == nullptr || !block->is_own()) return;
  const std::string wrong = memory_table::note_use(*block, at, what);
  if (wrong.empty()) return;
  break_context(at.on->owner, abi::error_illegal_address, wrong);
  refuse(abi::error_illegal_address);
}

// The source has been read when the call returns, although the stream may reach the copy later.
ticket copy_staged(stream& on, const copy_plan& plan) {
  const auto* const bytes = reinterpret_cast<const char*>(plan.from.address);
  const auto staged = std::make_shared<std::string>(bytes, plan.box.width);
  return submit(
      on, [staged, to = plan.to.address] { std::memcpy(reinterpret_cast<void*>(to), staged->data(), staged->size()); });
}

}  // namespace

void check_copy(const copy_plan& plan) {
  (void)check_side(plan.from, plan.box);
  (void)check_side(plan.to, plan.box);
}
void run_copy(const copy_plan& plan) { move_rows(plan); }
void note_copy(const copy_plan& plan, const ticket& at) {
  note_use(plan.from, at, "a copy");
  note_use(plan.to, at, "a copy");
}

void copy(driver_lock& lock, stream& on, const copy_plan& plan, copy_return how) {
  if (plan.box.is_empty()) return;
  const bool reads_pageable = check_side(plan.from, plan.box);
  const bool writes_pageable = check_side(plan.to, plan.box);
  const bool is_linear = plan.box.height == 1 && plan.box.depth == 1;
  if (how == copy_return::at_once && reads_pageable && !writes_pageable && is_linear) {
    note_use(plan.to, copy_staged(on, plan), "a copy");
    return;
  }
  const ticket done = submit(on, [plan] { move_rows(plan); });
  note_copy(plan, done);
  const auto is_device = [](const copy_side& side) {
    const memory_block* const block = state<memory_table>().find(side.address);
    return block != nullptr && block->is_device();
  };
  // A synchronous copy within device memory does not wait for itself, as documented.
  const bool leaves_early = how == copy_return::at_once ||
                            (how == copy_return::like_the_driver && is_device(plan.from) && is_device(plan.to));
  if (leaves_early && !reads_pageable && !writes_pageable) return;
  finish(lock, on.owner, done);
}

namespace {

template <class Element>
void fill_row(std::uintptr_t to, unsigned value, std::size_t count) {
  auto* const first = reinterpret_cast<Element*>(to);
  for (std::size_t each = 0; each < count; ++each) first[each] = static_cast<Element>(value);
}

void fill_rows(const fill_plan& plan) {
  for (std::size_t row = 0; row < plan.height; ++row) {
    const std::uintptr_t to = plan.to + row * plan.pitch;
    if (plan.element_bytes == 1) fill_row<unsigned char>(to, plan.value, plan.width);
    if (plan.element_bytes == 2) fill_row<unsigned short>(to, plan.value, plan.width);
    if (plan.element_bytes == 4) fill_row<unsigned>(to, plan.value, plan.width);
  }
}

}  // namespace

bool has_to_fill(const fill_plan& plan) {
  copy_box box{0, plan.height, 1};
  require(!__builtin_mul_overflow(plan.width, std::size_t{plan.element_bytes}, &box.width));
  if (box.is_empty()) return false;
  require(plan.to % plan.element_bytes == 0 && (plan.height == 1 || plan.pitch % plan.element_bytes == 0));
  require(plan.to != 0 && (plan.height == 1 || plan.pitch >= box.width));
  state<memory_table>().require_range(plan.to, span_of({abi::memory_type::device, plan.to, plan.pitch, 0, {}}, box));
  return true;
}

void check_fill(const fill_plan& plan) { require(has_to_fill(plan)); }
void run_fill(const fill_plan& plan) { fill_rows(plan); }
void note_fill(const fill_plan& plan, const ticket& at) {
  note_use({abi::memory_type::device, plan.to, 0, 0, {}}, at, "a fill");
}

void fill(driver_lock& lock, stream& on, const fill_plan& plan, copy_return how) {
  if (!has_to_fill(plan)) return;
  const bool is_device = state<memory_table>().require_block(plan.to).is_device();
  const ticket done = submit(on, [plan] { fill_rows(plan); });
  note_fill(plan, done);
  // A synchronous fill of device memory does not wait for itself; one of page-locked memory does.
  if (how == copy_return::like_the_driver && !is_device) finish(lock, on.owner, done);
}

}  // namespace yoke::simulator
