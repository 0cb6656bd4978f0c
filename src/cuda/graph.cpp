// SPDX-License-Identifier: MIT
// The library's part for CUDA's graphs.
#include <yoke/driver/cuda/impl/graph.ipp>
#include <yoke/driver/cuda/impl/graph_capture.ipp>
#include <yoke/driver/cuda/impl/graph_conditions.ipp>
#include <yoke/driver/cuda/impl/graph_images.ipp>
