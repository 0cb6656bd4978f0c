// SPDX-License-Identifier: MIT
// Copies by a group's threads: done at once here, and there for all of them after the wait.
#ifndef YOKE_SIMULATOR_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define YOKE_SIMULATOR_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

namespace cooperative_groups {

/// Effects: copies `bytes` bytes, each thread of the group its share.
template <class Group, class T, class U>
inline void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
  const size_t threads = group.size();
  for (size_t each = group.thread_rank(); each < bytes; each += threads) {
    reinterpret_cast<char*>(to)[each] = reinterpret_cast<const char*>(from)[each];
  }
}
template <class Group>
inline void wait(const Group& group, YOKE_SIMULATOR_PLACE) {
  group.sync(where);
}
/// All but the last `Stages` copies are waited for; here all are.
template <unsigned Stages, class Group>
inline void wait_prior(const Group& group, YOKE_SIMULATOR_PLACE) {
  group.sync(where);
}

}  // namespace cooperative_groups

#endif
