// SPDX-License-Identifier: MIT
// Waits for words of memory, and writes them.
#include "machine/work/mem_op.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "machine/base/state.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/copy.hpp"

namespace yoke::simulator {

namespace {

enum : unsigned { at_least = 0, equal = 1, any_bit = 2, nor = 3 };

using enum abi::mem_op_type;

bool is_wait(const abi::mem_op_params& of) { return of.type == wait_value_32 || of.type == wait_value_64; }
bool has_word(const abi::mem_op_params& of) { return of.type != barrier; }
bool is_wide(const abi::mem_op_params& of) { return of.type == wait_value_64 || of.type == write_value_64; }
std::size_t width_of(const abi::mem_op_params& of) { return is_wide(of) ? 8 : 4; }

template <class Word>
bool passes(Word word, Word value, unsigned test) {
  switch (test) {
    case at_least: return static_cast<std::make_signed_t<Word>>(word - value) >= 0;
    case equal: return word == value;
    case any_bit: return (word & value) != 0;
    default: return static_cast<Word>(~(word | value)) != 0;
  }
}

/// Returns: false if the stream stops here.
template <class Word>
bool run_one(const abi::mem_op_params& what, const context& in) {
  const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(what.address));
  const auto value = static_cast<Word>(what.value);
  if (!is_wait(what)) {
    word.store(value);
    return true;
  }
  // A device polls constantly; this polls rarely, because the awaited work may need the processor.
  while (!passes(word.load(), value, what.flags)) {
    if (is_over(in)) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

}  // namespace

mem_op_plan plan_of(const abi::mem_op_params* operations, unsigned count) {
  require(operations != nullptr && count != 0 && count < abi::mem_op_limit);
  mem_op_plan plan(operations, operations + count);
  for (const abi::mem_op_params& each : plan) {
    require(each.type != flush_remote_writes, abi::error_not_supported);
    require(each.type >= wait_value_32 && each.type <= barrier);
    if (has_word(each)) {
      require((each.flags & ~(is_wait(each) ? 3U : 0U)) == 0);
    } else {
      require(each.barrier_type <= 1);
    }
  }
  check_mem_ops(plan);
  return plan;
}

void check_mem_ops(const mem_op_plan& plan) {
  for (const abi::mem_op_params& each : plan) {
    if (!has_word(each)) continue;
    require(each.address != 0 && each.address % width_of(each) == 0);
    const memory_block& block = state<memory_table>().require_range(each.address, width_of(each));
    require(block.managed == nullptr && block.order == nullptr);
  }
}

bool has_wait(const mem_op_plan& plan) { return std::any_of(plan.begin(), plan.end(), is_wait); }

void run_mem_ops(const mem_op_plan& plan, const context& in) {
  for (const abi::mem_op_params& each : plan) {
    if (!has_word(each)) {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    } else if (!(is_wide(each) ? run_one<std::uint64_t>(each, in) : run_one<std::uint32_t>(each, in))) {
      return;
    }
  }
}

void note_mem_ops(const mem_op_plan& plan, const ticket& at) {
  for (const abi::mem_op_params& each : plan) {
    if (has_word(each)) note_fill({each.address, 0, 0, 1, width_of(each), 1}, at);
  }
}

}  // namespace yoke::simulator
