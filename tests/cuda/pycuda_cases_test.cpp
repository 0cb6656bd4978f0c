// SPDX-License-Identifier: MIT
// PyCUDA's own portable tests as cases here, with what they left out; each names the one that it comes from.
#include <cuda/cuda_rig.hpp>
#include <support/rig.hpp>

#include <yoke/array.hpp>
#include <yoke/cuda.hpp>

#include <array>
#include <cmath>
#include <random>

using namespace yoke_test;

namespace {

constexpr const char* source = R"(
extern "C" {
__global__ void multiply(float* to, const float* a, const float* b) {
  const int i = threadIdx.x + blockDim.x * threadIdx.y;
  to[i] = a[i] * b[i];
}
__global__ void set_first(float* to, float value) { to[0] = value; }
__global__ void scale_vector(float3* to, const float3* from, float3 by) {
  const int i = threadIdx.x;
  to[i] = make_float3(from[i].x * by.x, from[i].y * by.y, from[i].z * by.z);
}
__global__ void after_a_char(double* to, char c, double2 d, float4 f, short s) {
  to[0] = c; to[1] = d.x; to[2] = d.y; to[3] = f.x; to[4] = f.w; to[5] = s;
}
__global__ void shared_sum(int* to, int n) {
  __shared__ int block[4000];
  for (int i = 0; i < n; ++i) block[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += block[i];
  to[0] = sum;
}
__global__ void doublify(float* a) { a[threadIdx.x + 4 * threadIdx.y] *= 2; }
struct pair { int first; double second; };
__global__ void take_pair(double* to, pair p) { to[0] = p.first; to[1] = p.second; }
__constant__ float table[32];
__global__ void read_table(float* to) { to[threadIdx.x] = table[threadIdx.x]; }
}
)";

struct pair_of {
  int first;
  double second;
};

/// A context with a stream that does not wait for the default one, and the module.
struct bench {
  explicit bench(const cu::device& device)
      : context(device), stream(context, {.non_blocking = true}), module(cu::compile(context, source)) {}
  cu::context context;
  cu::stream stream;
  cu::module module;
};

std::vector<float> random_floats(std::size_t size) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> values(size);
  for (float& each : values) each = normal(random);
  return values;
}

}  // namespace

YOKE_CUDA_TEST_CASE("test_memory: host to device and back is exact", "[cuda]") {
  const bench on(device);
  const std::vector<float> host = random_floats(400);
  const auto memory = yoke::to_device(host, on.stream);
  CHECK(yoke::to_host(memory, on.stream) == host);
}

YOKE_CUDA_TEST_CASE("test_simple_kernel, test_simple_kernel_2: a product by handlers, and by allocations and offsets",
                    "[cuda]") {
  const bench on(device);
  const auto multiply = on.module.get_kernel<void(float*, const float*, const float*)>("multiply");
  const std::vector<float> a = random_floats(400), b(a.rbegin(), a.rend());
  std::vector<float> product(400), expected(400);
  for (std::size_t i = 0; i < 400; ++i) expected[i] = a[i] * b[i];
  multiply(on.stream, {.grid = 1, .block = 400}, yoke::out(product), yoke::in(a), yoke::in(b));
  CHECK(product == expected);
  product.assign(400, 0);
  const auto a_gpu = yoke::to_device(a, on.stream), b_gpu = yoke::to_device(b, on.stream);
  multiply(on.stream, {.grid = 1, .block = 400}, yoke::out(product), a_gpu, b_gpu);
  CHECK(product == expected);
  // one element further, as with a pointer and a number
  cu::device_allocation<float> to{on.context, 400};
  yoke::fill(to, -1.0F, on.stream);
  multiply(on.stream, {.grid = 1, .block = 399}, to.subspan(1, 399), a_gpu.subspan(1, 399), b_gpu.subspan(1, 399));
  const std::vector<float> back = yoke::to_host(to, on.stream);
  CHECK(back[0] == -1);
  CHECK(std::equal(back.begin() + 1, back.end(), expected.begin() + 1));
}

YOKE_CUDA_TEST_CASE("test_vector_types: vectors as elements and by value, also where alignment leaves gaps", "[cuda]") {
  const bench on(device);
  const auto scale = on.module.get_kernel<void(cu::float3*, const cu::float3*, cu::float3)>("scale_vector");
  std::vector<cu::float3> from(10), to(10);
  for (std::size_t i = 0; i < 10; ++i) from[i] = {static_cast<float>(i), 1, 2};
  scale(on.stream, {.grid = 1, .block = 10}, yoke::out(to), yoke::in(from), cu::float3{2, 3, 4});
  int wrong = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    if (to[i].x != 2 * static_cast<float>(i) || to[i].y != 3 || to[i].z != 8) ++wrong;
  }
  CHECK(wrong == 0);
  const auto after =
      on.module.get_kernel<void(double*, char, yoke::vec<double, 2>, yoke::float4, short)>("after_a_char");
  std::vector<double> told(6);
  after(on.stream, {.grid = 1, .block = 1}, yoke::out(told), 'x', yoke::vec<double, 2>{1.5, 2.5},
        yoke::float4{3.5F, 0, 0, 4.5F}, short{-7});
  CHECK(told == std::vector<double>{'x', 1.5, 2.5, 3.5, 4.5, -7});
}

YOKE_CUDA_TEST_CASE("test_streamed_kernel: page-locked arrays, copies and a launch in a stream that waits for no other",
                    "[cuda]") {
  const bench on(device);
  const auto multiply = on.module.get_kernel<void(float*, const float*, const float*)>("multiply");
  const std::vector<float> values = random_floats(1024);
  cu::pagelocked_array<float> a{on.context, 1024}, b{on.context, 1024}, product{on.context, 1024, yoke::zeroed};
  std::copy(values.begin(), values.end(), a.begin());
  std::copy(values.rbegin(), values.rend(), b.begin());
  cu::device_allocation<float> a_gpu{on.context, 1024, on.stream}, b_gpu{on.context, 1024, on.stream};
  yoke::enqueue_copy(a, a_gpu, on.stream);
  yoke::enqueue_copy(b, b_gpu, on.stream);
  multiply(on.stream, {.grid = 1, .block = {32, 32}}, yoke::out(product), a_gpu, b_gpu);
  int wrong = 0;
  for (std::size_t i = 0; i < 1024; ++i) wrong += product[i] == a[i] * b[i] ? 0 : 1;
  CHECK(wrong == 0);
}

YOKE_CUDA_TEST_CASE("test_large_smem: 16000 bytes of shared memory", "[cuda]") {
  const bench on(device);
  const auto sum = on.module.get_kernel<void(int*, int)>("shared_sum");
  std::vector<int> told(1);
  sum(on.stream, {.grid = 1, .block = 1}, yoke::out(told), 4000);
  CHECK(told[0] == 4000 * 3999 / 2);
}

YOKE_CUDA_TEST_CASE("test_bitlog, test_mempool_2: a bin holds each size of it, and wastes a sixteenth at most",
                    "[cuda]") {
  const cu::memory_pool pool{cu::context{device}, {.leading_bits = 4}};
  std::mt19937_64 random(7);
  int small = 0, other_bin = 0, wasteful = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t size = 1 + random() % (std::size_t{1} << (1 + random() % 34));
    const std::size_t bin = pool.bin_number(size);
    const std::size_t block = pool.alloc_size(bin);
    if (block < size) ++small;
    if (pool.bin_number(block) != bin) ++other_bin;
    if (size >= 16 && (block - size) * 16 > size) ++wasteful;
  }
  CHECK(small == 0);
  CHECK(other_bin == 0);
  CHECK(wasteful == 0);
  // the highest bit decides the bin's size: a power of two is its own block
  for (const std::size_t size : {std::size_t{16}, std::size_t{17}, std::size_t{0xaaaa}, std::size_t{0x5aaaa}}) {
    CHECK(std::bit_width(pool.alloc_size(pool.bin_number(size)) - 1) <= std::bit_width(size));
  }
}

YOKE_CUDA_TEST_CASE("test_mempool: two hundred blocks, ten at a time, and then the pool stops holding", "[cuda]") {
  const bench on(device);
  const cu::memory_pool pool{on.context};
  std::vector<cu::device_allocation<char>> alive;
  for (int i = 0; i < 200; ++i) {
    alive.emplace_back(pool, std::size_t{1} << (i % 20), on.stream);
    if (alive.size() > 10) alive.erase(alive.begin());
  }
  CHECK(pool.statistics().active_blocks == 10);
  pool.stop_holding();
  alive.clear();
  CHECK(pool.statistics().held_blocks == 0);
  CHECK(pool.statistics().managed_bytes == 0);
}

YOKE_CUDA_TEST_CASE("test_multi_context, test_additional_primary_context: memory of two contexts ends in any order",
                    "[cuda]") {
  cu::abi::context before = nullptr, now = nullptr;
  REQUIRE(device.port().table()->context_get_current(&before) == cu::abi::success);
  cuda_interposer driver(*device.port().table());
  const auto watched = through_table(driver.table(), device);
  {
    cu::context primary{watched}, made = cu::create_context(watched);
    cu::device_allocation<int> first{primary, 4}, second{made, 4};
    primary.reset();
    first.reset();
    made.reset();
    second.reset();
    CHECK(driver.count("context_destroy") == 1);
    const cu::context again{watched};
    CHECK(cu::device_allocation<int>(again, 4).size() == 4);
  }
  CHECK(driver.live().empty());
  REQUIRE(device.port().table()->context_get_current(&now) == cu::abi::success);
  CHECK(now == before);  // nothing else stays current
}

YOKE_CUDA_TEST_CASE("test_prepared_invocation, test_prepared_with_vector: the signature is checked once, offsets count",
                    "[cuda]") {
  const bench on(device);
  const auto doublify = on.module.get_kernel<void(float*)>("doublify");
  std::vector<float> host = random_floats(32), expected = host;
  auto memory = yoke::to_device(host, on.stream);
  doublify(on.stream, {.grid = 1, .block = {4, 4}, .local_bytes = 20}, memory);
  doublify(on.stream, {.grid = 1, .block = {4, 4}, .local_bytes = 20}, memory.subspan(16, 16));
  for (float& each : expected) each *= 2;
  CHECK(yoke::to_host(memory, on.stream) == expected);
  const auto take = on.module.get_kernel<void(double*, pair_of)>("take_pair");
  std::vector<double> told(2);
  take(on.stream, {.grid = 1, .block = 1}, yoke::out(told), pair_of{3, 4.5});
  CHECK(told == std::vector<double>{3, 4.5});
}

YOKE_CUDA_TEST_CASE("test_constant_memory: a symbol is filled with as many elements as it has", "[cuda]") {
  const bench on(device);
  const std::vector<float> values = random_floats(32);
  yoke::copy(values, cu::get_global<float>(on.module, "table", 32), on.stream);
  std::vector<float> back(32);
  on.module.get_kernel<void(float*)>("read_table")(on.stream, {.grid = 1, .block = 32}, yoke::out(back));
  CHECK(back == values);
  CHECK_THROWS_AS(cu::get_global<float>(on.module, "table", 31), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("test_register_host_memory: a page-aligned array is registered and copied in a stream", "[cuda]") {
  const bench on(device);
  yoke::aligned_array<float> host{1024 * 1024};
  for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = static_cast<float>(i % 1000);
  cu::registered_memory<float> pinned{on.context, host.span()};
  cu::device_allocation<float> memory{on.context, host.size()};
  yoke::copy_async(pinned, memory, on.stream).wait();
  pinned.reset();
  const std::vector<float> back = yoke::to_host(memory, on.stream);
  CHECK(std::equal(back.begin(), back.end(), host.data()));
}

YOKE_CUDA_TEST_CASE("test_ranged_elwise_kernel, test_pass_slice_to_kernel: parts change, and nothing beside them",
                    "[cuda][array]") {
  const bench on(device);
  auto a = yoke::zeros<int>({200}, on.stream);
  a(yoke::slice(3, 20, 17)).fill(5);
  a(yoke::slice(100, 50, -1)).fill(7);
  a(yoke::slice(-1, -3, -1)).fill(9);
  std::vector<int> expected(200, 0);
  expected[3] = 5;
  for (std::size_t i = 51; i <= 100; ++i) expected[i] = 7;
  expected[199] = expected[198] = 9;
  CHECK(a.to_host() == expected);
  const auto doublify = on.module.get_kernel<void(float*)>("doublify");
  auto f = yoke::ones<float>({32}, on.stream);
  doublify(on.stream, {.grid = 1, .block = {4, 2}}, f(yoke::slice(8, 16)));
  std::vector<float> of(32, 1);
  for (std::size_t i = 8; i < 16; ++i) of[i] = 2;
  CHECK(f.to_host() == of);
}

YOKE_CUDA_TEST_CASE("test_sum_allocator, test_dot_allocator: arrays of a pool are reduced", "[cuda][array]") {
  const bench on(device);
  const cu::memory_pool pool{on.context};
  {
    yoke::device_array<int, 1, cu::port> a{pool, {1000}, on.stream};
    a.fill(3);
    CHECK(yoke::sum(a).get() == 3000);
    CHECK(yoke::dot(a, a).get() == 9000);
  }
  on.stream.synchronize();
  CHECK(pool.statistics().active_blocks == 0);
}

YOKE_CUDA_TEST_CASE("test_reduce_out: sums land in elements of another array", "[cuda][array]") {
  const bench on(device);
  std::vector<float> host(1000), expected(12, 0);
  for (std::size_t i = 0; i < 1000; ++i) {
    host[i] = static_cast<float>(i);
    expected[i / 100 + 1] += host[i];
  }
  const auto x = yoke::to_device_array(host, {10, 100}, on.stream);
  auto sums = yoke::zeros<float>({12}, on.stream);
  for (int row = 0; row < 10; ++row) {
    yoke::copy(yoke::sum(x(row)), sums(yoke::slice(row + 1, row + 2)), on.stream);
  }
  CHECK(sums.to_host() == expected);
}
