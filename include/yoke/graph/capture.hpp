// SPDX-License-Identifier: MIT
// Captures what other code enqueues in a stream, such as a library's calls, as a graph.
#ifndef YOKE_GRAPH_CAPTURE_HPP
#define YOKE_GRAPH_CAPTURE_HPP

#include <yoke/graph/graph.hpp>

#include <concepts>

namespace yoke::inline v0_1 {

/// Calls `function()` while the stream records what this thread enqueues there, and runs nothing of it. Record what yoke itself
/// enqueues with a `graph_recorder` instead: the driver keeps nothing alive that was captured.
///
/// Requires: memory, modules and host functions that the commands use live as long as the graph's executables: see `graph::keep`.
/// Returns: a graph of the commands, to be launched, or added to another one.
/// Throws: what the function throws; `unsupported_error` from inside the function, or `logic_error` at its end, where it waits for
/// the stream, asks it, or otherwise does what no graph can; `error`. The capture has then ended, and the stream works as before.
/// Thread safety: as the stream; other threads do not use it meanwhile.
/// Wraps `cuStreamBeginCapture` for this thread alone, `cuStreamEndCapture`.
/// Example: `auto part = yoke::capture(stream, [&] { library_call(stream.native_handle()); }); record.add(part);`
template <capture_port Port, std::invocable Function>
[[nodiscard]] graph<Port> capture(const stream<Port>& stream, Function&& function,
                                  const source_location& where = source_location::current()) {
  if (!stream) detail::throw_empty_handle("stream", where);
  const context<Port>& in = stream.context_of();
  const Port& port = in.port(where);
  const auto native = stream.native_handle();
  graph<Port> made = graph<Port>::unmade(in, in.index_of(stream.device_of(where).native_handle(), where), where);
  port.begin_capture(native, where);
  try {
    static_cast<void>(std::forward<Function>(function)());
  } catch (...) {
    port.abandon_capture(native);
    throw;
  }
  made.state(where)->native = port.end_capture(native, where);
  return made;
}

}  // namespace yoke::inline v0_1

#endif
