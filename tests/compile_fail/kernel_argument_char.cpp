// SPDX-License-Identifier: MIT
// A parameter of char takes integers and characters, and nothing that would lose anything.
// expect 1: kernel_argument_mismatch<.*position<1>.*given<double>.*expected<char>
// expect 2: kernel_argument_mismatch<.*position<1>.*given<bool>.*expected<char>
// expect 3: kernel_argument_mismatch<.*position<2>.*given<char>.*expected<signed char>
// expect 4: kernel_argument_mismatch<.*position<1>.*given<wchar_t>.*expected<char>
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(char, signed char)>& kernel;
extern const ocl::stream& stream;

void launch() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, 5.0, 5);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, true, 5);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, 5, 'a');
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, L'a', 5);
#else
  kernel(stream, {.grid = 1}, 5, 5);
  kernel(stream, {.grid = 1}, 'a', 5U);
  kernel(stream, {.grid = 1}, static_cast<signed char>(5), short{5});
#endif
}

int main() {}
