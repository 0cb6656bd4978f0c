// SPDX-License-Identifier: MIT
// Captures the commands that other code enqueues in a stream, such as a library's calls, as a graph.
#ifndef YOKE_GRAPH_CAPTURE_HPP
#define YOKE_GRAPH_CAPTURE_HPP

#include <yoke/graph/graph.hpp>

#include <concepts>

namespace yoke::inline v0_1 {

/// Calls `function()` while the stream records the commands that this thread enqueues there, instead of running them.
/// For yoke's own commands use a `graph_recorder` instead: a capture keeps nothing alive that its commands use.
///
/// Requires: memory, modules and host functions that the commands use live as long as the graph's executables (see
/// `graph::keep`); other threads do not use the stream meanwhile.
/// Returns: a graph of the commands, to launch or to add to another graph.
/// Throws: as the function. If the function waits for the stream, queries it or does anything else that graphs cannot
/// record: `unsupported_error` from inside the function or `logic_error` at its end; `error`. The capture has then
/// ended, and the stream works as before.
/// Thread safety: as the stream.
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
