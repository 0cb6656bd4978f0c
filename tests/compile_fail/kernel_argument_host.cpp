// SPDX-License-Identifier: MIT
// Host ranges are arguments of blocking launches, of the parameter's element type, in a direction that it allows.
// expect 1: asynchronous_launch_cannot_take_a_host_range<.*position<1>.*given<float>
// expect 2: asynchronous_launch_cannot_take_a_host_range<.*position<2>.*given<const float>
// expect 3: kernel_argument_mismatch<.*position<2>.*given<float ?\*>.*expected<const float ?\*>
// expect 4: kernel_argument_mismatch<.*position<2>.*given<float ?\*>.*expected<const float ?\*>
// expect 5: kernel_argument_mismatch<.*position<1>.*given<int ?\*>.*expected<float ?\*>
// expect 6: kernel_argument_mismatch<.*position<2>.*given<const double ?\*>.*expected<const float ?\*>
// expect 7: no matching function for call to .*in_out
// expect 8: no matching function for call to .*out
#include <yoke/opencl/opencl.hpp>

#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*, const float*)>& kernel;
extern const ocl::stream& stream;
extern ocl::device_allocation<float>& memory;
extern std::vector<float>& host;
extern const std::vector<float>& constants;
extern std::vector<int>& ints;
extern const std::vector<double>& doubles;

void launch() {
#if YOKE_BAD == 1
  (void)kernel.enqueue(stream, {.grid = 1}, yoke::in_out(host), memory);
#elif YOKE_BAD == 2
  (void)kernel.enqueue(stream, {.grid = 1}, memory, yoke::in(constants));
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, memory, yoke::out(host));
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, memory, yoke::in_out(host));
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, yoke::in_out(ints), memory);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, memory, yoke::in(doubles));
#elif YOKE_BAD == 7
  kernel(stream, {.grid = 1}, yoke::in_out(constants), memory);
#elif YOKE_BAD == 8
  kernel(stream, {.grid = 1}, yoke::out(constants), memory);
#else
  kernel(stream, {.grid = 1}, yoke::in_out(host), yoke::in(constants));
  kernel(stream, {.grid = 1}, yoke::out(host), yoke::in(host));
#endif
}

int main() {}
