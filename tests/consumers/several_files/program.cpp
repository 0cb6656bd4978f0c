// SPDX-License-Identifier: MIT
// The README's program, of which another file uses what it does not; it is content without a device.
#include "rest.hpp"

#include <yoke/yoke.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  if (yoke::devices().empty()) return 0;
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
  if (a[0] != 3.0f) return std::puts("the kernel did not double"), 1;
  if (!use_the_rest(ctx)) return std::puts("what the other file does went wrong"), 1;
  std::puts("two files compiled and launched");
  return 0;
}
