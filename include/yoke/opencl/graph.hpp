// SPDX-License-Identifier: MIT
// Graphs under OpenCL's own names.
#ifndef YOKE_OPENCL_GRAPH_HPP
#define YOKE_OPENCL_GRAPH_HPP

#include <yoke/graph/condition_node.hpp>
#include <yoke/graph/fill_node.hpp>
#include <yoke/graph/graph.hpp>
#include <yoke/graph/kernel_node.hpp>
#include <yoke/opencl/names.hpp>

namespace yoke::inline v0_1::opencl {

using graph = yoke::graph<port>;
using graph_recorder = yoke::graph_recorder<port>;
using graph_node = yoke::graph_node<port>;
using graph_executable = yoke::graph_executable<port>;
template <class Signature>
using kernel_node = yoke::kernel_node<Signature, port>;

}  // namespace yoke::inline v0_1::opencl

#endif
