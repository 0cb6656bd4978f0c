// SPDX-License-Identifier: MIT
// OpenCL C as it is: on OpenCL untouched, on CUDA translated, with the same results.
#include <program/compiling.hpp>
#include <program/opencl_c_sources.hpp>
#include <yoke/program/opencl_c.hpp>

#include <cmath>

using namespace yoke_test;

namespace {

namespace sources = yoke_test::opencl_c_sources;
constexpr yoke::source_language opencl_c = yoke::source_language::opencl_c;

}  // namespace

YOKE_DEVICE_TEST_CASE("OpenCL C: a kernel with an array in local memory", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(float*, const float*, int, int)>(
      yoke::compile(on.context, sources::transpose, {.language = opencl_c}), "transpose");
  constexpr int width = 21;
  constexpr int height = 13;
  const std::vector<float> in = counting<float>(width * height);
  std::vector<float> out(in.size());
  kernel(on.stream, {.grid = {3, 2}, .block = {8, 8}}, yoke::out(out), yoke::in(in), width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      REQUIRE(out[static_cast<std::size_t>(x * height + y)] == in[static_cast<std::size_t>(y * width + x)]);
    }
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: GEMM with vectors and local memory", "[program][opencl_c]") {
  rig on(device);
  constexpr int m = 32;
  constexpr int n = 64;
  constexpr int k = 48;
  const auto kernel = yoke::get_kernel<void(int, int, float, const float*, const float*, float, float*)>(
      yoke::compile(on.context, sources::gemm, {.language = opencl_c}), "gemm");
  std::vector<float> a(m * k);
  std::vector<float> b(k * n);
  std::vector<float> c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3.0f;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2.0f;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i % 3);
  std::vector<float> expected(c.size());  // small whole numbers: every sum is exact
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      expected[row * n + column] = 2.0f * sum + 0.5f * c[row * n + column];
    }
  }
  kernel(on.stream, {.grid = {n / 16, m / 16}, .block = {4, 16}}, n, k, 2.0f, yoke::in(a), yoke::in(b), 0.5f,
         yoke::in_out(c));
  CHECK(c == expected);
}

YOKE_DEVICE_TEST_CASE("OpenCL C: GEMV with a tile of the vector", "[program][opencl_c]") {
  rig on(device);
  constexpr unsigned rows = 100;
  constexpr unsigned columns = 75;
  const auto kernel =
      yoke::get_kernel<void(const float*, yoke::constant<float>, float*, yoke::local<float>, unsigned, unsigned)>(
          yoke::compile(on.context, sources::gemv, {.language = opencl_c}), "gemv");
  std::vector<float> a(rows * columns);
  std::vector<float> x(columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 11) - 5.0f;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 4);
  std::vector<float> y(rows);
  kernel(on.stream, {.grid = 4, .block = 32}, yoke::in(a), yoke::to_device(x, on.stream), yoke::out(y),
         yoke::local<float>(32), rows, columns);
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < columns; ++i) sum += a[row * columns + i] * x[i];
    REQUIRE(y[row] == sum);
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: reductions in local memory that the launch gives", "[program][opencl_c]") {
  rig on(device);
  const auto module_of = yoke::compile(on.context, sources::reduce, {.language = opencl_c});
  const auto kernel = yoke::get_kernel<void(const int*, int*, yoke::local<int>, yoke::local<yoke::int2>, unsigned)>(
      module_of, "reduce");
  const std::vector<int> in = counting(1000, -250);
  std::vector<int> total(4, 0);
  kernel(on.stream, {.grid = 8, .block = 128}, yoke::in(in), yoke::in_out(total), yoke::local<int>(128),
         yoke::local<yoke::int2>(128), 1000u);
  CHECK(total == std::vector<int>{999 * 500 - 250 * 1000, -250, 749, 8});
}

YOKE_DEVICE_TEST_CASE("OpenCL C: complex numbers as vectors of two", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(yoke::float2*, const yoke::float2*, yoke::float2, int)>(
      yoke::compile(on.context, sources::complex_numbers, {.language = opencl_c}), "axpy");
  std::vector<yoke::float2> x;
  std::vector<yoke::float2> y;
  std::vector<yoke::float2> expected;
  for (int i = 0; i < 100; ++i) {
    const float re = static_cast<float>(i % 9);
    const float im = static_cast<float>(i % 6) - 3.0f;
    x.push_back({re, im});
    y.push_back({static_cast<float>(i), 1.0f});
    const float sum_re = 2.0f * re - 3.0f * im + static_cast<float>(i);
    const float sum_im = 2.0f * im + 3.0f * re + 1.0f;
    // (im, re) times i is (-re, im), which yx turns round; 2 x / (1 + i) is x (1 - i).
    expected.push_back({sum_im - (re + im), -sum_re - (im - re)});
  }
  kernel(on.stream, {.grid = 4, .block = 32}, yoke::in_out(y), yoke::in(x), yoke::float2{2.0f, 3.0f}, 100);
  for (std::size_t i = 0; i < y.size(); ++i) {
    REQUIRE(y[i].x == expected[i].x);
    REQUIRE(y[i].y == expected[i].y);
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: numbers stored as halves", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(std::uint16_t*, const std::uint16_t*, float, int)>(
      yoke::compile(on.context, sources::halves, {.language = opencl_c}), "scale");
  // 0x3c00 is 1, and each step of the bits one of 2^-10, up to 2: doubled, only the exponent changes.
  std::vector<std::uint16_t> in;
  for (int i = 0; i < 1023; ++i) in.push_back(static_cast<std::uint16_t>(0x3c00 + i));
  std::vector<std::uint16_t> out(in.size());
  kernel(on.stream, {.grid = 8, .block = 32}, yoke::out(out), yoke::in(in), 2.0f, 1023);
  for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(out[i] == in[i] + 0x400);
  // 1.5 times 1 + 2^-10 lies between two halves: it goes to the even one.
  kernel(on.stream, {.grid = 8, .block = 32}, yoke::out(out), yoke::in(in), 1.5f, 1023);
  CHECK(out[0] == 0x3e00);
  CHECK(out[1] == 0x3e02);
  CHECK(out[3] == 0x3e04);
}
