// SPDX-License-Identifier: MIT
// Text for CUDA C++ sources: copies of tiles between arrays and shared memory.
#ifndef YOKE_CUDA_TENSOR_TENSOR_TILES_HPP
#define YOKE_CUDA_TENSOR_TENSOR_TILES_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::cuda {

/// Types and functions for CUDA C++ sources that copy tiles by tensor maps. Put the text before a source. Indices are
/// those of the tile's first element, in the order of the array's axes; they may be beyond the end, and negative when a
/// tile is loaded. The last index, times the size of an element, must be a multiple of 16 bytes; otherwise the kernel
/// ends by an illegal instruction.
///
/// - `tensor_map`: the parameter, `const __grid_constant__ tensor_map map`, never a copy of it. `prefetch_map(map)`
/// reads it ahead.
/// - `tile_barrier`: counts threads and bytes, in shared memory. One thread calls `init_barrier(barrier, threads)`,
/// followed by a `__syncthreads()`. `arrive(barrier, bytes)` says how many bytes this thread's copies transfer, 0
/// without copies. `wait(barrier, parity)` takes 0 at the first use of the barrier, then 1, then 0 again.
/// - `load_tile(to, map, barrier, i, j)` copies a tile to shared memory, by one thread. `to` is at a multiple of 128
/// bytes; with a swizzle at a multiple of the pattern's repeat: 256, 512 or 1024 bytes.
/// - `store_tile(map, from, i, j)` copies a tile to the array, and `add_tile` adds it there, by one thread, after
/// `fence_tiles()` by each thread that wrote the tile and a `__syncthreads()`. `wait_for_tiles()`, by the same thread,
/// returns when shared memory may be written again and the array has the tile.
///
/// Lines of the source count from 1 after the text.
inline constexpr std::string_view tensor_tiles = R"(
#if __has_include(<simulated_tensor_tiles.h>)
)"
                                                 "#include <simulated_tensor_tiles.h>"
                                                 R"(
#else
struct alignas(128) tensor_map {
  unsigned long long words[16];
  tensor_map() = default;
  tensor_map(const tensor_map&) = delete;  // the device reads the launch's own copy
};
struct alignas(8) tile_barrier { unsigned long long word; };
__device__ __forceinline__ unsigned tile_place(const void* of) {
  return static_cast<unsigned>(__cvta_generic_to_shared(of));
}
__device__ __forceinline__ void prefetch_map(const tensor_map& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ __forceinline__ void fence_tiles() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void init_barrier(tile_barrier& barrier, unsigned threads) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(tile_place(&barrier)), "r"(threads) : "memory");
  fence_tiles();
}
__device__ __forceinline__ void arrive(tile_barrier& barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(tile_place(&barrier)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void wait(tile_barrier& barrier, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(tile_place(&barrier)), "r"(parity) : "memory");
  }
}
#define TILE_COPIES(rank, indices, parameters, ...)                                                               \
  __device__ __forceinline__ void load_tile(void* to, const tensor_map& map, tile_barrier& barrier,            \
                                                   TILE_UNPACK parameters) {                                      \
    asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "       \
                 "[%1, {" indices "}], [%2];" ::"r"(tile_place(to)), "l"(&map), "r"(tile_place(&barrier)), __VA_ARGS__ \
                 : "memory");                                                                                          \
  }                                                                                                                    \
  __device__ __forceinline__ void store_tile(const tensor_map& map, const void* from,                          \
                                                    TILE_UNPACK parameters) {                                     \
    asm volatile("cp.async.bulk.tensor." rank ".global.shared::cta.tile.bulk_group [%1, {" indices "}], [%0];"         \
                 "cp.async.bulk.commit_group;" ::"r"(tile_place(from)), "l"(&map), "r"(0), __VA_ARGS__ : "memory");    \
  }                                                                                                                    \
  __device__ __forceinline__ void add_tile(const tensor_map& map, const void* from,                            \
                                                  TILE_UNPACK parameters) {                                       \
    asm volatile("cp.reduce.async.bulk.tensor." rank ".global.shared::cta.add.tile.bulk_group [%1, {" indices          \
                 "}], [%0]; cp.async.bulk.commit_group;" ::"r"(tile_place(from)), "l"(&map), "r"(0), __VA_ARGS__       \
                 : "memory");                                                                                          \
  }
#define TILE_UNPACK(...) __VA_ARGS__
TILE_COPIES("1d", "%3", (int i), "r"(i))
TILE_COPIES("2d", "%4, %3", (int i, int j), "r"(i), "r"(j))
TILE_COPIES("3d", "%5, %4, %3", (int i, int j, int k), "r"(i), "r"(j), "r"(k))
TILE_COPIES("4d", "%6, %5, %4, %3", (int i, int j, int k, int l), "r"(i), "r"(j), "r"(k), "r"(l))
TILE_COPIES("5d", "%7, %6, %5, %4, %3", (int i, int j, int k, int l, int m), "r"(i), "r"(j), "r"(k), "r"(l), "r"(m))
#undef TILE_UNPACK
#undef TILE_COPIES
__device__ __forceinline__ void wait_for_tiles() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
#endif
#line 1
)";

}  // namespace yoke::inline v0_1::cuda

#endif
