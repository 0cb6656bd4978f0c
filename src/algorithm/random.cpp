// SPDX-License-Identifier: MIT
// The compiled part of random numbers.
#include <yoke/algorithm/random_source.ipp>
#include <yoke/algorithm/random_steps.ipp>
