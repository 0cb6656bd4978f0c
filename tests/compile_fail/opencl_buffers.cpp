// SPDX-License-Identifier: MIT
// A buffer takes over a range, not a view of one.
// expect 1: a view has no memory that a buffer could take over
#include <yoke/opencl/opencl.hpp>

#include <span>
#include <vector>

int use(const yoke::opencl::context& context, std::vector<float>& x) {
#if YOKE_BAD == 1
  const auto buffer = yoke::opencl::buffer_over(context, std::span<float>(x));
#else
  const auto buffer = yoke::opencl::buffer_over(context, std::move(x));
#endif
  return static_cast<int>(buffer.size());
}

int main() {}
