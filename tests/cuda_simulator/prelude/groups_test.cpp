// SPDX-License-Identifier: MIT
// Cooperative groups: block, tiles, coalesced threads, grid.
#include <cuda_simulator/prelude/expressions.hpp>

using namespace yoke_test;

namespace {
constexpr const char* groups = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
)";
}

TEST_CASE("tiles of every size know their ranks, shuffle, vote and reduce") {
  check_lanes(std::string(groups) + R"(
template <unsigned N> __device__ int sum() {
  auto tile = cg::tiled_partition<N>(cg::this_thread_block());
  return cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
}
__device__ auto tile() { return cg::tiled_partition<8>(cg::this_thread_block()); })",
              {
                  {"sum<1>()", [](int lane) { return double(lane); }},
                  {"sum<2>()", [](int lane) { return lane / 2 * 4 + 1; }},
                  {"sum<4>()", [](int lane) { return lane / 4 * 16 + 6; }},
                  {"sum<8>()", [](int lane) { return lane / 8 * 64 + 28; }},
                  {"sum<16>()", [](int lane) { return lane / 16 * 256 + 120; }},
                  {"sum<32>()", [](int) { return 496.0; }},
                  {"tile().thread_rank()", [](int lane) { return double(lane % 8); }},
                  {"tile().size()", [](int) { return 8.0; }},
                  {"tile().num_threads()", [](int) { return 8.0; }},
                  {"tile().meta_group_rank()", [](int lane) { return lane / 8; }},
                  {"tile().meta_group_size()", [](int) { return 4.0; }},
                  {"tile().shfl(lane, 3)", [](int lane) { return lane / 8 * 8 + 3; }},
                  {"tile().shfl_up(lane, 1)", [](int lane) { return lane % 8 == 0 ? lane : lane - 1.0; }},
                  {"tile().shfl_down(lane, 2)", [](int lane) { return lane % 8 >= 6 ? lane : lane + 2.0; }},
                  {"tile().shfl_xor(lane, 5)", [](int lane) { return double(lane ^ 5); }},
                  {"tile().any(lane == 9)", [](int lane) { return lane / 8 == 1 ? 1 : 0; }},
                  {"tile().all(lane >= 8)", [](int lane) { return lane >= 8 ? 1.0 : 0.0; }},
                  {"tile().ballot(lane % 8 == 2)", [](int) { return 4.0; }},
                  {"tile().match_any(lane % 2)", [](int lane) { return lane % 2 == 0 ? 85.0 : 170.0; }},
                  {"(tile().sync(), lane)", [](int lane) { return double(lane); }},
                  {"cg::reduce(tile(), lane, cg::less<int>())", [](int lane) { return lane / 8 * 8; }},
                  {"cg::reduce(tile(), lane * 1.0f, cg::greater<float>())", [](int lane) { return lane / 8 * 8 + 7; }},
                  {"cg::reduce(tile(), lane, cg::bit_and<int>())", [](int lane) { return lane / 8 * 8; }},
                  {"cg::reduce(tile(), lane, cg::bit_or<int>())", [](int lane) { return lane / 8 * 8 + 7; }},
                  {"cg::reduce(tile(), 1 << lane % 8, cg::bit_xor<int>())", [](int) { return 255.0; }},
                  {"cg::reduce(tile(), lane, [](int a, int b) { return a > b ? a : b; })",
                   [](int lane) { return lane / 8 * 8 + 7; }},
                  {"cg::tiled_partition<4>(tile()).size()", [](int) { return 4.0; }},
                  {"cg::this_thread().size()", [](int) { return 1.0; }},
              });
}

TEST_CASE("coalesced threads are those that run together") {
  check_lanes(std::string(groups) + R"(
__device__ int together(int lane) {
  if (lane % 4 != 1) return -1;
  auto group = cg::coalesced_threads();
  return group.thread_rank() * 100 + group.size() * 1000 + group.shfl(lane, 2) + cg::reduce(group, 1, cg::plus<int>()) * 100000;
})",
              {{"together(lane)", [](int lane) { return lane % 4 == 1 ? 808009 + lane / 4 * 100 : -1; }}});
}

TEST_CASE("the block's group is the block") {
  const loaded_source source(std::string(groups) + R"(
extern "C" __global__ void block(unsigned* out) {
  auto group = cg::this_thread_block();
  __shared__ unsigned cells[64];
  cells[group.thread_rank()] = group.thread_rank();
  group.sync();
  cg::sync(group);
  out[group.thread_rank()] = cells[group.size() - 1 - group.thread_rank()] + group.num_threads() * 100 +
    group.group_index().x * 10000 + (group.thread_index().y == threadIdx.y) * 100000 + (group.dim_threads().x == 8) * 1000000;
}
)");
  simulator::launch_shape shape;
  shape.block = {8, 8, 1};
  std::vector<unsigned> out(64);
  REQUIRE_THAT(source.run("block", shape, out.data()).text, Equals(""));
  for (unsigned each = 0; each < 64; ++each) CHECK(out[each] == 1106400 + 63 - each);
}

TEST_CASE("a cooperative grid meets; each block keeps its shared memory meanwhile") {
  const loaded_source source(std::string(groups) + R"(
extern "C" __global__ void grid(int* data, int* out) {
  auto grid = cg::this_grid();
  __shared__ int kept[32];
  extern __shared__ int dynamic[];
  kept[threadIdx.x] = blockIdx.x;
  dynamic[threadIdx.x] = blockIdx.x * 2;
  data[grid.thread_rank()] = 1;
  grid.sync();
  int sum = 0;
  for (unsigned i = 0; i < grid.size(); ++i) sum += data[i];
  grid.sync();
  data[grid.thread_rank()] = 2;
  cg::sync(grid);
  out[grid.thread_rank()] = sum + data[(grid.thread_rank() + 40) % grid.num_threads()] + kept[31 - threadIdx.x] +
                            dynamic[31 - threadIdx.x] + grid.is_valid() + (grid.num_blocks() == gridDim.x) + (grid.block_rank() == blockIdx.x);
}
)");
  simulator::launch_shape shape = shape_of(20, 32, 128);
  shape.cooperative = true;
  std::vector<int> data(640);
  std::vector<int> out(640);
  REQUIRE_THAT(source.run("grid", shape, data.data(), out.data()).text, Equals(""));
  for (int each = 0; each < 640; ++each) CHECK(out[static_cast<std::size_t>(each)] == 640 + 2 + each / 32 * 3 + 3);
}
