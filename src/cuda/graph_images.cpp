// SPDX-License-Identifier: MIT
// The library's part for images in CUDA's graphs.
#include <yoke/driver/cuda/graph/graph_images.ipp>
