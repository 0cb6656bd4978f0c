// SPDX-License-Identifier: MIT
// NCCL's own communicators of one process: how they are made and ended, with deadlines.
#ifndef YOKE_NCCL_NATIVES_HPP
#define YOKE_NCCL_NATIVES_HPP

#include <yoke/driver/nccl/loader.hpp>
#include <yoke/nccl/options.hpp>
#include <yoke/nccl/rank_call.hpp>
#include <yoke/nccl/unique_id.hpp>

#include <chrono>
#include <string>
#include <system_error>
#include <vector>

namespace yoke::inline v0_1::nccl::detail {

/// Throws: `logic_error` for a number of ranks, a rank, a context or an id that does not fit.
void check_places(const unique_id& id, int size, const std::vector<rank_place>& places, const source_location& where);

/// Returns: a communicator for each place. Throws: `unsupported_error` for options that the library lacks;
/// `communication_error` for NCCL's failures, and when the other ranks have not come within the deadline: what is made
/// later is aborted then.
[[nodiscard]] std::vector<abi::communicator> make_communicators(const unique_id& id, int size,
                                                                const std::vector<rank_place>& places,
                                                                const options& with, const loaded_library& library,
                                                                const source_location& where);

/// Effects: destroys communicators, each on a thread of its own. `blocks`: whether their calls do.
/// Returns: the first failure; `errc::timed_out` when they have not ended in time.
std::error_code end_communicators(const abi::functions& table, const std::vector<abi::communicator>& natives,
                                  bool blocks, std::chrono::nanoseconds within) noexcept;

/// Returns: "communicator of 4 ranks".
[[nodiscard]] std::string text_of_ranks(int size);

}  // namespace yoke::inline v0_1::nccl::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/natives.ipp>
#endif

#endif
