// SPDX-License-Identifier: MIT
// Algorithms over arrays: sorting, selecting and lists; opt-in, because most programs have none.
#ifndef YOKE_ALGORITHM_HPP
#define YOKE_ALGORITHM_HPP

#include <yoke/algorithm/group_by_key.hpp>
#include <yoke/algorithm/list_builder.hpp>
#include <yoke/algorithm/select.hpp>
#include <yoke/algorithm/sort.hpp>

#endif
