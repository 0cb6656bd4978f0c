// SPDX-License-Identifier: MIT
// Reductions over tiles and coalesced threads, and the operators for them.
#ifndef YOKE_SIMULATOR_COOPERATIVE_GROUPS_REDUCE_H
#define YOKE_SIMULATOR_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups {

#define YOKE_SIMULATOR_OPERATOR(name, expression)                                                                      \
  template <class T>                                                                                                   \
  struct name {                                                                                                        \
    T operator()(const T& a, const T& b) const { return static_cast<T>(expression); }                                  \
  };
YOKE_SIMULATOR_OPERATOR(plus, a + b)
YOKE_SIMULATOR_OPERATOR(less, b < a ? b : a)
YOKE_SIMULATOR_OPERATOR(greater, a < b ? b : a)
YOKE_SIMULATOR_OPERATOR(bit_and, a& b)
YOKE_SIMULATOR_OPERATOR(bit_or, a | b)
YOKE_SIMULATOR_OPERATOR(bit_xor, a ^ b)
#undef YOKE_SIMULATOR_OPERATOR

/// Returns: on every thread of the group, the values of all combined in the order of their ranks.
template <class Group, class T, class Operator>
inline T reduce(const Group& group, T value, const Operator& combine, YOKE_SIMULATOR_PLACE) {
  static_assert(Group::is_warp_group, "reduce() takes a tile or coalesced threads");
  struct slot {
    T value;
    const Operator* combine;
  };
  slot own{value, &combine};
  const auto resolve = [](void* const* slots, unsigned lanes) {
    slot* first = nullptr;
    for (unsigned each = 0; each < 32; ++each) {
      if ((lanes >> each & 1u) == 0) continue;
      slot* const next = static_cast<slot*>(slots[each]);
      if (first != nullptr) first->value = (*first->combine)(first->value, next->value);
      if (first == nullptr) first = next;
    }
    for (unsigned each = 0; each < 32; ++each) {
      if ((lanes >> each & 1u) != 0) static_cast<slot*>(slots[each])->value = first->value;
    }
  };
  ::yoke_simulator::warp_meeting(::yoke_simulator::meeting::reduction, group.members().mask(), &own, resolve, where);
  return own.value;
}

}  // namespace cooperative_groups

#endif
