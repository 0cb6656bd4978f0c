// SPDX-License-Identifier: MIT
// A parameter of char takes integers and characters, and nothing that would lose anything.
// expect 1: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<double>.*\bexpected_value<char>
// expect 2: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<bool>.*\bexpected_value<char>
// expect 3: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<2, .*\bgiven_value<char>.*\bexpected_value<signed char>
// expect 4: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<wchar_t>.*\bexpected_value<char>
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
