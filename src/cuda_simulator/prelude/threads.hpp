// SPDX-License-Identifier: MIT
// The built-in index variables, barriers, fences and clocks.

// The engine writes them whenever it switches from one thread of a block to another.
__attribute__((visibility("hidden"), weak)) thread_local uint3 threadIdx{};
__attribute__((visibility("hidden"), weak)) thread_local uint3 blockIdx{};
__attribute__((visibility("hidden"), weak)) thread_local dim3 blockDim{};
__attribute__((visibility("hidden"), weak)) thread_local dim3 gridDim{};
constexpr int warpSize = 32;

namespace yoke_simulator {

__attribute__((visibility("hidden"), weak)) const services* engine = nullptr;
__attribute__((visibility("hidden"), weak)) thread_local unsigned thread_rank = 0;

inline unsigned lane() { return thread_rank % 32; }

/// A fiber that spins would keep the thread that it waits for from running, so waiting loops make way now and then.
inline void spinning() { engine->yield(); }

inline int block_barrier(meeting kind, int vote, place where) {
  const int result = engine->block_barrier(kind, vote, where);
  asm volatile("" ::: "memory");
  return result;
}

}  // namespace yoke_simulator

inline void __syncthreads(YOKE_SIMULATOR_PLACE) {
  ::yoke_simulator::block_barrier(::yoke_simulator::meeting::syncthreads, 0, where);
}
inline int __syncthreads_count(int predicate, YOKE_SIMULATOR_PLACE) {
  return ::yoke_simulator::block_barrier(::yoke_simulator::meeting::syncthreads_count, predicate, where);
}
inline int __syncthreads_and(int predicate, YOKE_SIMULATOR_PLACE) {
  return ::yoke_simulator::block_barrier(::yoke_simulator::meeting::syncthreads_and, predicate, where);
}
inline int __syncthreads_or(int predicate, YOKE_SIMULATOR_PLACE) {
  return ::yoke_simulator::block_barrier(::yoke_simulator::meeting::syncthreads_or, predicate, where);
}
// The older names of the three.
inline int syncthreads_count(int predicate, YOKE_SIMULATOR_PLACE) { return __syncthreads_count(predicate, where); }
inline bool syncthreads_and(bool predicate, YOKE_SIMULATOR_PLACE) { return __syncthreads_and(predicate, where) != 0; }
inline bool syncthreads_or(bool predicate, YOKE_SIMULATOR_PLACE) { return __syncthreads_or(predicate, where) != 0; }
/// One of a block's sixteen barriers; here there is the first alone.
inline void __barrier_sync(unsigned barrier, YOKE_SIMULATOR_PLACE) {
  if (barrier != 0) {
    ::yoke_simulator::engine->fail(::yoke_simulator::failure::unsupported, "a barrier other than 0", where);
  }
  __syncthreads(where);
}

// A cluster is one block.
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_arrive_relaxed() {}
inline void __cluster_barrier_wait(YOKE_SIMULATOR_PLACE) { __syncthreads(where); }
inline dim3 __clusterDim() { return dim3(1, 1, 1); }
inline dim3 __clusterGridDimInClusters() { return gridDim; }
inline dim3 __clusterIdx() { return blockIdx; }
inline dim3 __clusterRelativeBlockIdx() { return dim3(0, 0, 0); }
inline unsigned __clusterRelativeBlockRank() { return 0; }
inline unsigned __clusterSizeInBlocks() { return 1; }

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_cluster() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline long long clock64() { return ::yoke_simulator::engine->ticks(); }
inline clock_t clock() { return static_cast<clock_t>(::yoke_simulator::engine->ticks()); }
inline void __nanosleep(unsigned) { ::yoke_simulator::spinning(); }

// The only function of the device runtime: sets the condition of a conditional node. Kernels without CUDA's headers
// declare it themselves, so it does not pass a place.
#define __cudart_builtin__
#define CUDARTAPI
using cudaGraphConditionalHandle = unsigned long long;
extern "C" __attribute__((visibility("hidden"))) inline void cudaGraphSetConditional(
    cudaGraphConditionalHandle condition, unsigned value) {
  ::yoke_simulator::engine->set_condition(condition, value, {"cudaGraphSetConditional", 0, 0});
}
