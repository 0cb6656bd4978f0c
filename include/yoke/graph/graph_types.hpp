// SPDX-License-Identifier: MIT
// Forward declarations of a graph's types.
#ifndef YOKE_GRAPH_GRAPH_TYPES_HPP
#define YOKE_GRAPH_GRAPH_TYPES_HPP

#include <yoke/program/kernel/recorder.hpp>

namespace yoke::inline v0_1 {

template <class Port>
class graph_recorder;
template <class Port>
class graph_node;
template <class Signature, class Port>
class kernel_node;

namespace detail {
template <class Port>
inline constexpr bool is_a_recorder<graph_recorder<Port>> = true;
}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
