// SPDX-License-Identifier: MIT
// Cooperative groups: blocks, tiles, coalesced threads, partitions, reductions and scans, clusters and grids.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

namespace {

constexpr const char* headers = R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
)";

kernel_entry tiles(int size) {
  const std::string text = std::to_string(size);
  return evaluate(
      "tile_of_" + text, {integers("int", "a"), reals("float", "b", -9.0, 9.0)},
      {{"int", "[=] { auto t = TILE; t.sync(); return (int)(t.thread_rank() * 100 + t.size() + t.num_threads()); }()"},
       {"int", "[=] { auto t = TILE; return (int)(t.meta_group_rank() * 100 + t.meta_group_size()); }()"},
       {"int", "TILE.shfl(a, " + std::to_string(size / 2) + ")"},
       {"int", "TILE.shfl_up(a, 1)"},
       {"int", "TILE.shfl_down(a, 1)"},
       {"int", "TILE.shfl_xor(a, " + std::to_string(size - 1) + ")"},
       {"float", "TILE.shfl(b, 0)"},
       {"int", "TILE.any(row == 9) + 2 * TILE.all(row < 16)"},
       {"unsigned", "TILE.ballot(a % 2 == 0)"},
       {"unsigned", "TILE.match_any(a % 3)"},
       {"int", "[=] { int all; const unsigned m = TILE.match_all(7, all); return (int)m ^ (all != 0); }()"},
       {"int", "cg::reduce(TILE, a, cg::plus<int>())"},
       {"int", "cg::reduce(TILE, a, cg::less<int>())"},
       {"int", "cg::reduce(TILE, a, cg::greater<int>())"},
       {"int",
        "cg::reduce(TILE, a, cg::bit_and<int>()) ^ cg::reduce(TILE, a, cg::bit_or<int>()) ^ cg::reduce(TILE, a, "
        "cg::bit_xor<int>())"},
       {"int", "cg::reduce(TILE, (int)row, [](int x, int y) { return x > y ? x : y; })"},
       {"float", "cg::reduce(TILE, (float)row, cg::plus<float>())"},
       {"int", "cg::inclusive_scan(TILE, a, cg::plus<int>())"},
       {"int", "cg::exclusive_scan(TILE, a, cg::plus<int>())"},
       {"int", "cg::inclusive_scan(TILE, (int)row) + cg::exclusive_scan(TILE, (int)row)"}});
}

}  // namespace

std::vector<kernel_program> group_kernels() {
  kernel_program program{"groups", headers};
  program.toolkit_headers = true;
  for (const int size : {1, 2, 4, 8, 16, 32}) {
    kernel_entry kernel = tiles(size);
    const std::string made = "cg::tiled_partition<" + std::to_string(size) + ">(cg::this_thread_block())";
    for (std::size_t at; (at = kernel.source.find("TILE")) != std::string::npos;) kernel.source.replace(at, 4, made);
    program.kernels.push_back(kernel);
  }
  program.kernels.push_back(whole_kernel("group_of_a_block",
                                         R"(extern "C" __global__ void group_of_a_block(const word*, word* out) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ int cells[48];
  const unsigned rank = block.thread_rank();
  cells[rank] = (int)rank;
  block.sync();
  const unsigned at = blockIdx.x * 48 + rank;
  out[at] = bits(cells[47 - rank]);
  cg::sync(block);
  const dim3 place = block.group_index();
  const dim3 inside = block.thread_index();
  const dim3 extent = block.dim_threads();
  const dim3 same = block.group_dim();
  out[96 + at] = place.x + 10 * inside.x + 1000 * inside.y + 10000 * extent.x + 1000000 * same.y;
  out[192 + at] = block.size() + 100 * block.num_threads() + 10000 * cg::group_size(block) + 1000000 * cg::thread_rank(block);
  cg::thread_block::arrival_token token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  auto alone = cg::this_thread();
  alone.sync();
  out[288 + at] = alone.size() + 10 * alone.thread_rank() + 100 * alone.num_threads();
  out[384 + at] = cg::invoke_one_broadcast(cg::tiled_partition<16>(block), [&] { return (int)blockIdx.x + 5; });
  if (rank < 48) cg::invoke_one(block, [&] { out[480 + blockIdx.x] = 77; });
}
)",
                                         {{"reversed", "int", 96},
                                          {"places", "word", 96},
                                          {"sizes", "word", 96},
                                          {"one thread", "word", 96},
                                          {"broadcast", "word", 96},
                                          {"once", "word", 2}},
                                         {}, {2, 1, 1}, {8, 6, 1}));
  program.kernels.push_back(whole_kernel("coalesced", R"(extern "C" __global__ void coalesced(const word*, word* out) {
  const unsigned lane = threadIdx.x;
  out[lane] = 0;
  out[32 + lane] = 0;
  out[64 + lane] = 0;
  if (lane % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    out[lane] = group.thread_rank() + 100 * group.size() + 10000 * group.num_threads();
    out[32 + lane] = bits(group.shfl((int)lane, 2) + 100 * group.shfl_up((int)lane, 1) + 10000 * group.shfl_down((int)lane, 1));
    out[64 + lane] = group.ballot(lane > 9) + 10000 * group.any(lane == 4) + 100000 * group.all(lane < 99) + group.meta_group_rank() + group.meta_group_size();
    group.sync();
    out[96 + lane] = bits(cg::reduce(group, (int)lane, cg::plus<int>()));
  } else {
    out[96 + lane] = 0;
  }
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto inner = cg::tiled_partition<4>(tile);
  cg::coalesced_group parts = cg::labeled_partition(tile, (int)(lane % 4));
  out[128 + lane] = parts.size() * 100 + parts.thread_rank();
  cg::coalesced_group halves = cg::binary_partition(tile, lane < 10);
  out[160 + lane] = halves.size() * 100 + halves.thread_rank();
  cg::thread_group of_any_size = cg::tiled_partition(cg::this_thread_block(), 8);
  of_any_size.sync();
  out[224 + lane] = inner.meta_group_rank() * 100 + inner.meta_group_size();
  out[192 + lane] = of_any_size.size() * 100 + of_any_size.thread_rank();
}
)",
                                         {{"ranks", "word", 32},
                                          {"shuffles", "int", 32},
                                          {"votes", "word", 32},
                                          {"sum", "int", 32},
                                          {"labels", "word", 32},
                                          {"halves", "word", 32},
                                          {"dynamic tile", "word", 32},
                                          {"tile of a tile", "word", 32}}));
  program.kernels.push_back(whole_kernel("asynchronous_copy",
                                         R"(extern "C" __global__ void asynchronous_copy(const word* in, word* out) {
  __shared__ word tile[64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(word) * 64);
  cg::wait(block);
  out[block.thread_rank()] = tile[63 - block.thread_rank()];
  cg::memcpy_async(block, tile, in + 1, sizeof(word) * 32);
  cg::wait_prior<0>(block);
  out[32 + block.thread_rank()] = tile[block.thread_rank()];
}
)",
                                         {{"reversed", "word", 32}, {"shifted", "word", 32}}, [] {
                                           std::vector<word> values = integers("unsigned long long", "a").values;
                                           const std::vector<word> more = integers("unsigned long long", "b").values;
                                           values.insert(values.end(), more.begin(), more.end());
                                           return values;
                                         }()));
  program.kernels.push_back(whole_kernel(
      "cluster_of_one", R"(extern "C" __global__ void __cluster_dims__(1, 1, 1) cluster_of_one(const word*, word* out) {
  cg::cluster_group cluster = cg::this_cluster();
  __shared__ int held;
  if (threadIdx.x == 0) held = 31;
  cluster.sync();
  const unsigned at = blockIdx.x * 32 + threadIdx.x;
  int* const mapped = cluster.map_shared_rank(&held, 0);
  out[at] = bits(*mapped + (int)cluster.query_shared_rank(&held));
  out[64 + at] = cluster.thread_rank() + 100 * cluster.block_rank() + 1000 * cluster.num_threads() + 100000 * cluster.num_blocks();
  const dim3 extent = cluster.dim_blocks();
  const dim3 threads = cluster.dim_threads();
  const dim3 index = cluster.block_index();
  const dim3 inside = cluster.thread_index();
  out[128 + at] = extent.x + 10 * threads.x + 1000 * index.x + 10000 * inside.x;
  cluster.barrier_wait(cluster.barrier_arrive());
}
)",
      {{"mapped", "int", 64}, {"ranks", "word", 64}, {"places", "word", 64}}, {}, {2, 1, 1}));
  program.kernels.push_back(whole_kernel("grid_that_waits", R"(__device__ unsigned grid_cells[8];
extern "C" __global__ void grid_that_waits(const word*, word* out) {
  cg::grid_group grid = cg::this_grid();
  const unsigned at = (unsigned)grid.thread_rank();
  for (unsigned round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) grid_cells[blockIdx.x] += round * (blockIdx.x + 1);
    grid.sync();
    unsigned sum = 0;
    for (unsigned each = 0; each < 8; ++each) sum += *(volatile unsigned*)&grid_cells[each];
    out[(round - 1) * 256 + at] = sum;
    cg::sync(grid);
  }
  grid.barrier_wait(grid.barrier_arrive());
  out[768 + at] = grid.is_valid() + 10 * grid.num_blocks() + 100 * grid.size() + 100000 * grid.num_threads() + 100000000 * grid.block_rank();
  out[1024 + at] = grid.group_dim().x + 10 * grid.dim_blocks().x + 1000 * grid.block_index().x;
}
)",
                                         {{"first", "word", 256, 0, 0, std::vector<word>(256, 36)},
                                          {"second", "word", 256, 0, 0, std::vector<word>(256, 108)},
                                          {"third", "word", 256, 0, 0, std::vector<word>(256, 216)},
                                          {"sizes", "word", 256},
                                          {"places", "word", 256}},
                                         {}, {8, 1, 1}, {32, 1, 1}));
  program.kernels.back().cooperative = true;
  return {program};
}

}  // namespace yoke_test
