// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/graph/graph_capture.hpp.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_CAPTURE_IPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_CAPTURE_IPP

#include <yoke/driver/cuda/graph/graph_capture.hpp>

#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

void graph_capture_functions::begin_capture(abi::stream stream, const source_location& where) const {
  detail::invoke<&abi::functions::stream_begin_capture>(table(), where, stream, abi::capture_mode::thread_local_);
}
abi::graph graph_capture_functions::end_capture(abi::stream stream, const source_location& where) const {
  abi::graph graph = nullptr;
  detail::invoke<&abi::functions::stream_end_capture>(table(), where, stream, &graph);
  return graph;
}
void graph_capture_functions::abandon_capture(abi::stream stream) const noexcept {
  abi::graph graph = nullptr;
  // An invalid capture ends with an error, which is expected here.
  if (detail::call<&abi::functions::stream_end_capture>(table(), stream, &graph) == abi::success && graph != nullptr) {
    detail::report(detail::release<&abi::functions::graph_destroy>(table(), graph));
  }
}

}  // namespace yoke::inline v0_1::cuda

#endif
