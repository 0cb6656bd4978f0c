// SPDX-License-Identifier: MIT
// A pointer parameter takes device memory of its element type, constness respected, and nothing of the host's. The first
// error names the kinds and says what to pass.
// expect 1: \bthe_element_types_differ_pass_device_memory_of_the_parameters\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<int>.*\bexpected_device_memory<float>
// expect 2: \bthe_kernel_writes_it_pass_memory_that_is_not_const\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<const float>.*\bexpected_device_memory<float>
// expect 3: \bpass_device_memory_or_wrap_a_host_range_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_raw_host_pointer<float>.*\bexpected_device_memory<const float>
// expect 4: \bwrap_it_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
// expect 5: \bwrap_it_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<float>.*\bexpected_device_memory<const float>
// expect 6: \bthe_kernel_writes_it_pass_memory_that_is_not_const\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<const float>.*\bexpected_device_memory<float>
// expect 7: \bthe_element_types_differ_pass_device_memory_of_the_parameters\b.*kernel_argument_mismatch<2, .*\bgiven_device_memory<double>.*\bexpected_device_memory<const float>
// expect 8: \bpass_device_memory_or_nullptr\b.*kernel_argument_mismatch<1, .*\bgiven_value<int>.*\bexpected_device_memory<float>
// expect 9: \benqueue_takes_no_host_range_pass_device_memory\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
// expect 10: \bthe_element_types_differ_pass_device_memory_of_the_parameters\b.*kernel_argument_mismatch<2, .*\bgiven_device_memory<unsigned int>.*\bexpected_device_memory<const float>
// expect 11: \bthe_element_types_differ_pass_device_memory_of_the_parameters\b.*kernel_argument_mismatch<2, .*\bgiven_device_memory<int>.*\bexpected_device_memory<const float>
// expect 12: \bpass_device_memory_or_wrap_a_host_range_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_raw_host_pointer<float>.*\bexpected_device_memory<float>
// expect 13: \bpass_device_memory_or_wrap_a_host_range_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_raw_host_pointer<void>.*\bexpected_device_memory<float>
// expect 14: \bpass_device_memory\b.*kernel_argument_mismatch<1, .*\bgiven_raw_host_pointer<float>.*\bexpected_device_memory<float>
// expect 15: \bwrap_it_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
// expect 16: \bwrap_it_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
// expect 17: \bwrap_it_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
// expect 18: \bwrap_it_in_yoke_in\b.*kernel_argument_mismatch<2, .*\bgiven_host_range<const float>.*\bexpected_device_memory<const float>
// expect 19: \bthe_element_types_differ_pass_a_range_of_the_parameters\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<int>.*\bexpected_device_memory<float>
// expect 20: \bpass_the_memory_itself_or_a_subspan\b.*kernel_argument_mismatch<2, .*\bgiven_strided_view<float>.*\bexpected_device_memory<const float>
// expect 21: \bpass_device_memory_or_nullptr\b.*kernel_argument_mismatch<1, .*\bgiven_local<float>.*\bexpected_device_memory<float>
// expect 22: \bpass_device_memory_or_wrap_a_host_range_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_raw_host_pointer<float>.*\bexpected_device_memory<float>
// expect 23: \bthe_element_types_differ_pass_device_memory_of_the_parameters\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<int>.*\bexpected_device_memory<float>
// expect 24: \bpass_device_memory_or_wrap_a_host_range_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_raw_host_pointer<float>.*\bexpected_device_memory<float>
// expect 25: \bwrap_it_in_yoke_out_or_yoke_in_out\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_device_memory<float>
#include <yoke/yoke.hpp>

#include <array>
#include <span>
#include <vector>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*, const float*)>& kernel;
extern const ocl::stream& stream;
extern const cu::kernel<void(float*)>& on_cuda;
extern const cu::stream& cuda_stream;
extern cu::device_allocation<int>& cuda_ints;
extern const yoke::kernel<void(float*)>& anywhere;
extern const yoke::stream<>& any_stream;
extern ocl::device_allocation<float>& floats;
extern const ocl::device_allocation<float>& constants;
extern ocl::device_allocation<int>& ints;
extern ocl::device_span<const float> view;
extern ocl::pagelocked_array<float>& locked;
extern ocl::svm_allocation<double, ocl::svm::coarse>& doubles;
extern ocl::sub_buffer<unsigned>& part;
extern std::vector<float>& host;
extern const std::vector<float>& constant_host;
extern std::vector<int>& host_ints;
extern std::span<float> host_span;
extern float* pointer;

void launch() {
  [[maybe_unused]] std::array<float, 4> array{};
  [[maybe_unused]] float plain_array[4]{};
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, ints, floats);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, constants, floats);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, floats, pointer);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, host, floats);
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, floats, locked);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, view, floats);
#elif YOKE_BAD == 7
  kernel(stream, {.grid = 1}, floats, doubles);
#elif YOKE_BAD == 8
  kernel(stream, {.grid = 1}, 0, floats);
#elif YOKE_BAD == 9
  (void)kernel.enqueue(stream, {.grid = 1}, array, floats);
#elif YOKE_BAD == 10
  kernel(stream, {.grid = 1}, floats, part);
#elif YOKE_BAD == 11
  (void)kernel.enqueue(stream, {.grid = 1}, floats, ints);
#elif YOKE_BAD == 12
  kernel(stream, {.grid = 1}, pointer, floats);
#elif YOKE_BAD == 13
  kernel(stream, {.grid = 1}, static_cast<void*>(pointer), floats);
#elif YOKE_BAD == 14
  (void)kernel.enqueue(stream, {.grid = 1}, pointer, floats);
#elif YOKE_BAD == 15
  kernel(stream, {.grid = 1}, array, floats);
#elif YOKE_BAD == 16
  kernel(stream, {.grid = 1}, host_span, floats);
#elif YOKE_BAD == 17
  kernel(stream, {.grid = 1}, plain_array, floats);
#elif YOKE_BAD == 18
  kernel(stream, {.grid = 1}, floats, constant_host);
#elif YOKE_BAD == 19
  kernel(stream, {.grid = 1}, host_ints, floats);
#elif YOKE_BAD == 20
  kernel(stream, {.grid = 1}, floats, yoke::strided(floats, {.width = 4, .height = 4, .row_pitch = 8}));
#elif YOKE_BAD == 21
  kernel(stream, {.grid = 1}, yoke::local<float>(4), floats);
#elif YOKE_BAD == 22
  on_cuda(cuda_stream, {.grid = 1}, pointer);
#elif YOKE_BAD == 23
  on_cuda(cuda_stream, {.grid = 1}, cuda_ints);
#elif YOKE_BAD == 24
  anywhere(any_stream, {.grid = 1}, pointer);
#elif YOKE_BAD == 25
  anywhere(any_stream, {.grid = 1}, host);
#else
  kernel(stream, {.grid = 1}, floats, constants);
  kernel(stream, {.grid = 1}, floats.span(), view);
  kernel(stream, {.grid = 1}, nullptr, floats);
  kernel(stream, {.grid = 1}, yoke::out(host), yoke::in(locked));
  kernel(stream, {.grid = 1}, yoke::in_out(array), yoke::in(constant_host));
  kernel(stream, {.grid = 1}, yoke::out(plain_array), yoke::in(host_span));
  on_cuda(cuda_stream, {.grid = 1}, yoke::in_out(host));
  anywhere(any_stream, {.grid = 1}, yoke::in_out(host));
  (void)kernel.enqueue(stream, {.grid = 1}, floats, constants);
#endif
}

int main() {}
