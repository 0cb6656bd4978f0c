// SPDX-License-Identifier: MIT
// Algorithms over arrays: sorting, selecting, lists, indices and counts; opt-in, because most programs do not use them.
#ifndef YOKE_ALGORITHM_HPP
#define YOKE_ALGORITHM_HPP

#include <yoke/algorithm/argsort_by.hpp>
#include <yoke/algorithm/concatenate.hpp>
#include <yoke/algorithm/count.hpp>
#include <yoke/algorithm/group_by_key.hpp>
#include <yoke/algorithm/list_builder.hpp>
#include <yoke/algorithm/multi_take.hpp>
#include <yoke/algorithm/reduce_lists.hpp>
#include <yoke/algorithm/search.hpp>
#include <yoke/algorithm/select.hpp>
#include <yoke/algorithm/softmax.hpp>
#include <yoke/algorithm/sort.hpp>
#include <yoke/algorithm/take.hpp>
#include <yoke/algorithm/top_k.hpp>

#endif
