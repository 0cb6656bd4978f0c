// SPDX-License-Identifier: MIT
// Graphs, commands recorded once and launched many times; opt-in, because most programs have none.
#ifndef YOKE_GRAPH_HPP
#define YOKE_GRAPH_HPP

#include <yoke/graph/copy_node.hpp>
#include <yoke/graph/fill_node.hpp>
#include <yoke/graph/graph.hpp>
#include <yoke/graph/kernel_node.hpp>

#endif
