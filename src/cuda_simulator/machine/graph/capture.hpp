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
  std::uint64_t number = 0;  // which no other capture has
};

void begin_capture(stream& on, abi::capture_mode mode);
/// Effects: ends the capture, also when this throws, except for another thread or stream. Returns: its graph.
/// Throws: refusal.
std::shared_ptr<graph_object> end_capture(stream& on);

// Effects: what the stream would run becomes a node behind those that it has captured.
void capture_launch(stream& on, std::shared_ptr<queued_launch> one);
void capture_copy(stream& on, const copy_plan& plan);
void capture_fill(stream& on, const fill_plan& plan);
void capture_mem_ops(stream& on, const mem_op_plan& plan);
void capture_host_function(stream& on, abi::host_function function, void* data);
void capture_graph(stream& on, const executable_object& what);
/// Effects: lets the stream wait for the event within the capture, which it joins if need be. Throws: refusal.
void capture_wait(stream& on, event& what);

/// Effects: copies in the stream's order, as `copy` does, or adds the copy to what the stream captures. Throws:
/// refusal.
void copy_or_capture(driver_lock& lock, stream& on, const copy_plan& plan, copy_return how);
/// Effects: the same of a fill.
void fill_or_capture(driver_lock& lock, stream& on, const fill_plan& plan, copy_return how);

/// Returns: the stream that the handle stands for, as known_stream_of. Throws: refusal, also when the stream is
/// captured, which that invalidates.
stream& stream_of(abi::stream handle);
/// Returns: the same, also of a stream that is captured. Throws: refusal, also when the capture is invalid.
stream& recording_stream_of(abi::stream handle);

/// Effects: invalidates the capture. Throws: refusal, always.
[[noreturn]] void refuse_in_capture(capture& which, abi::status why);
/// Throws: refusal if the legacy stream would wait for a stream that is captured, which that invalidates.
void refuse_implicit_wait(context& in);

}  // namespace yoke::simulator

#endif
