// SPDX-License-Identifier: MIT
// Bodies of local/team_operation.hpp.
#ifndef YOKE_LOCAL_TEAM_OPERATION_IPP
#define YOKE_LOCAL_TEAM_OPERATION_IPP

#include <yoke/local/team_operation.hpp>

namespace yoke::inline v0_1::detail {

std::string words_of_exception() {
  try {
    throw;
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
    return "an exception of another class";
  }
}
void fail_by_exception(team_state& team, int rank, const char* verb) noexcept {
  try {
    throw;
  } catch (const communication_error&) {  // the team knows
  } catch (...) {
    try {
      team.fail(rank, errc::rank_lost, text("fails in ", verb, ": ", words_of_exception()));
    } catch (const std::bad_alloc&) {
      team.fail(rank, errc::rank_lost, std::string());
    }
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
