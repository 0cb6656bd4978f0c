// SPDX-License-Identifier: MIT
// Operations of streams on words of memory: checked when they are asked for, done when the stream comes to them.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_MEM_OP_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_MEM_OP_HPP

#include <vector>

#include "machine/base/call.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

using mem_op_plan = std::vector<abi::mem_op_params>;

/// Returns: the driver's operations. Throws: refusal for what no device has, and for a word that is not in its memory.
mem_op_plan plan_of(const abi::mem_op_params* operations, unsigned count);
/// Throws: refusal, unless all words are in memory now.
void check_mem_ops(const mem_op_plan& plan);
/// Whether any of them is a wait.
bool has_wait(const mem_op_plan& plan);
/// Effects: does them in turn; leaves a wait when the context has an error, or the process ends.
void run_mem_ops(const mem_op_plan& plan, const context& in);
/// Effects: enters the words' memory among what the command uses. Throws: refusal, if that is not in order.
void note_mem_ops(const mem_op_plan& plan, const ticket& at);

}  // namespace yoke::simulator

#endif
