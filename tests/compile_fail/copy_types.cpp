// SPDX-License-Identifier: MIT
// The two sides of a copy hold the same trivially copyable type, and the destination can be written.
// expect 1: \bthe_element_types_differ_pass_memory_of_the_same_type\b.*copy_mismatch<(const )?float, int>
// expect 2: \bthe_element_types_differ_pass_memory_of_the_same_type\b.*copy_mismatch<(const )?int, float>
// expect 3: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<const float>
// expect 4: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<const float>
// expect 5: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<const float>
// expect 6: \bthe_elements_are_not_trivially_copyable_copy_plain_data\b.*copy_mismatch<.*string
// expect 7: \bpass_device_memory_or_a_contiguous_host_range\b.*copy_mismatch<int>
// expect 8: \bpass_device_memory_or_a_contiguous_host_range\b.*copy_mismatch<.*list<float
// expect 9: \ba_pointer_has_no_size_pass_a_std_span_of_pointer_and_count\b.*copy_mismatch<float ?\*>
// expect 10: \bthe_element_types_differ_pass_memory_of_the_same_type\b.*copy_mismatch<(const )?unsigned int, float>
// expect 11: \bthe_element_types_differ_pass_memory_of_the_same_type\b.*copy_mismatch<(const )?float, double>
// expect 12: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<const float>
// expect 13: \bpass_device_memory_or_a_contiguous_host_range\b.*copy_mismatch<.*context
// expect 14: \bpass_a_stream_as_the_last_argument\b.*copy_mismatch<.*vector.*, .*device_allocation
// expect 15: \bpass_the_source_the_destination_and_the_stream\b.*copy_mismatch<.*device_allocation.*, .*stream
// expect 16: \bpass_a_stream_as_the_last_argument\b.*copy_mismatch<.*device_allocation.*, .*pagelocked_array
// expect 17: \bpass_a_stream_as_the_last_argument\b.*copy_mismatch<.*device_allocation.*, .*pagelocked_array
#include <yoke/opencl/opencl.hpp>

#include <list>
#include <string>
#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern ocl::device_allocation<float>& memory;
extern const ocl::device_allocation<float>& constant;
extern ocl::device_allocation<int>& ints;
extern ocl::svm_allocation<double, ocl::svm::coarse>& shared;
extern ocl::pagelocked_array<float>& locked;
extern std::vector<float>& host;
extern const std::vector<float>& read_only;
extern const std::vector<unsigned>& numbers;
extern std::vector<std::string>& texts;
extern std::list<float>& list;
extern float* pointer;

void use() {
#if YOKE_BAD == 1
  yoke::copy(host, ints, stream);
#elif YOKE_BAD == 2
  yoke::copy(ints, memory, stream);
#elif YOKE_BAD == 3
  yoke::copy(memory, read_only, stream);
#elif YOKE_BAD == 4
  yoke::copy(host, constant, stream);
#elif YOKE_BAD == 5
  yoke::copy(host, constant.span(), stream);
#elif YOKE_BAD == 6
  yoke::copy(texts, memory, stream);
#elif YOKE_BAD == 7
  yoke::copy(1, memory, stream);
#elif YOKE_BAD == 8
  yoke::copy(memory, list, stream);
#elif YOKE_BAD == 9
  yoke::copy(pointer, memory, stream);
#elif YOKE_BAD == 10
  yoke::copy(numbers, memory, stream);
#elif YOKE_BAD == 11
  yoke::copy(memory, shared, stream);
#elif YOKE_BAD == 12
  (void)yoke::copy_async(locked, constant, stream);
#elif YOKE_BAD == 13
  (void)yoke::copy_async(stream.context_of(), memory, stream);
#elif YOKE_BAD == 14
  yoke::copy(host, memory);
#elif YOKE_BAD == 15
  yoke::copy(memory, stream);
#elif YOKE_BAD == 16
  (void)yoke::copy_async(memory, locked);
#elif YOKE_BAD == 17
  yoke::enqueue_copy(memory, locked);
#else
  yoke::copy(host, memory, stream);
  yoke::copy(read_only, memory, stream);
  yoke::copy(constant, host, stream);
  yoke::copy(constant.span(), memory, stream);
  (void)yoke::copy_async(constant, locked, stream);
#endif
}

int main() {}
