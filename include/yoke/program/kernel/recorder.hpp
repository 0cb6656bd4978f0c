// SPDX-License-Identifier: MIT
// The interface between kernels and graph recorders, which take a stream's place and record launches as nodes.
#ifndef YOKE_PROGRAM_KERNEL_RECORDER_HPP
#define YOKE_PROGRAM_KERNEL_RECORDER_HPP

#include <yoke/core/config.hpp>

#include <cstddef>

namespace yoke::inline v0_1::detail {

/// Whether a type is a recorder. The graph floor specialises it.
template <class Given>
inline constexpr bool is_a_recorder = false;

/// A recorder as the first argument of a launch, with the caller's location, and the arguments that it records. The
/// graph floor defines both; `record_order::launch` returns the node.
template <class Port>
class record_order;
template <std::size_t Index, class P, class Port>
class recorded_argument;

template <class...>
inline constexpr bool begins_with_recorder = false;
template <class First, class... More>
inline constexpr bool begins_with_recorder<First, More...> = is_a_recorder<First>;
template <class Port, class... More>
inline constexpr bool begins_with_recorder<record_order<Port>, More...> = true;

}  // namespace yoke::inline v0_1::detail

#endif
