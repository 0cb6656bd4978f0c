// SPDX-License-Identifier: MIT
// The umbrella as CUDA's own compiler reads it, beside a kernel of CUDA C++, and arrays of both kinds of ports.
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/cache.hpp>
#include <yoke/fft.hpp>
#include <yoke/linalg.hpp>
#include <yoke/link.hpp>
#include <yoke/sparse.hpp>
#include <yoke/yoke.hpp>

__global__ void set_first(float* data) { data[0] = 1.0f; }

void shape_of_a_launch() {
  const yoke::launch_shape shape = yoke::launch_over(100, 32);
  set_first<<<static_cast<unsigned>(shape.grid.x), static_cast<unsigned>(shape.block.x)>>>(nullptr);
}

template <class Port>
void calculate(const yoke::stream<Port>& stream) {
  const auto a = yoke::eye<float>(3, stream);
  auto c = yoke::ones<float>({3, 3}, stream);
  c = 2.0f * yoke::pass::matmul(a, c.transpose()) + 0.5f * c;
  c -= yoke::pass::matmul(a, a);
  const auto factors = yoke::lu(c);
  const auto x = yoke::solve(c, factors.packed());
  const auto f = yoke::irfft(yoke::rfft(x + 1.0f));
  const auto sparse = yoke::csr_matrix<float, int, Port>::from_dense(f);
  c = yoke::pass::matmul(sparse, x);
}
template void calculate(const yoke::stream<>&);
template void calculate(const yoke::stream<yoke::cuda::port>&);
