// SPDX-License-Identifier: MIT
// The functions of CUDA's mathematics that the C library lacks.
#ifndef YOKE_SIMULATOR_ENGINE_WORDS_SPECIAL_FUNCTIONS_HPP
#define YOKE_SIMULATOR_ENGINE_WORDS_SPECIAL_FUNCTIONS_HPP

#include "prelude/services.hpp"

namespace yoke::simulator {

/// Returns: that function of the value.
double special_function(yoke_simulator::function which, double value);

}  // namespace yoke::simulator

#endif
