// SPDX-License-Identifier: MIT
// The compiled part of random numbers.
#include <yoke/algorithm/impl/random_kernel.ipp>
#include <yoke/algorithm/impl/random_source.ipp>
