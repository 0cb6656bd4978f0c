// SPDX-License-Identifier: MIT
// Entries that make streams wait for words of memory, and write them.
#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/graph/capture.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/mem_op.hpp"
#include "machine/work/submission.hpp"

namespace yoke::simulator::entries {

abi::status stream_batch_mem_op(abi::stream on, abi::uint count, abi::mem_op_params* operations, abi::uint flags) {
  return stream_entry(on, [&] {
    stream& which = recording_stream_of(on);
    require(flags == 0);
    const mem_op_plan plan = plan_of(operations, count);
    if (which.capturing != nullptr) return capture_mem_ops(which, plan);
    // A word may signal any work of other streams.
    if (has_wait(plan)) join_all_streams(which);
    note_mem_ops(plan, submit(which, [plan, &in = which.owner] { run_mem_ops(plan, in); }));
  });
}

}  // namespace yoke::simulator::entries
