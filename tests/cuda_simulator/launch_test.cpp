// SPDX-License-Identifier: MIT
// Kernels run: grids, blocks, barriers, shared memory, many launches at once.
#include <cuda_simulator/simulator.hpp>
#include <thread>

using namespace yoke_test;

TEST_CASE("saxpy gives the right sums") {
  const loaded_source source(R"(
extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
)");
  std::vector<float> x(1000, 2.0f);
  std::vector<float> y(1001, 1.0f);
  const auto result = source.run("saxpy", shape_of(8, 128), y.data(), x.data(), 3.0f, 1000);
  CHECK(result.text == "");
  REQUIRE(result);
  for (std::size_t each = 0; each < 1000; ++each) REQUIRE(y[each] == 7.0f);
  CHECK(y[1000] == 1.0f);
}
