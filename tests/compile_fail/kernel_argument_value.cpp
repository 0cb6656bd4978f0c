// SPDX-License-Identifier: MIT
// A value parameter converts only without loss: no floating value to an integer or a narrower type, no other class.
// expect 1: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<double>.*\bexpected_value<int>
// expect 2: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<float>.*\bexpected_value<int>
// expect 3: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<2, .*\bgiven_value<double>.*\bexpected_value<float>
// expect 4: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<3, .*\bgiven_value<.*vec<float, 2>.*\bexpected_value<.*vec<float, 4>
// expect 5: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<4, .*\bgiven_value<int>.*\bexpected_value<.*pair_of_ints>
// expect 6: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<bool>.*\bexpected_value<int>
// expect 7: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<char>.*\bexpected_value<int>
// expect 8: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<1, .*\bgiven_null_pointer.*\bexpected_value<int>
// expect 9: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<2, .*\bgiven_value<long double>.*\bexpected_value<float>
// expect 10: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<int>.*\bexpected_value<int>
// expect 11: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<1, .*\bgiven_value<.*colour>.*\bexpected_value<int>
// expect 12: \bthis_conversion_is_not_implicit_write_static_cast\b.*kernel_argument_mismatch<2, .*\bgiven_value<double>.*\bexpected_value<float>
// expect 13: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<1, .*\bgiven_raw_host_pointer<const int>.*\bexpected_value<int>
// expect 14: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<float>.*\bexpected_value<float>
// expect 15: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<1, .*\bgiven_local<int>.*\bexpected_value<int>
// expect 16: \bpass_a_value_of_the_parameters_type\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<char>.*\bexpected_value<int>
#include <yoke/opencl/opencl.hpp>

#include <vector>

namespace ocl = yoke::opencl;

struct pair_of_ints {
  int first, second;
};
enum class colour { red };

extern const ocl::kernel<void(int, float, yoke::float4, pair_of_ints)>& kernel;
extern const ocl::stream& stream;
extern ocl::device_allocation<int>& memory;
extern std::vector<float>& host;
extern const yoke::float4 four;
extern const pair_of_ints pair;

void launch() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, 1.0, 1.0F, four, pair);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, 1.0F, 1.0F, four, pair);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, 1, 1.0, four, pair);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, 1, 1.0F, yoke::float2{}, pair);
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, 1, 1.0F, four, 1);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, true, 1.0F, four, pair);
#elif YOKE_BAD == 7
  kernel(stream, {.grid = 1}, 'a', 1.0F, four, pair);
#elif YOKE_BAD == 8
  kernel(stream, {.grid = 1}, nullptr, 1.0F, four, pair);
#elif YOKE_BAD == 9
  kernel(stream, {.grid = 1}, 1, 1.0L, four, pair);
#elif YOKE_BAD == 10
  kernel(stream, {.grid = 1}, memory, 1.0F, four, pair);
#elif YOKE_BAD == 11
  kernel(stream, {.grid = 1}, colour::red, 1.0F, four, pair);
#elif YOKE_BAD == 12
  (void)kernel.enqueue(stream, {.grid = 1}, 1, 1.0, four, pair);
#elif YOKE_BAD == 13
  kernel(stream, {.grid = 1}, &pair.first, 1.0F, four, pair);
#elif YOKE_BAD == 14
  kernel(stream, {.grid = 1}, 1, host, four, pair);
#elif YOKE_BAD == 15
  kernel(stream, {.grid = 1}, yoke::local<int>(4), 1.0F, four, pair);
#elif YOKE_BAD == 16
  kernel(stream, {.grid = 1}, "1", 1.0F, four, pair);
#else
  kernel(stream, {.grid = 1}, 1, 1.0F, four, pair);
  kernel(stream, {.grid = 1}, 1UL, 1, four, pair);  // another width, an integer for a float: checked when running
  kernel(stream, {.grid = 1}, short{1}, 1.0F, yoke::float4{}, pair_of_ints{1, 2});
  (void)memory, (void)host, (void)colour::red;
#endif
}

int main() {}
