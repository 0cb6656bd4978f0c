// SPDX-License-Identifier: MIT
// Bodies of nccl/rank_work.hpp.
#ifndef YOKE_NCCL_RANK_WORK_IPP
#define YOKE_NCCL_RANK_WORK_IPP

#include <yoke/nccl/rank_work.hpp>

#include <yoke/core/text.hpp>
#include <yoke/distributed/peer_paths.hpp>

#include <utility>

namespace yoke::inline v0_1::nccl::detail {

rank_place place_of(const context<cuda::port>& in, int rank, const source_location& where) {
  yoke::detail::peer_place at = yoke::detail::peer_place_of(in, where);
  return {at.driver, at.context, rank, std::move(at.keeper)};
}
rank_place place_of(const context<any_port>& in, int rank, const source_location& where) {
  yoke::detail::peer_place at = yoke::detail::peer_place_of(in, where);
  if (at.driver == nullptr) {
    yoke::detail::throw_error(errc::unsupported, where, "NCCL is for CUDA contexts, and this one is of ",
                              in.state(where).port.backend_name());
  }
  return {at.driver, at.context, rank, std::move(at.keeper)};
}

void throw_foreign_stream(const source_location& where) {
  yoke::detail::throw_error(errc::wrong_context, where, "the stream is of another context than the communicator");
}
void throw_sizes(verb which, const char* from_name, std::size_t from, const char* into_name, std::size_t into,
                 std::size_t times, const source_location& where) {
  if (times == 0) {
    yoke::detail::throw_error(errc::size_mismatch, where, name_of(which), ": the ", from_name, " has ", from,
                              " elements, which ", into, " ranks cannot share evenly");
  }
  if (times == 1) {
    yoke::detail::throw_error(errc::size_mismatch, where, name_of(which), ": the ", from_name, " has ", from,
                              " elements, the ", into_name, " ", into);
  }
  yoke::detail::throw_error(errc::size_mismatch, where, name_of(which), ": the ", from_name, " has ", from,
                            " elements, so that the ", into_name, " of ", times, " ranks needs ", from * times,
                            ", and it has ", into);
}
void throw_overlap(verb which, const source_location& where) {
  yoke::detail::throw_error(errc::invalid_argument, where, name_of(which),
                            ": the source and the destination overlap, and not as an operation in place has them");
}
void check_rank(verb which, const char* what, int rank, int size, const source_location& where) {
  if (rank >= 0 && rank < size) return;
  yoke::detail::throw_error(errc::out_of_range, where, name_of(which), ": ", what, " is rank ", rank,
                            ", and the communicator has ", size, size == 1 ? " rank" : " ranks");
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif
