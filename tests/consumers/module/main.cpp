// SPDX-License-Identifier: MIT
// The README's program, and an array's expression, with the module in the headers' place.
#include <cstdio>
#include <vector>

import yoke;

int main() {
  std::printf("yoke %s\n", VERSION);
  if (yoke::devices().empty()) {
    std::puts("no driver");
    return 0;
  }
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

  const auto b = yoke::to_device_array(a, stream);
  const float sum = yoke::sum(2 * b + 1).get();
  if (a[0] != 3.0f || a[15] != 3.0f || sum != 112) {
    std::printf("%g %g %g\n", a[0], a[15], sum);
    return 1;
  }
  std::puts("a kernel was compiled and launched");
  return 0;
}
