// SPDX-License-Identifier: MIT
// Local and constant parameters take what their element type says; constant memory is never written.
// expect 1: kernel_argument_mismatch<.*position<1>.*given<.*local<int>.*expected<.*local<float>
// expect 2: kernel_argument_mismatch<.*position<1>.*given<int>.*expected<.*local<float>
// expect 3: kernel_argument_mismatch<.*position<1>.*given<.*device_allocation<float.*expected<.*local<float>
// expect 4: kernel_argument_mismatch<.*position<2>.*given<int ?\*>.*expected<.*constant<float>
// expect 5: kernel_argument_mismatch<.*position<2>.*given<.*vector<float.*expected<.*constant<float>
// expect 6: kernel_argument_mismatch<.*position<2>.*given<float ?\*>.*expected<.*constant<float>
// expect 7: kernel_argument_mismatch<.*position<2>.*given<.*local<float>.*expected<.*constant<float>
#include <yoke/opencl/opencl.hpp>

#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(yoke::local<float>, yoke::constant<float>)>& kernel;
extern const ocl::stream& stream;
extern ocl::device_allocation<float>& floats;
extern ocl::device_allocation<int>& ints;
extern std::vector<float>& host;

void launch() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, yoke::local<int>(4), floats);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, 4, floats);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, floats, floats);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, yoke::local<float>(4), ints);
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, yoke::local<float>(4), host);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, yoke::local<float>(4), yoke::out(host));
#elif YOKE_BAD == 7
  kernel(stream, {.grid = 1}, yoke::local<float>(4), yoke::local<float>(4));
#else
  kernel(stream, {.grid = 1}, yoke::local<float>(4), floats);
  kernel(stream, {.grid = 1}, yoke::local<float>(4U), yoke::in(host));
#endif
}

int main() {}
