// SPDX-License-Identifier: MIT
// The CUDA port's captures of other code's commands as graphs.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_CAPTURE_HPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_CAPTURE_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class graph_capture_functions : public facet<graph_capture_functions> {
 public:
  /// Begins to capture what this thread enqueues in the stream.
  YOKE_API void begin_capture(abi::stream stream, const source_location& where) const;
  /// Returns: the captured commands. Throws: an error if they do not form a graph; the capture has then ended, too.
  YOKE_API abi::graph end_capture(abi::stream stream, const source_location& where) const;
  /// Effects: ends a capture, and releases the captured commands.
  YOKE_API void abandon_capture(abi::stream stream) const noexcept;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/graph/graph_capture.ipp>
#endif

#endif
