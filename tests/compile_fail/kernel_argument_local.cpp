// SPDX-License-Identifier: MIT
// Local and constant parameters take what their element type says; constant memory is never written.
// expect 1: \bthe_element_types_differ_pass_yoke_local_of_the_parameters\b.*kernel_argument_mismatch<1, .*\bgiven_local<int>.*\bexpected_local<float>
// expect 2: \bpass_yoke_local_of_a_count_of_elements\b.*kernel_argument_mismatch<1, .*\bgiven_value<int>.*\bexpected_local<float>
// expect 3: \bpass_yoke_local_of_a_count_of_elements\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<float>.*\bexpected_local<float>
// expect 4: \bthe_element_types_differ_pass_device_memory_of_the_parameters\b.*kernel_argument_mismatch<2, .*\bgiven_device_memory<int>.*\bexpected_device_memory<const float>
// expect 5: \bwrap_it_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<float>.*\bexpected_device_memory<const float>
// expect 6: \bthe_kernel_only_reads_it_wrap_it_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<float>.*\bexpected_device_memory<const float>
// expect 7: \bpass_device_memory_or_nullptr\b.*kernel_argument_mismatch<2, .*\bgiven_local<float>.*\bexpected_device_memory<const float>
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
