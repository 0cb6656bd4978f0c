// SPDX-License-Identifier: MIT
// Operations of streams on words of memory: checked when they are enqueued, run in the stream's order.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_MEM_OP_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_MEM_OP_HPP

#include <vector>

#include "machine/base/call.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

using mem_op_plan = std::vector<abi::mem_op_params>;

/// Returns: the operations. Throws: refusal for operations that no device supports, and for a word outside the device's
/// memory.
mem_op_plan plan_of(const abi::mem_op_params* operations, unsigned count);
/// Throws: refusal, unless all words are in memory now.
void check_mem_ops(const mem_op_plan& plan);
/// Whether any of them is a wait.
bool has_wait(const mem_op_plan& plan);
/// Effects: runs the operations in order; leaves a wait when the context has an error, or the process ends.
void run_mem_ops(const mem_op_plan& plan, const context& in);
/// Effects: notes the command as a user of the words' memory. Throws: refusal for a violation of the stream order.
void note_mem_ops(const mem_op_plan& plan, const ticket& at);

}  // namespace yoke::simulator

#endif
