// SPDX-License-Identifier: MIT
// The smallest user of the library: says its version and the devices there are, and runs the README's program where
// there is one; it is content with none.
#include <yoke/yoke.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {
bool doubles() {
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
  return std::all_of(a.begin(), a.end(), [](float each) { return each == 3.0f; });
}
}  // namespace

int main() {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  int count = 0;
  for (const auto& device : yoke::devices()) {
    std::printf("  %s\n", std::string{device.name()}.c_str());
    ++count;
  }
  if (count == 0) {
    std::puts("no driver");
    return 0;
  }
  if (!doubles()) {
    std::puts("the kernel did not double");
    return 1;
  }
  std::puts("a kernel was compiled and launched");
  return 0;
}
