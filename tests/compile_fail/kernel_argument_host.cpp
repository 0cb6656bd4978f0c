// SPDX-License-Identifier: MIT
// Host ranges are arguments of blocking launches, of the parameter's element type, in a direction that it allows.
// expect 1: \benqueue_takes_no_host_range_pass_device_memory\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
// expect 2: \benqueue_takes_no_host_range_pass_device_memory\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<const float>.*\bexpected_device_memory<const float>
// expect 3: \bthe_kernel_only_reads_it_wrap_it_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<float>.*\bexpected_device_memory<const float>
// expect 4: \bthe_kernel_only_reads_it_wrap_it_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<float>.*\bexpected_device_memory<const float>
// expect 5: \bthe_element_types_differ_pass_a_range_of_the_parameters\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<int>.*\bexpected_device_memory<float>
// expect 6: \bthe_element_types_differ_pass_a_range_of_the_parameters\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<const double>.*\bexpected_device_memory<const float>
// expect 7: \bthe_range_is_const_wrap_it_in_yoke_in\b.*host_range_mismatch<const .*vector
// expect 8: \bthe_range_is_const_wrap_it_in_yoke_in\b.*host_range_mismatch<const .*vector
// expect 9: \ba_pointer_has_no_size_pass_a_std_span_of_pointer_and_count\b.*host_range_mismatch<float ?\*>
// expect 10: \ba_pointer_has_no_size_pass_a_std_span_of_pointer_and_count\b.*host_range_mismatch<float ?\*>
// expect 11: \ba_pointer_has_no_size_pass_a_std_span_of_pointer_and_count\b.*host_range_mismatch<float ?\*>
// expect 12: \ba_pointer_has_no_size_pass_a_std_span_of_pointer_and_count\b.*host_range_mismatch<float ?\*>
// expect 13: \bthis_is_device_memory_pass_it_as_it_is\b.*host_range_mismatch<.*device_allocation
// expect 14: \bpass_a_contiguous_host_range\b.*host_range_mismatch<float>
// expect 15: \bthe_range_is_const_wrap_it_in_yoke_in\b.*host_range_mismatch<.*span<const float
#include <yoke/opencl/opencl.hpp>

#include <span>
#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*, const float*)>& kernel;
extern const ocl::stream& stream;
extern ocl::device_allocation<float>& memory;
extern std::vector<float>& host;
extern const std::vector<float>& constants;
extern std::vector<int>& ints;
extern const std::vector<double>& doubles;
extern float* pointer;

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
#elif YOKE_BAD == 9
  kernel(stream, {.grid = 1}, yoke::in_out(pointer), memory);
#elif YOKE_BAD == 10
  kernel(stream, {.grid = 1}, memory, yoke::in(pointer));
#elif YOKE_BAD == 11
  kernel(stream, {.grid = 1}, yoke::out(pointer));
#elif YOKE_BAD == 12
  kernel(stream, {.grid = 1}, yoke::in_out(pointer, 16), memory);
#elif YOKE_BAD == 13
  kernel(stream, {.grid = 1}, yoke::in_out(memory), memory);
#elif YOKE_BAD == 14
  kernel(stream, {.grid = 1}, memory, yoke::in(1.5F));
#elif YOKE_BAD == 15
  kernel(stream, {.grid = 1}, yoke::out(std::span<const float>(pointer, 16)), memory);
#else
  kernel(stream, {.grid = 1}, yoke::in_out(std::span(pointer, 16)), yoke::in(std::span(pointer, 16)));
  kernel(stream, {.grid = 1}, yoke::in_out(host), yoke::in(constants));
  kernel(stream, {.grid = 1}, yoke::out(host), yoke::in(host));
#endif
}

int main() {}
