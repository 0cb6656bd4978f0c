// SPDX-License-Identifier: MIT
// Managed memory of const elements is not written, nor passed on as another type or by value; locations are no numbers.
// expect 1: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<(const )?int>
// expect 2: the_kernel_writes_it_pass_memory_that_is_not_const
// expect 3: the_element_types_differ_pass_device_memory_of_the_parameters
// expect 4: (wrap_it_in_yoke_out_or_yoke_in_out|pass_device_memory)
// expect 5: no (match|matching)
// expect 6: deleted|implicitly-deleted
// expect 7: managed memory holds trivially copyable, non-pointer, non-const types
// expect 8: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 9: assign|read-only|const
#include <yoke/yoke.hpp>

#include <vector>

namespace cu = yoke::cuda;

extern const cu::context& context;
extern const cu::stream& stream;
extern cu::managed_allocation<int>& memory;
extern const cu::managed_allocation<int>& read_only;
extern const cu::kernel<void(int*)>& kernel;
extern const cu::kernel<void(float*)>& other_kernel;
extern std::vector<int>& pageable;

template <class Owner>
Owner again(Owner& owner) {
#if YOKE_BAD == 6
  return owner;
#else
  return std::move(owner);
#endif
}

void use() {
#if YOKE_BAD == 1
  yoke::copy(memory, read_only, stream);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, read_only);
#elif YOKE_BAD == 3
  other_kernel(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, memory.host(stream));
#elif YOKE_BAD == 5
  memory.prefetch(0, stream);
#elif YOKE_BAD == 6
  (void)again(memory);
#elif YOKE_BAD == 7
  const cu::managed_allocation<const int> wrong{context, 10};
#elif YOKE_BAD == 8
  (void)yoke::copy_async(pageable, memory, stream);
#elif YOKE_BAD == 9
  read_only.host(stream)[0] = 1;
#else
  yoke::copy(read_only, memory, stream);
  kernel(stream, {.grid = 1}, memory);
  memory.prefetch(cu::memory_location::host(), stream);
  (void)again(memory);
  const cu::managed_allocation<int> right{context, 10};
  yoke::copy(pageable, memory, stream);
  memory.host(stream)[0] = read_only.host(stream)[0];
#endif
}

int main() {}
