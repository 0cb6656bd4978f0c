// SPDX-License-Identifier: MIT
// Graphs, commands recorded once and launched many times; opt-in, because most programs do not use them.
#ifndef YOKE_GRAPH_HPP
#define YOKE_GRAPH_HPP

#include <yoke/cuda/graph.hpp>
#include <yoke/graph/capture.hpp>
#include <yoke/graph/condition_node.hpp>
#include <yoke/graph/copy_node.hpp>
#include <yoke/graph/fill_node.hpp>
#include <yoke/graph/graph.hpp>
#include <yoke/graph/kernel_node.hpp>
#include <yoke/opencl/graph.hpp>

#endif
