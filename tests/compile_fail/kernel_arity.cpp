// SPDX-License-Identifier: MIT
// A launch takes as many arguments as the kernel has parameters, and `operator()` only streams that keep order.
// expect 1: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<1>.*\bexpected_count<2, float ?\*, int>
// expect 2: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<3>.*\bexpected_count<2, float ?\*, int>
// expect 3: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<1>.*\bexpected_count<2, float ?\*, int>
// expect 4: no (match|matching)
// expect 5: no (match|matching)
// expect 6: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<0>.*\bexpected_count<2, float ?\*, int>
// expect 7: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<3>.*\bexpected_count<2, float ?\*, int>
// expect 8: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<1>.*\bexpected_count<2, float ?\*, int>
// expect 9: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<1>.*\bexpected_count<0>
// expect 10: \bpass_a_stream_of_the_kernels_backend_first\b.*kernel_launch_mismatch<.*launch_shape.*device_allocation
// expect 11: \bpass_a_stream_of_the_kernels_backend_first\b.*kernel_launch_mismatch<.*device_allocation
// expect 12: \bpass_a_shape_behind_the_stream_as_yoke_launch_over_of_a_count\b.*kernel_launch_mismatch<.*stream<
// expect 13: \bpass_a_shape_behind_the_stream_as_yoke_launch_over_of_a_count\b.*kernel_launch_mismatch<.*stream<.*, int
// expect 14: \bpass_a_stream_of_the_kernels_backend_first\b.*kernel_launch_mismatch<.*context<
// expect 15: \bpass_a_stream_of_the_kernels_backend_first\b.*kernel_launch_mismatch<>
// expect 16: \bpass_a_stream_of_the_kernels_backend_first\b.*kernel_launch_mismatch<.*stream<
#include <yoke/yoke.hpp>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*, int)>& kernel;
extern const ocl::kernel<void()>& nothing;
extern const ocl::stream& stream;
extern const yoke::launch_options<yoke::opencl::port>& options;
extern const ocl::out_of_order_stream& disorder;
extern ocl::device_allocation<float>& memory;
extern const yoke::stream<yoke::any_port>& any;

void launch() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, memory, 1, 2);
#elif YOKE_BAD == 3
  (void)kernel.enqueue(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 4
  kernel(disorder, {.grid = 1}, memory, 1);
#elif YOKE_BAD == 5
  kernel(any, {.grid = 1}, memory, 1);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1});
#elif YOKE_BAD == 7
  (void)kernel.enqueue(disorder, {.grid = 1}, memory, 1, 2, options);
#elif YOKE_BAD == 8
  const auto event = kernel.enqueue_timed(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 9
  nothing(stream, {.grid = 1}, 1);
#elif YOKE_BAD == 10
  kernel(yoke::launch_over(1), memory, 1);
#elif YOKE_BAD == 11
  kernel(memory, 1);
#elif YOKE_BAD == 12
  kernel(stream, memory, 1);
#elif YOKE_BAD == 13
  kernel(stream, 16, memory, 1);
#elif YOKE_BAD == 14
  kernel(stream.context_of(), yoke::launch_over(1), memory, 1);
#elif YOKE_BAD == 15
  kernel();
#elif YOKE_BAD == 16
  kernel(any, yoke::launch_over(1), memory, 1);
#else
  kernel(stream, yoke::launch_over(1), memory, 1);
  kernel(stream, {.grid = 1}, memory, 1);
  (void)kernel.enqueue(disorder, {.grid = 1}, memory, 1);
  (void)kernel.enqueue(disorder, {.grid = 1}, memory, 1, options);
  (void)kernel.enqueue_timed(stream, {.grid = 1}, memory, 1, {.after = {}});
  nothing(stream, {.grid = 1});
#endif
}

int main() {}
