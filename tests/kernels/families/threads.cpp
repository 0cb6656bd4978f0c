// SPDX-License-Identifier: MIT
// The built-in variables, barriers of a block, fences, clocks, and clusters of one block.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

std::vector<kernel_program> thread_kernels() {
  kernel_program program{"threads", ""};
  auto& kernels = program.kernels;
  kernels.push_back(whole_kernel("places", R"(extern "C" __global__ void places(const word*, word* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned rank = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  const word place = threadIdx.x + threadIdx.y * 10 + threadIdx.z * 100 + blockIdx.x * 1000 + blockIdx.y * 10000 + blockIdx.z * 100000;
  const word extents = blockDim.x + blockDim.y * 10 + blockDim.z * 100 + gridDim.x * 1000 + gridDim.y * 10000 + gridDim.z * 100000;
  out[rank] = place;
  out[192 + rank] = extents + warpSize * 10000000ull;
}
)",
                                 {{"place", "word", 192}, {"extents", "word", 192}}, {}, {2, 2, 2}, {4, 3, 2}));

  kernels.push_back(whole_kernel("barriers", R"(extern "C" __global__ void barriers(const word*, word* out) {
  __shared__ int left[96];
  const int thread = (int)threadIdx.x;
  left[thread] = thread * thread;
  __syncthreads();
  out[thread] = bits(left[95 - thread]);
  out[96 + thread] = bits(__syncthreads_count(thread % 3 == 0));
  out[192 + thread] = bits((__syncthreads_and(thread < 96) != 0) * 2 + (__syncthreads_and(thread < 95) != 0));
  out[288 + thread] = bits((__syncthreads_or(thread == 77) != 0) * 2 + (__syncthreads_or(thread == 96) != 0));
  out[384 + thread] = bits(syncthreads_count(thread < 7) + 1000 * (syncthreads_and(thread >= 0) != false) + 2000 * (syncthreads_or(thread == 3) != false));
  __barrier_sync(0);
}
)",
                                 {{"reversed", "int", 96},
                                  {"count", "int", 96, 0, 0, std::vector<word>(96, 32)},
                                  {"and", "int", 96, 0, 0, std::vector<word>(96, 2)},
                                  {"or", "int", 96, 0, 0, std::vector<word>(96, 2)},
                                  {"old names", "int", 96, 0, 0, std::vector<word>(96, 3007)}},
                                 {}, {1, 1, 1}, {96, 1, 1}));

  kernels.push_back(whole_kernel("fences", R"(__device__ volatile int posted[2];
extern "C" __global__ void fences(const word*, word* out) {
  if (threadIdx.x == 0) {
    posted[0] = 5;
    __threadfence_block();
    __threadfence();
    __threadfence_cluster();
    __threadfence_system();
    posted[1] = 7;
  }
  __syncthreads();
  out[threadIdx.x] = bits(posted[0] * 10 + posted[1]);
}
)",
                                 {{"posted", "int", 32, 0, 0, std::vector<word>(32, 57)}}));

  kernels.push_back(whole_kernel(
      "clocks", R"(extern "C" __global__ void clocks(const word*, word* out) {
  const long long start = clock64();
  const clock_t short_start = clock();
  __nanosleep(100);
  const long long passed = clock64() - start;
  out[threadIdx.x] = bits<bool>(passed > 0 && passed < 1000000000000ll);
  out[32 + threadIdx.x] = bits<bool>(clock() != short_start || true);
}
)",
      {{"passed", "bool", 32, 0, 0, std::vector<word>(32, 1)}, {"short", "bool", 32, 0, 0, std::vector<word>(32, 1)}}));

  kernels.push_back(whole_kernel(
      "clusters_of_one",
      R"(extern "C" __global__ void __cluster_dims__(1, 1, 1) clusters_of_one(const word*, word* out) {
  __shared__ int shared_value;
  if (threadIdx.x == 0) shared_value = (int)blockIdx.x + 40;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const unsigned rank = blockIdx.x * 32 + threadIdx.x;
  out[rank] = bits(shared_value);
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
  const dim3 dim = __clusterDim();
  const dim3 grid = __clusterGridDimInClusters();
  const dim3 index = __clusterIdx();
  const dim3 inside = __clusterRelativeBlockIdx();
  out[64 + rank] = dim.x + dim.y * 10 + dim.z * 100 + grid.x * 1000 + grid.y * 10000 + grid.z * 100000;
  out[128 + rank] = index.x + index.y * 10 + index.z * 100 + inside.x * 1000 + inside.y * 10000 + inside.z * 100000;
  out[192 + rank] = __clusterRelativeBlockRank() + 10 * __clusterSizeInBlocks();
}
)",
      {{"shared", "int", 64}, {"extents", "word", 64}, {"indices", "word", 64}, {"ranks", "word", 64}}, {}, {2, 1, 1}));
  return {program};
}

}  // namespace yoke_test
