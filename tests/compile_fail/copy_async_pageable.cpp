// SPDX-License-Identifier: MIT
// The holes of the copy matrix with pageable memory: an asynchronous or enqueued copy could outlive it.
// expect 1: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 2: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 3: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 4: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 5: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 6: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 7: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 8: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 9: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 10: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 11: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 12: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 13: asynchronous_copy_needs_pagelocked_memory<(const )?int>
// expect 14: enqueued_copy_of_memory_that_ends_here<.*pagelocked_array<int
// expect 15: enqueued_copy_of_memory_that_ends_here<.*device_allocation<int
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
#else
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
