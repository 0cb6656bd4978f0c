// SPDX-License-Identifier: MIT
// Bodies of nccl/clique.hpp.
#ifndef YOKE_NCCL_CLIQUE_IPP
#define YOKE_NCCL_CLIQUE_IPP

#include <yoke/nccl/clique.hpp>

#include <yoke/core/text.hpp>

namespace yoke::inline v0_1::nccl::detail {

void throw_members(const char* what, std::size_t given, std::size_t members, const source_location& where) {
  yoke::detail::throw_error(errc::size_mismatch, where, "the clique has ", members, " ranks, and the call ", given, " ",
                            what);
}
void throw_counts(verb which, std::size_t first, std::size_t member, std::size_t count, const source_location& where) {
  yoke::detail::throw_error(errc::mismatched_ranks, where, name_of(which), ": the range of rank 0 has ", first,
                            " numbers, that of rank ", member, " ", count);
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif
