// SPDX-License-Identifier: MIT
// The umbrella as CUDA's own compiler reads it, beside a kernel of CUDA C++.
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/cache.hpp>
#include <yoke/link.hpp>
#include <yoke/yoke.hpp>

__global__ void set_first(float* data) { data[0] = 1.0f; }

void shape_of_a_launch() {
  const yoke::launch_shape shape = yoke::launch_over(100, 32);
  set_first<<<static_cast<unsigned>(shape.grid.x), static_cast<unsigned>(shape.block.x)>>>(nullptr);
}
