// SPDX-License-Identifier: MIT
// The engine's side of what a compiled kernel calls.
#ifndef YOKE_SIMULATOR_ENGINE_SERVICES_HPP
#define YOKE_SIMULATOR_ENGINE_SERVICES_HPP

#include "../prelude/services.hpp"

namespace yoke::simulator {

extern const yoke_simulator::services engine_services;

// Arithmetic in the four rounding directions.
float rounded_float(yoke_simulator::operation what, yoke_simulator::rounding how, float a, float b, float c);
double rounded_double(yoke_simulator::operation what, yoke_simulator::rounding how, double a, double b, double c);
float narrowed(yoke_simulator::rounding how, double value);
float float_from_signed(yoke_simulator::rounding how, long long value);
float float_from_unsigned(yoke_simulator::rounding how, unsigned long long value);
double double_from_signed(yoke_simulator::rounding how, long long value);
double double_from_unsigned(yoke_simulator::rounding how, unsigned long long value);

/// The functions of CUDA's mathematics that the C library lacks.
double special_function(yoke_simulator::function which, double value);

}  // namespace yoke::simulator

#endif
