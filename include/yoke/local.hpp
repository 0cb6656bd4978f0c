// SPDX-License-Identifier: MIT
// Ranks that are threads of one process, on any backend and several devices; opt-in.
#ifndef YOKE_LOCAL_HPP
#define YOKE_LOCAL_HPP

#include <yoke/distributed.hpp>
#include <yoke/local/run_ranks.hpp>
#include <yoke/local/team.hpp>

#endif
