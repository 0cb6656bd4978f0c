// SPDX-License-Identifier: MIT
// The library's part for CUDA's graphs.
#include <yoke/driver/cuda/graph/graph.ipp>
#include <yoke/driver/cuda/graph/graph_capture.ipp>
#include <yoke/driver/cuda/graph/graph_nodes.ipp>
