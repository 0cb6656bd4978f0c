// SPDX-License-Identifier: MIT
// Bodies of local/team_run.hpp: the words of exceptions, and the functions for any port, once in the library.
#ifndef YOKE_LOCAL_TEAM_RUN_IPP
#define YOKE_LOCAL_TEAM_RUN_IPP

#include <yoke/local/team_run.hpp>

namespace yoke::inline v0_1::detail {

template YOKE_API void run_local_move(const local_rank&, local_move, const rank_call&, const stream<any_port>&,
                                      const message_range<any_port>&, const message_range<any_port>&);
template YOKE_API void run_local_reduction(const local_rank&, local_reduction, const rank_call&, value_kind,
                                           const stream<any_port>&, const message_range<any_port>&,
                                           const message_range<any_port>&);
template YOKE_API void run_local_barrier(const local_rank&, const rank_call&, const stream<any_port>&);
template class local_exchange<any_port>;

}  // namespace yoke::inline v0_1::detail

#endif
