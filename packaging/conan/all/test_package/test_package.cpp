// SPDX-License-Identifier: MIT
// Doubles numbers on the best device there is; a machine without a driver is fine.
#include <yoke/yoke.hpp>

#include <cstdio>
#include <vector>

int main() {
  if (yoke::devices().empty()) return std::puts("yoke " YOKE_VERSION_STRING ": no driver"), 0;
  yoke::context ctx;
  yoke::stream stream{ctx};
  auto module = yoke::compile(ctx, R"(
    YOKE_KERNEL doublify(YOKE_GLOBAL float* a, int n) {
      int i = (int)get_global_id(0);
      if (i < n) a[i] *= 2;
    })");
  auto doublify = module.get_kernel<void(float*, int)>("doublify");
  std::vector<float> a(16, 1.5f);
  doublify(stream, yoke::launch_over(a.size()), yoke::in_out(a), a.size());
  std::printf("yoke %s: %g\n", YOKE_VERSION_STRING, static_cast<double>(a[0]));
  return a[0] == 3.0f ? 0 : 1;
}
