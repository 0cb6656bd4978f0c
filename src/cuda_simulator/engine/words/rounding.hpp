// SPDX-License-Identifier: MIT
// Arithmetic and conversions in the four rounding directions.
#ifndef YOKE_SIMULATOR_ENGINE_WORDS_ROUNDING_HPP
#define YOKE_SIMULATOR_ENGINE_WORDS_ROUNDING_HPP

#include "prelude/services.hpp"

namespace yoke::simulator {

float rounded_float(yoke_simulator::operation what, yoke_simulator::rounding how, float a, float b, float c);
double rounded_double(yoke_simulator::operation what, yoke_simulator::rounding how, double a, double b, double c);
float narrowed(yoke_simulator::rounding how, double value);
float float_from_signed(yoke_simulator::rounding how, long long value);
float float_from_unsigned(yoke_simulator::rounding how, unsigned long long value);
double double_from_signed(yoke_simulator::rounding how, long long value);
double double_from_unsigned(yoke_simulator::rounding how, unsigned long long value);

}  // namespace yoke::simulator

#endif
