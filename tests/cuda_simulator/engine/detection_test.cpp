// SPDX-License-Identifier: MIT
// The simulator reports divergence, standstill, traps and assertions; and the next launch is sound.
#include <cuda_simulator/simulator.hpp>

using namespace yoke_test;

namespace {

const loaded_source& faulty() {
  static const loaded_source source(R"(#include <cooperative_groups.h>
extern "C" __global__ void two_barriers(int* out) {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}
extern "C" __global__ void two_kinds() {
  if (threadIdx.x < 16) { __syncthreads(); } else { __syncthreads_or(1); }
}
extern "C" __global__ void barrier_against_warp() {
  if (threadIdx.x == 0)
    __syncthreads();
  else
    __syncwarp(0xffffffffu);
}
extern "C" __global__ void not_in_mask() { __shfl_sync(0xfffffffeu, 1, 0); }
extern "C" __global__ void warp_kinds() {
  if (threadIdx.x % 2) __shfl_sync(0xffffffffu, 1, 0); else __ballot_sync(0xffffffffu, 1);
}
extern "C" __global__ void masks_differ() { __syncwarp(threadIdx.x == 0 ? 0x3u : 0xffffffffu); }
extern "C" __global__ void trap_one() {
  if (blockIdx.x == 3 && threadIdx.x == 5)
    __trap();
  __syncthreads();
}
extern "C" __global__ void assert_one(int limit) {
  __syncthreads();
  assert(threadIdx.x < limit);
  __syncthreads();
}
extern "C" __global__ void waits_for_nobody(int* flag) { while (atomicAdd(flag, 0) == 0) {} }
extern "C" __global__ void whole_grid() { cooperative_groups::this_grid().sync(); }
extern "C" __global__ void part_of_grid() {
  if (blockIdx.x == 1) return;
  cooperative_groups::this_grid().sync();
}
extern "C" __global__ void grid_against_block() {
  if (threadIdx.x == 0) cooperative_groups::this_grid().sync(); else __syncthreads();
}
extern "C" __global__ void one_line() {
  if (threadIdx.x < 16) { __syncthreads(); } else { __syncthreads(); }
}
#define MEET __syncthreads()
extern "C" __global__ void one_line_by_macro() {
  if (threadIdx.x < 16) MEET; else MEET;
}
template <class T> __device__ void meet_in(T) { __syncthreads(); }
extern "C" __global__ void one_barrier(int* out) {
  const auto meet = [] { __syncthreads(); };
  for (int round = 0; round < 3; ++round) { meet(); __syncthreads(); }
#pragma unroll
  for (int round = 0; round < 4; ++round) __syncthreads();
  if (threadIdx.x < 16) meet_in(1); else meet_in(2);
  MEET; MEET;
  *out = 7;
}
extern "C" __global__ void sound(int* out) {
  __shared__ int cells[64];
  cells[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, cells[63 - threadIdx.x], 1);
}
extern "C" __global__ void last_waits_for_nobody(int* flag) {
  if (threadIdx.x + 1 == blockDim.x) { while (atomicAdd(flag, 0) == 0) {} }
}
)");
  return source;
}

void check_soundness() {
  std::vector<int> out(64);
  REQUIRE_THAT(faulty().run("sound", shape_of(1, 64), out.data()).text, Equals(""));
  CHECK(out[0] == 62);
  CHECK(out[31] == 32);
}

}  // namespace

TEST_CASE("threads at different barriers are named with both lines") {
  std::vector<int> out(32);
  const auto result = faulty().run("two_barriers", shape_of(1, 32), out.data());
  CHECK(result.status == simulator::launch_status::barrier_divergence);
  CHECK_THAT(result.text, ContainsSubstring("two_barriers"));
  CHECK_THAT(result.text, ContainsSubstring("test.cu(4)"));
  CHECK_THAT(result.text, ContainsSubstring("test.cu(6)"));
  CHECK_THAT(result.text, ContainsSubstring("thread (16, 0, 0)"));
  CHECK(out[0] == 0);
  check_soundness();

  const auto kinds = faulty().run("two_kinds", shape_of(1, 32));
  CHECK(kinds.status == simulator::launch_status::barrier_divergence);
  CHECK_THAT(kinds.text, ContainsSubstring("__syncthreads_or"));
  check_soundness();
}

TEST_CASE("two barriers on one line are two, and one stays one wherever it is called from") {
  for (const char* kernel : {"one_line", "one_line_by_macro"}) {
    const auto result = faulty().run(kernel, shape_of(1, 32));
    INFO(result.text);
    CHECK(result.status == simulator::launch_status::barrier_divergence);
    const std::size_t first = result.text.find("__syncthreads at test.cu(");
    const std::size_t second = result.text.rfind("__syncthreads at test.cu(");
    REQUIRE(first != std::string::npos);
    REQUIRE(second != first);
    const auto place = [&](std::size_t at) { return result.text.substr(at, result.text.find(')', at) - at); };
    CHECK_THAT(place(first), ContainsSubstring(":"));  // line and column
    CHECK(place(first) != place(second));
    check_soundness();
  }
  int out = 0;
  CHECK_THAT(faulty().run("one_barrier", shape_of(1, 64), &out).text, Equals(""));
  CHECK(out == 7);
}

TEST_CASE("a warp's lanes must agree on the mask, the intrinsic, and be in it") {
  const auto outside = faulty().run("not_in_mask", shape_of(1, 32));
  CHECK(outside.status == simulator::launch_status::barrier_divergence);
  CHECK_THAT(outside.text, ContainsSubstring("lane 0 is not in the mask 0xfffffffe"));
  const auto kinds = faulty().run("warp_kinds", shape_of(1, 32));
  CHECK(kinds.status == simulator::launch_status::barrier_divergence);
  CHECK_THAT(kinds.text, ContainsSubstring("a warp shuffle") && ContainsSubstring("a warp vote"));
  const auto masks = faulty().run("masks_differ", shape_of(1, 32));
  CHECK(masks.status == simulator::launch_status::no_progress);
  CHECK_THAT(masks.text, ContainsSubstring("0x00000003") || ContainsSubstring("0xffffffff"));
  check_soundness();
}

TEST_CASE("a block whose threads wait for each other in different ways is given up") {
  const auto result = faulty().run("barrier_against_warp", shape_of(1, 32));
  CHECK(result.status == simulator::launch_status::no_progress);
  CHECK_THAT(result.text, ContainsSubstring("1 in __syncthreads at test.cu(15)"));
  CHECK_THAT(result.text, ContainsSubstring("31 in __syncwarp at test.cu(17)"));
  check_soundness();
}

TEST_CASE("traps and assertions end the launch and name block and thread") {
  const auto trap = faulty().run("trap_one", shape_of(8, 64));
  CHECK(trap.status == simulator::launch_status::trap);
  CHECK_THAT(trap.text, ContainsSubstring("test.cu(26)"));
  CHECK_THAT(trap.text, ContainsSubstring("block (3, 0, 0), thread (5, 0, 0)"));
  const auto assertion = faulty().run("assert_one", shape_of(1, 64), 40);
  CHECK(assertion.status == simulator::launch_status::assertion);
  CHECK_THAT(assertion.text, ContainsSubstring("test.cu(31): Assertion `threadIdx.x < limit` failed"));
  CHECK_THAT(assertion.text, ContainsSubstring("thread (63, 0, 0)"));
  CHECK_THAT(faulty().run("assert_one", shape_of(1, 64), 64).text, Equals(""));
  check_soundness();
}

TEST_CASE("threads that only wait in loops are given up after a while") {
  simulator::launch_shape shape = shape_of(1, 4);
  shape.patience = std::chrono::milliseconds(50);
  int flag = 0;
  const auto result = faulty().run("waits_for_nobody", shape, &flag);
  CHECK(result.status == simulator::launch_status::no_progress);
  CHECK_THAT(result.text, EndsWith("only wait in loops; none of its threads waits at a barrier"));
  const auto left = faulty().run("last_waits_for_nobody", shape, &flag);
  CHECK(left.status == simulator::launch_status::no_progress);
  CHECK_THAT(left.text, EndsWith("none of its threads waits at a barrier, 3 have ended"));
  shape.block = {2, 1, 1};
  CHECK_THAT(faulty().run("last_waits_for_nobody", shape, &flag).text, EndsWith("at a barrier, 1 has ended"));
  check_soundness();
}

TEST_CASE("the grid's sync needs a cooperative launch and every block") {
  const auto plain = faulty().run("whole_grid", shape_of(4, 32));
  CHECK(plain.status == simulator::launch_status::not_cooperative);
  CHECK_THAT(plain.text, ContainsSubstring("test.cu(35)"));
  simulator::launch_shape shape = shape_of(4, 32);
  shape.cooperative = true;
  CHECK_THAT(faulty().run("whole_grid", shape).text, Equals(""));
  const auto part = faulty().run("part_of_grid", shape);
  CHECK(part.status == simulator::launch_status::no_progress);
  CHECK_THAT(part.text, ContainsSubstring("3 blocks wait in the grid's sync, 1 have ended"));
  const auto mixed = faulty().run("grid_against_block", shape);
  CHECK(mixed.status == simulator::launch_status::no_progress);
  CHECK_THAT(mixed.text, ContainsSubstring("the grid's sync") && ContainsSubstring("__syncthreads"));
  check_soundness();
}
