// SPDX-License-Identifier: MIT
// Random numbers on the device; opt-in, because most programs do not use them.
#ifndef YOKE_RANDOM_HPP
#define YOKE_RANDOM_HPP

#include <yoke/algorithm/random_generator.hpp>

#endif
