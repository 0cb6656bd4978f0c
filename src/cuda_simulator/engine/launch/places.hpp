// SPDX-License-Identifier: MIT
// The places where threads wait: compares them, and names them in messages.
#ifndef YOKE_SIMULATOR_ENGINE_LAUNCH_PLACES_HPP
#define YOKE_SIMULATOR_ENGINE_LAUNCH_PLACES_HPP

#include <string>

#include "engine/launch/launch.hpp"

namespace yoke::simulator {

/// Returns: the name of a meeting in messages.
const char* name_of(yoke_simulator::meeting kind);

std::string text_of(const extent3& value);
std::string hexadecimal(unsigned value);

bool same_line(const yoke_simulator::place& a, const yoke_simulator::place& b);
bool same_place(const yoke_simulator::place& a, const yoke_simulator::place& b);

/// Returns: "__syncthreads at file(12)", with the column if that is what tells it apart.
std::string named(yoke_simulator::meeting kind, const yoke_simulator::place& where, bool with_column = false);

}  // namespace yoke::simulator

#endif
