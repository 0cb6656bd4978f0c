// SPDX-License-Identifier: MIT
// Cooperative groups for simulated kernels: block, tiles, coalesced threads, grid.
#ifndef YOKE_SIMULATOR_COOPERATIVE_GROUPS_H
#define YOKE_SIMULATOR_COOPERATIVE_GROUPS_H

namespace cooperative_groups {

namespace detail {

using ::yoke_simulator::place;

inline unsigned long long volume(dim3 extents) {
  return static_cast<unsigned long long>(extents.x) * extents.y * extents.z;
}

/// The lanes of one warp that act together; ranks are counted over the set bits of the mask.
class lanes {
 public:
  explicit lanes(unsigned mask) : mask_(mask) {}

  unsigned mask() const { return mask_; }
  unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
  unsigned rank() const { return static_cast<unsigned>(__popc(mask_ & ((1u << ::yoke_simulator::lane()) - 1u))); }
  unsigned lane_of(unsigned rank) const {
    unsigned rest = mask_;
    while (rank-- > 0 && (rest & (rest - 1u)) != 0) rest &= rest - 1u;
    return static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1u;
  }
  /// The set lanes of a warp's word, moved together.
  unsigned packed(unsigned word) const {
    unsigned result = 0;
    unsigned place = 0;
    for (unsigned each = 0; each < 32; ++each) {
      if ((mask_ >> each & 1u) != 0) result |= (word >> each & 1u) << place++;
    }
    return result;
  }
  void sync(place where) const {
    char nothing = 0;
    ::yoke_simulator::warp_meeting(
        ::yoke_simulator::meeting::syncwarp, mask_, &nothing, [](void* const*, unsigned) {}, where);
  }
  template <class T>
  T take(T value, unsigned rank, place where) const {
    return ::yoke_simulator::shuffle<T>(mask_, value, lane_of(rank), where);
  }

 private:
  unsigned mask_;
};

/// Between arriving at a barrier and waiting there; the simulator's threads do both when they wait.
struct arrival {};

/// Common parts of tiles and coalesced threads.
class warp_group {
 public:
  static constexpr bool is_warp_group = true;
  void sync(YOKE_SIMULATOR_PLACE) const { lanes_.sync(where); }
  unsigned long long thread_rank() const { return lanes_.rank(); }
  unsigned long long size() const { return lanes_.size(); }
  unsigned long long num_threads() const { return lanes_.size(); }
  const lanes& members() const { return lanes_; }

  template <class T>
  T shfl(T value, int source, YOKE_SIMULATOR_PLACE) const {
    return lanes_.take(value, static_cast<unsigned>(source) % lanes_.size(), where);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, YOKE_SIMULATOR_PLACE) const {
    const unsigned rank = lanes_.rank();
    return lanes_.take(value, rank < delta ? rank : rank - delta, where);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, YOKE_SIMULATOR_PLACE) const {
    const unsigned rank = lanes_.rank();
    return lanes_.take(value, delta >= lanes_.size() - rank ? rank : rank + delta, where);
  }
  int any(int predicate, YOKE_SIMULATOR_PLACE) const { return __any_sync(lanes_.mask(), predicate, where); }
  int all(int predicate, YOKE_SIMULATOR_PLACE) const { return __all_sync(lanes_.mask(), predicate, where); }
  unsigned ballot(int predicate, YOKE_SIMULATOR_PLACE) const {
    return lanes_.packed(__ballot_sync(lanes_.mask(), predicate, where));
  }
  template <class T>
  unsigned match_any(T value, YOKE_SIMULATOR_PLACE) const {
    return lanes_.packed(__match_any_sync(lanes_.mask(), value, where));
  }
  template <class T>
  unsigned match_all(T value, int& all_same, YOKE_SIMULATOR_PLACE) const {
    return lanes_.packed(__match_all_sync(lanes_.mask(), value, &all_same, where));
  }

 protected:
  explicit warp_group(unsigned mask) : lanes_(mask) {}
  lanes lanes_;
};

}  // namespace detail

class thread_block {
 public:
  static void sync(YOKE_SIMULATOR_PLACE) { __syncthreads(where); }
  static unsigned thread_rank() { return ::yoke_simulator::thread_rank; }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 dim_threads() { return blockDim; }
  static dim3 group_dim() { return blockDim; }
  static unsigned size() { return static_cast<unsigned>(detail::volume(blockDim)); }
  static unsigned num_threads() { return size(); }
  using arrival_token = detail::arrival;
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, YOKE_SIMULATOR_PLACE) { __syncthreads(where); }
};
inline thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  bool is_valid() const { return ::yoke_simulator::engine->is_cooperative(); }
  void sync(YOKE_SIMULATOR_PLACE) const {
    ::yoke_simulator::engine->grid_barrier(where);
    asm volatile("" ::: "memory");
  }
  using arrival_token = detail::arrival;
  static arrival_token barrier_arrive() { return {}; }
  void barrier_wait(arrival_token&&, YOKE_SIMULATOR_PLACE) const { sync(where); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
  static unsigned long long num_blocks() { return detail::volume(gridDim); }
  static unsigned long long num_threads() { return num_blocks() * detail::volume(blockDim); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long thread_rank() {
    return block_rank() * detail::volume(blockDim) + ::yoke_simulator::thread_rank;
  }
};
/// A cluster of one block.
class cluster_group {
 public:
  using arrival_token = detail::arrival;
  static void sync(YOKE_SIMULATOR_PLACE) { __syncthreads(where); }
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, YOKE_SIMULATOR_PLACE) { __syncthreads(where); }
  static unsigned thread_rank() { return ::yoke_simulator::thread_rank; }
  static unsigned block_rank() { return 0; }
  static dim3 block_index() { return dim3(0, 0, 0); }
  static dim3 thread_index() { return threadIdx; }
  static dim3 dim_blocks() { return dim3(1, 1, 1); }
  static dim3 dim_threads() { return blockDim; }
  static unsigned num_blocks() { return 1; }
  static unsigned num_threads() { return thread_block::size(); }
  static unsigned size() { return thread_block::size(); }
  static unsigned query_shared_rank(const void*) { return 0; }
  template <class T>
  static T* map_shared_rank(T* address, int) {
    return address;
  }
};
inline cluster_group this_cluster() { return cluster_group(); }

inline grid_group this_grid() { return grid_group(); }

template <unsigned Size, class Parent>
class thread_block_tile;
namespace detail {
/// How many threads the group has that a tile is a part of.
template <class Parent>
struct parent_threads {
  static unsigned count() { return thread_block::size(); }
};
template <unsigned Size, class Parent>
struct parent_threads<thread_block_tile<Size, Parent>> {
  static unsigned count() { return Size; }
};
}  // namespace detail

template <unsigned Size, class Parent = void>
class thread_block_tile : public detail::warp_group {
  static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                "the simulator has tiles of at most one warp");

 public:
  thread_block_tile() : warp_group(mask()) {}
  template <class OtherParent>
  thread_block_tile(const thread_block_tile<Size, OtherParent>&) : thread_block_tile() {}
  static constexpr unsigned long long size() { return Size; }
  static constexpr unsigned long long num_threads() { return Size; }
  unsigned long long meta_group_rank() const { return ::yoke_simulator::thread_rank % parent() / Size; }
  unsigned long long meta_group_size() const { return (parent() + Size - 1) / Size; }
  template <class T>
  T shfl_xor(T value, unsigned bits, YOKE_SIMULATOR_PLACE) const {
    const unsigned rank = lanes_.rank();
    return lanes_.take(value, (rank ^ bits) < Size ? rank ^ bits : rank, where);
  }

 private:
  static unsigned parent() { return detail::parent_threads<Parent>::count(); }
  static unsigned mask() {
    if (Size == 32) return 0xffffffffu;
    return ((1u << Size % 32) - 1u) << (::yoke_simulator::lane() / Size * Size);
  }
};

class coalesced_group : public detail::warp_group {
 public:
  explicit coalesced_group(unsigned mask) : warp_group(mask) {}
  unsigned long long meta_group_rank() const { return 0; }
  unsigned long long meta_group_size() const { return 1; }
};
inline coalesced_group coalesced_threads(YOKE_SIMULATOR_PLACE) { return coalesced_group(__activemask(where)); }

template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

namespace detail {
class group_of_one {
 public:
  static void sync() {}
  static unsigned long long thread_rank() { return 0; }
  static unsigned long long size() { return 1; }
  static unsigned long long num_threads() { return 1; }
};
}  // namespace detail
inline detail::group_of_one this_thread() { return detail::group_of_one(); }

/// A block, or threads of one warp, without saying in the type which.
class thread_group {
 public:
  thread_group(const thread_block&) {}
  thread_group(const detail::warp_group& group) : lanes_(group.members()), whole_block_(false) {}
  void sync(YOKE_SIMULATOR_PLACE) const {
    if (whole_block_) {
      __syncthreads(where);
    } else {
      lanes_.sync(where);
    }
  }
  unsigned long long thread_rank() const { return whole_block_ ? ::yoke_simulator::thread_rank : lanes_.rank(); }
  unsigned long long size() const { return whole_block_ ? thread_block::size() : lanes_.size(); }
  unsigned long long num_threads() const { return size(); }

 private:
  detail::lanes lanes_{0xffffffffu};
  bool whole_block_ = true;
};
/// Tiles of a size that is not in the type: a power of two of at most 32.
inline thread_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned first = ::yoke_simulator::lane() / size * size;
  return coalesced_group(size == 32 ? 0xffffffffu : ((1u << size % 32) - 1u) << first);
}
template <class Label>
inline coalesced_group labeled_partition(const detail::warp_group& group, Label label, YOKE_SIMULATOR_PLACE) {
  return coalesced_group(__match_any_sync(group.members().mask(), label, where));
}
inline coalesced_group binary_partition(const detail::warp_group& group, bool predicate, YOKE_SIMULATOR_PLACE) {
  const unsigned set = __ballot_sync(group.members().mask(), predicate, where);
  return coalesced_group(predicate ? set : group.members().mask() & ~set);
}

/// One thread of the group calls the function.
template <class Group, class Function, class... A>
inline void invoke_one(const Group& group, Function&& function, A&&... arguments) {
  if (group.thread_rank() == 0) function(std::forward<A>(arguments)...);
}
/// The same; every thread gets what it returns.
template <class Group, class Function, class... A>
inline auto invoke_one_broadcast(const Group& group, Function&& function, A&&... arguments)
    -> decltype(function(std::forward<A>(arguments)...)) {
  decltype(function(std::forward<A>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(std::forward<A>(arguments)...);
  return group.shfl(result, 0);
}

inline void sync(const thread_block& group, YOKE_SIMULATOR_PLACE) { group.sync(where); }
inline void sync(const grid_group& group, YOKE_SIMULATOR_PLACE) { group.sync(where); }
inline void sync(const detail::warp_group& group, YOKE_SIMULATOR_PLACE) { group.sync(where); }
inline void sync(const cluster_group& group, YOKE_SIMULATOR_PLACE) { group.sync(where); }
inline void sync(const thread_group& group, YOKE_SIMULATOR_PLACE) { group.sync(where); }
template <class Group>
inline auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
inline auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#endif
