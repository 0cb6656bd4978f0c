// SPDX-License-Identifier: MIT
// Scans over tiles and coalesced threads: the values of lower ranks combined, with or without the thread's own value.
#ifndef YOKE_SIMULATOR_COOPERATIVE_GROUPS_SCAN_H
#define YOKE_SIMULATOR_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

/// Returns: the values of the own rank and of those below, combined in the order of the ranks.
template <class Group, class T, class Operator = plus<T>>
inline T inclusive_scan(const Group& group, T value, const Operator& combine = Operator(), YOKE_SIMULATOR_PLACE) {
  static_assert(Group::is_warp_group, "inclusive_scan() takes a tile or coalesced threads");
  struct slot {
    T value;
    const Operator* combine;
  };
  slot own{value, &combine};
  const auto resolve = [](void* const* slots, unsigned lanes) {
    slot* before = nullptr;
    for (unsigned each = 0; each < 32; ++each) {
      if ((lanes >> each & 1u) == 0) continue;
      slot* const next = static_cast<slot*>(slots[each]);
      if (before != nullptr) next->value = (*next->combine)(before->value, next->value);
      before = next;
    }
  };
  ::yoke_simulator::warp_meeting(::yoke_simulator::meeting::reduction, group.members().mask(), &own, resolve, where);
  return own.value;
}
/// Returns: the values of the ranks below, combined in their order; on rank 0 a value-initialised result.
template <class Group, class T, class Operator = plus<T>>
inline T exclusive_scan(const Group& group, T value, const Operator& combine = Operator(), YOKE_SIMULATOR_PLACE) {
  const T all = inclusive_scan(group, value, combine, where);
  const T before = group.shfl_up(all, 1, where);
  return group.thread_rank() == 0 ? T{} : before;
}

}  // namespace cooperative_groups

#endif
