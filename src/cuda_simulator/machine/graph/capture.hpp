// SPDX-License-Identifier: MIT
// Captures: commands of a stream become nodes of a graph instead of running.
#ifndef YOKE_SIMULATOR_MACHINE_GRAPH_CAPTURE_HPP
#define YOKE_SIMULATOR_MACHINE_GRAPH_CAPTURE_HPP

#include <cstdint>
#include <memory>
#include <thread>

#include "machine/graph/graphs.hpp"

namespace yoke::simulator {

/// Thread safety: the driver's lock.
struct capture {
  stream* origin = nullptr;
  abi::capture_mode mode = abi::capture_mode::global;
  std::thread::id thread{};
  std::shared_ptr<graph_object> graph{};
  bool invalid = false;
  std::uint64_t number = 0;  // unique among captures
};

void begin_capture(stream& on, abi::capture_mode mode);
/// Effects: ends the capture, even if this throws, except when called by another thread or for another stream. Returns:
/// its graph.
/// Throws: refusal.
std::shared_ptr<graph_object> end_capture(stream& on);

// Effects: adds the launch as a node after the stream's captured nodes.
void capture_launch(stream& on, std::shared_ptr<queued_launch> one);
void capture_copy(stream& on, const copy_plan& plan);
void capture_fill(stream& on, const fill_plan& plan);
void capture_mem_ops(stream& on, const mem_op_plan& plan);
void capture_host_function(stream& on, abi::host_function function, void* data);
void capture_graph(stream& on, const executable_object& what);
/// Effects: lets the stream wait for the event within the capture, which the stream joins if necessary. Throws:
/// refusal.
void capture_wait(stream& on, event& what);

/// Effects: copies in the stream's order, as `copy` does, or adds the copy to what the stream captures. Throws:
/// refusal.
void copy_or_capture(driver_lock& lock, stream& on, const copy_plan& plan, copy_return how);
/// Effects: as `copy_or_capture`, for a fill.
void fill_or_capture(driver_lock& lock, stream& on, const fill_plan& plan, copy_return how);

/// Returns: the stream of the handle, as known_stream_of. Throws: refusal, also for a captured stream, whose capture
/// becomes invalid.
stream& stream_of(abi::stream handle);
/// Returns: as `stream_of`, also for a captured stream. Throws: refusal, also when the capture is invalid.
stream& recording_stream_of(abi::stream handle);

/// Effects: invalidates the capture. Throws: refusal, always.
[[noreturn]] void refuse_in_capture(capture& which, abi::status why);
/// Throws: refusal if the legacy stream would wait for a captured stream, whose capture becomes invalid.
void refuse_implicit_wait(context& in);

}  // namespace yoke::simulator

#endif
