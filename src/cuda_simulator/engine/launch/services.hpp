// SPDX-License-Identifier: MIT
// The table of functions that compiled kernels call in the engine.
#ifndef YOKE_SIMULATOR_ENGINE_LAUNCH_SERVICES_HPP
#define YOKE_SIMULATOR_ENGINE_LAUNCH_SERVICES_HPP

#include "prelude/services.hpp"

namespace yoke::simulator {

extern const yoke_simulator::services engine_services;

}  // namespace yoke::simulator

#endif
