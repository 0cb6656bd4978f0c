// SPDX-License-Identifier: MIT
// Kernels run: grids, blocks, barriers, shared memory, printing, many launches at once.
#include <array>
#include <cuda_simulator/simulator.hpp>
#include <numeric>
#include <support/process/child.hpp>
#include <thread>

using namespace yoke_test;

TEST_CASE("saxpy gives the right sums") {
  const loaded_source source(R"(
extern "C" __global__ void saxpy(float* y, const float* __restrict__ x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
)");
  std::vector<float> x(1000, 2.0f);
  std::vector<float> y(1001, 1.0f);
  const auto result = source.run("saxpy", shape_of(8, 128), y.data(), x.data(), 3.0f, 1000);
  CHECK_THAT(result.text, Equals(""));
  REQUIRE(result);
  CHECK(std::vector<float>(y.begin(), y.end() - 1) == std::vector<float>(1000, 7.0f));
  CHECK(y[1000] == 1.0f);
}

TEST_CASE("every thread sees its own indices, in three dimensions, before and after barriers") {
  const loaded_source source(R"(
extern "C" __global__ void indices(unsigned* wrong, unsigned* count) {
  const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const uint3 thread = threadIdx, own = blockIdx;
  __syncthreads();
  const bool same = thread.x == threadIdx.x && thread.y == threadIdx.y && thread.z == threadIdx.z &&
                    own.x == blockIdx.x && own.y == blockIdx.y && own.z == blockIdx.z;
  const bool shape = blockDim.x == 4 && blockDim.y == 3 && blockDim.z == 2 && gridDim.x == 5 && gridDim.y == 6 && gridDim.z == 7;
  if (!same || !shape) atomicAdd(wrong, 1u);
  atomicAdd(&count[block * 24 + rank], 1u);
}
)");
  simulator::launch_shape shape;
  shape.grid = {5, 6, 7};
  shape.block = {4, 3, 2};
  unsigned wrong = 0;
  std::vector<unsigned> count(std::size_t{210} * 24);
  REQUIRE_THAT(source.run("indices", shape, &wrong, count.data()).text, Equals(""));
  CHECK(wrong == 0);
  CHECK(count == std::vector<unsigned>(std::size_t{210} * 24, 1u));
}

TEST_CASE("blocks of 1024 threads meet at barriers") {
  const loaded_source source(R"(
extern "C" __global__ void reverse(int* data) {
  __shared__ int tile[1024];
  const int i = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    tile[i] = data[blockIdx.x * 1024 + i];
    __syncthreads();
    data[blockIdx.x * 1024 + i] = tile[1023 - i];
    __syncthreads();
  }
}
)");
  std::vector<int> data(std::size_t{8} * 1024);
  std::iota(data.begin(), data.end(), 0);
  REQUIRE_THAT(source.run("reverse", shape_of(8, 1024), data.data()).text, Equals(""));
  for (int each = 0; each < 8 * 1024; ++each) {
    REQUIRE(data[static_cast<std::size_t>(each)] == each / 1024 * 1024 + 1023 - each % 1024);
  }
}

TEST_CASE("barriers count, and ask all and any; threads that have left do not take part") {
  const loaded_source source(R"(
extern "C" __global__ void votes(int* out) {
  const int i = threadIdx.x;
  if (i >= 90) return;
  const int count = __syncthreads_count(i % 3 == 0);
  const int every = __syncthreads_and(i < 90), not_every = __syncthreads_and(i < 89);
  const int some = __syncthreads_or(i == 89), none = __syncthreads_or(i == 90);
  if (i == 40) { out[0] = count; out[1] = every; out[2] = not_every; out[3] = some; out[4] = none; }
  if (i < 50) return;
  __syncthreads();
  const int rest = __syncthreads_count(1);
  if (i == 60) out[5] = rest;
}
)");
  std::array<int, 6> out{};
  REQUIRE_THAT(source.run("votes", shape_of(1, 100), out.data()).text, Equals(""));
  CHECK(out == std::array<int, 6>{30, 1, 0, 1, 0, 40});
}

TEST_CASE("shared memory: static in kernels, device functions and templates, and dynamic under several names") {
  const loaded_source source(R"(
struct pair { double a; int b; };
template <class T> __device__ T turn(T value) {
  __shared__ T cells[64];
  cells[threadIdx.x] = value;
  __syncthreads();
  return cells[63 - threadIdx.x];
}
__device__ int turned(int value) {
  static __shared__ int cells[64];
  cells[threadIdx.x] = value;
  __syncthreads();
  return cells[(threadIdx.x + 1) % 64];
}
namespace inner { __device__ float* floats() { extern __shared__ float floating[]; return floating; } }
extern "C" __global__ void shared(double* out, int* zero) {
  __shared__ pair pairs[64];
  __shared__ double matrix[4][16];
  extern __shared__ int words[];
  extern __shared__ __align__(16) unsigned char bytes[];
  const int i = threadIdx.x;
  pairs[i] = {i * 2.0, i};
  matrix[i / 16][i % 16] = i;
  words[i] = i;
  __syncthreads();
  const int other = (i + 7) % 64;
  const bool aliased = (void*)words == (void*)bytes && (void*)words == (void*)inner::floats();
  out[blockIdx.x * 64 + i] = pairs[other].a + pairs[other].b + matrix[other / 16][other % 16] + words[other] +
           turn(i) + turn((double)i) + turned(i) + aliased;
}
)");
  std::vector<double> out(std::size_t{64} * 40);
  REQUIRE_THAT(source.run("shared", shape_of(40, 64, 256), out.data(), nullptr).text, Equals(""));
  for (int block = 0; block < 40; ++block) {
    for (int i = 0; i < 64; ++i) {
      const int other = (i + 7) % 64;
      REQUIRE(out[static_cast<std::size_t>(block * 64 + i)] == 5.0 * other + 2 * (63 - i) + (i + 1) % 64 + 1);
    }
  }
}

TEST_CASE("fences, clocks, naps, device memory and memory functions") {
  const loaded_source source(R"(
extern "C" __global__ void odds(int* out) {
  __threadfence(); __threadfence_block(); __threadfence_system();
  const long long before = clock64();
  const clock_t early = clock();
  __nanosleep(100);
  out[0] = clock64() >= before && clock() >= early;
  int* p = (int*)malloc(8);
  memset(p, 0, 8);
  int q[2] = {3, 4};
  memcpy(p, q, 8);
  out[1] = p[0] + p[1];
  free(p);
  assert(out[1] == 7);
  __builtin_assume(out[1] == 7);
  out[2] = printf("from the kernel %d %.1f\n", 5, 2.5);
  struct S { int v; } ;
  alignas(S) char room[sizeof(S)];
  out[3] = (new (room) S{9})->v;
  int a = 1; int b = std::move(a);
  out[4] = std::forward<int>(b);
}
)");
  std::array<int, 5> out{};
  REQUIRE_THAT(source.run("odds", shape_of(1, 1), out.data()).text, Equals(""));
  CHECK(out[0] == 1);
  CHECK(out[1] == 7);
  CHECK(out[2] > 0);
  CHECK(out[3] == 9);
  CHECK(out[4] == 1);
}

TEST_CASE("what kernels print is written when the launch is over") {
  const std::string name = "what kernels print is written when the launch is over";
  if (!is_child(name)) {
    const child_result child = run_child(name, {});
    CHECK(child.status == 0);
    CHECK_THAT(child.output, ContainsSubstring("thread 2 of 3, 1.5 word\n"));
    return;
  }
  const loaded_source source(
      R"(extern "C" __global__ void say() { printf("thread %d of %u, %.1f %s\n", (int)threadIdx.x, blockDim.x, 1.5, "word"); })");
  CHECK_THAT(source.run("say", shape_of(1, 3)).text, Equals(""));
}

TEST_CASE("device and constant variables are found and written") {
  const loaded_source source(R"(
__device__ int counter = 5;
__constant__ float table[4] = {1, 2, 3, 4};
namespace deep { __device__ double weight; }
static __constant__ int hidden_one = 3;
extern "C" __global__ void read(float* out) { out[0] = table[2] + counter + (float)deep::weight + hidden_one; counter = 6; }
)");
  const auto counter = source.loaded->global("counter");
  const auto table = source.loaded->global("table");
  const auto weight = source.loaded->global("_ZN4deep6weightE");
  REQUIRE(counter.has_value());
  REQUIRE(table.has_value());
  REQUIRE(weight.has_value());
  CHECK(counter->bytes == 4);
  CHECK(table->bytes == 16);
  CHECK(weight->bytes == 8);
  CHECK_FALSE(source.loaded->global("nothing").has_value());
  static_cast<float*>(table->address)[2] = 30.0f;
  *static_cast<double*>(weight->address) = 100.0;
  float out = 0;
  REQUIRE_THAT(source.run("read", shape_of(1, 1), &out).text, Equals(""));
  CHECK(out == 138.0f);
  CHECK(*static_cast<int*>(counter->address) == 6);
}

TEST_CASE("several images with the same names have globals of their own, and threads launch them at once") {
  const char* const text = R"(
template <class T> struct holder { static T value; };
template <class T> T holder<T>::value = 0;
inline int unique_one = 0;
extern "C" __global__ void add(int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, n);
  __syncthreads();
  if (threadIdx.x == 0) { atomicAdd(&unique_one, total); atomicAdd(&holder<int>::value, total); }
}
)";
  const loaded_source first(text);
  std::string error;
  const auto second = simulator::image::load(first.compiled.image, simulator::engine_services, error);
  REQUIRE(second != nullptr);
  std::vector<std::thread> threads;
  std::array<std::string, 6> texts;
  for (std::size_t each = 0; each < 6; ++each) {
    threads.emplace_back([&, each] {
      const simulator::image& image = each % 2 == 0 ? *first.loaded : *second;
      const int n = each % 2 == 0 ? 1 : 10;
      const void* const arguments[] = {&n};
      for (int round = 0; round < 20; ++round) {
        texts[each] += simulator::launch(simulator_pool(), *image.find_kernel("add"), shape_of(16, 64), arguments).text;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  for (const std::string& each : texts) CHECK_THAT(each, Equals(""));
  for (const char* name : {"unique_one", "_ZN6holderIiE5valueE"}) {
    CHECK(*static_cast<int*>(first.loaded->global(name)->address) == 3 * 20 * 1024);
    CHECK(*static_cast<int*>(second->global(name)->address) == 3 * 20 * 1024 * 10);
  }
}

TEST_CASE("shapes that no device runs are refused, with the limit") {
  const loaded_source source(
      "extern \"C\" __global__ void k(int) {}\n"
      "extern \"C\" __global__ void __launch_bounds__(64, 2) bounded() { __shared__ int s[100]; s[0] = 1; }");
  const auto with = [&](const simulator::launch_shape& shape) { return source.run("k", shape, 1); };
  CHECK(with(shape_of(1, 1024)).status == simulator::launch_status::success);
  CHECK(with(shape_of(0, 1)).status == simulator::launch_status::invalid_shape);
  CHECK(with(shape_of(1, 1025)).status == simulator::launch_status::invalid_shape);
  CHECK_THAT(with(shape_of(1, 1025)).text, ContainsSubstring("1024"));
  CHECK(with(shape_of(1, 1, 227 * 1024 + 1)).status == simulator::launch_status::invalid_shape);
  simulator::launch_shape clustered = shape_of(2, 1);
  clustered.cluster = {2, 1, 1};
  CHECK(with(clustered).status == simulator::launch_status::unsupported);
  CHECK(simulator::launch(simulator_pool(), source.kernel("k"), shape_of(1, 1), std::string_view()).status ==
        simulator::launch_status::invalid_shape);
  CHECK_THAT(source.run("bounded", shape_of(1, 64)).text, Equals(""));
  CHECK_THAT(source.run("bounded", shape_of(1, 65)).text, ContainsSubstring("__launch_bounds__"));
}
