// SPDX-License-Identifier: MIT
// Algorithms over arrays: sorting and selecting; opt-in, because most programs have none.
#ifndef YOKE_ALGORITHM_HPP
#define YOKE_ALGORITHM_HPP

#include <yoke/algorithm/select.hpp>
#include <yoke/algorithm/sort.hpp>

#endif
