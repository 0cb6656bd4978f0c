// SPDX-License-Identifier: MIT
// The device of each rank: by its number among the ranks of its host.
#ifndef YOKE_MPI_CHOOSE_DEVICE_HPP
#define YOKE_MPI_CHOOSE_DEVICE_HPP

#include <yoke/core/environment.hpp>
#include <yoke/execution/select.hpp>
#include <yoke/mpi/communicator.hpp>

#include <string_view>
#include <vector>

namespace yoke::inline v0_1 {

/// Gives each rank of a host a device of its own, in turn, as long as there are enough: of the devices that
/// `specification` or `$YOKE_DEVICE` names, else of those of the best backend and kind. With more ranks than devices,
/// several ranks share one. All ranks call this.
/// Returns: a device for `yoke::context`. Throws: `unsupported_error` without a device; `communication_error`.
/// Example: `yoke::context ctx{yoke::choose_device(world)};`
[[nodiscard]] inline device<any_port> choose_device(const mpi::communicator_base& among,
                                                    std::string_view specification = {},
                                                    const source_location& where = source_location::current()) {
  const int number = among.rank_of_host(where);
  if (specification.empty()) specification = process_environment().device;
  std::vector<device<any_port>> candidates;
  if (!specification.empty()) {
    candidates = select_devices(specification, where);
  } else {
    const device<any_port> best = choose_device({}, where).chosen;
    const device_kind kind = best.summary(where).kind;
    for (const device<any_port>& each : devices(where)) {
      if (std::string_view(each.backend_name()) == best.backend_name() && each.summary(where).kind == kind) {
        candidates.push_back(each);
      }
    }
    if (candidates.empty()) candidates.push_back(best);
  }
  return candidates[static_cast<std::size_t>(number) % candidates.size()];
}

}  // namespace yoke::inline v0_1

#endif
