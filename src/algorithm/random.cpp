// SPDX-License-Identifier: MIT
// The compiled part of random numbers.
#include <yoke/algorithm/random_kernel.ipp>
#include <yoke/algorithm/random_source.ipp>
