// SPDX-License-Identifier: MIT
// Bodies of nccl/clique_halo.hpp: the messages.
#ifndef YOKE_NCCL_CLIQUE_HALO_IPP
#define YOKE_NCCL_CLIQUE_HALO_IPP

#include <yoke/nccl/clique_halo.hpp>

#include <yoke/core/text.hpp>

namespace yoke::inline v0_1::nccl::detail {

void check_halo_context(const char* what, bool is_own, std::size_t rank, const source_location& where) {
  if (is_own) return;
  yoke::detail::throw_error(errc::wrong_context, where, "a halo exchange over a clique: the ", what, " of rank ", rank,
                            " is of another context than that rank");
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif
