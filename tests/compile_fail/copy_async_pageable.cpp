// SPDX-License-Identifier: MIT
// The holes of the copy matrix with pageable memory: an asynchronous or enqueued copy could outlive it.
// expect 1: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 2: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 3: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 4: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 5: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 6: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 7: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 8: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 9: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 10: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 11: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 12: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 13: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 14: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*copy_mismatch<.*pagelocked_array<int
// expect 15: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*copy_mismatch<.*device_allocation<int
// expect 16: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 17: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*copy_mismatch<.*pagelocked_array<int
// expect 18: \ba_list_takes_device_and_pagelocked_memory_enqueue_this_copy_by_itself\b.*copy_mismatch<
// expect 19: \bpass_a_stream_as_the_last_argument\b.*copy_mismatch<
#include <yoke/opencl/opencl.hpp>

#include <array>
#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern std::vector<int>& pageable;
extern ocl::pagelocked_array<int>& locked;
extern ocl::device_allocation<int>& memory;
extern ocl::svm_allocation<int, ocl::svm::coarse>& coarse;
extern ocl::svm_allocation<int, ocl::svm::fine>& fine;
extern const yoke::box_layout box;
extern ocl::copy_list& list;

void use() {
#if YOKE_BAD == 1
  (void)yoke::copy_async(pageable, memory, stream);
#elif YOKE_BAD == 2
  (void)yoke::copy_async(memory, pageable, stream);
#elif YOKE_BAD == 3
  (void)yoke::copy_async(pageable, memory.span(), stream);
#elif YOKE_BAD == 4
  (void)yoke::copy_async(memory.span(), pageable, stream);
#elif YOKE_BAD == 5
  (void)yoke::copy_async(pageable, coarse, stream);
#elif YOKE_BAD == 6
  (void)yoke::copy_async(coarse, pageable, stream);
#elif YOKE_BAD == 7
  (void)yoke::copy_async(pageable, fine, stream);
#elif YOKE_BAD == 8
  (void)yoke::copy_async(fine, pageable, stream);
#elif YOKE_BAD == 9
  (void)yoke::copy_async(yoke::strided(pageable, box), yoke::strided(memory, box), stream);
#elif YOKE_BAD == 10
  (void)yoke::copy_async(yoke::strided(memory, box), yoke::strided(pageable, box), stream);
#elif YOKE_BAD == 11
  (void)yoke::copy_async(memory, std::array<int, 4>{}, stream);
#elif YOKE_BAD == 12
  yoke::enqueue_copy(pageable, memory, stream);
#elif YOKE_BAD == 13
  yoke::enqueue_copy(memory, pageable, stream);
#elif YOKE_BAD == 14
  yoke::enqueue_copy(std::move(locked), memory, stream);
#elif YOKE_BAD == 15
  yoke::enqueue_copy(locked, std::move(memory), stream);
#elif YOKE_BAD == 16
  list.add(pageable, memory);
#elif YOKE_BAD == 17
  list.add(std::move(locked), memory);
#elif YOKE_BAD == 18
  list.add(coarse, memory);
#elif YOKE_BAD == 19
  yoke::enqueue_copy(locked, memory);
#else
  list.add(locked, memory);
  list.add(memory.span(), locked.subspan(1));
  yoke::enqueue_copy(list, stream);
  (void)yoke::copy_async(list, stream);
  yoke::copy(list, stream);
  yoke::enqueue_copy(locked, memory, stream);
  yoke::enqueue_copy(locked.subspan(1), memory, stream);
  (void)yoke::copy_async(memory, locked.subspan(1), stream);
  yoke::enqueue_copy(memory.span(), yoke::strided(locked, box), stream);
  (void)yoke::copy_async(locked, memory, stream);
  (void)yoke::copy_async(memory.span(), locked, stream);
  (void)yoke::copy_async(coarse, locked, stream);
  (void)yoke::copy_async(fine, memory, stream);
  (void)yoke::copy_async(yoke::strided(locked, box), yoke::strided(memory, box), stream);
#endif
}

int main() {}
