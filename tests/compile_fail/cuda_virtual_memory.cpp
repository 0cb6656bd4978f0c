// SPDX-License-Identifier: MIT
// Growing allocations are neither copied nor of const elements; what is const is not written; mappings are not released.
// expect 1: deleted|implicitly-deleted
// expect 2: device memory holds trivially copyable, non-pointer, non-const types
// expect 3: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<(const )?int>
// expect 4: the_kernel_writes_it_pass_memory_that_is_not_const
// expect 5: the_element_types_differ_pass_device_memory_of_the_parameters
// expect 6: deleted
// expect 7: device memory holds trivially copyable, non-pointer types
// expect 8: no (match|matching)
// expect 9: deleted|implicitly-deleted
#include <yoke/yoke.hpp>

namespace cu = yoke::cuda;

extern const cu::context& context;
extern const cu::stream& stream;
extern cu::growing_allocation<int>& memory;
extern const cu::growing_allocation<int>& read_only;
extern const cu::kernel<void(int*)>& kernel;
extern const cu::kernel<void(float*)>& other_kernel;
extern cu::memory_mapping& mapping;
extern cu::file_descriptor& descriptor;

template <class Owner>
Owner again(Owner& owner) {
#if YOKE_BAD == 1
  return owner;
#else
  return std::move(owner);
#endif
}

cu::file_descriptor same(cu::file_descriptor& one) {
#if YOKE_BAD == 9
  return one;
#else
  return std::move(one);
#endif
}

void use() {
#if YOKE_BAD == 2
  const cu::growing_allocation<const int> wrong{context, 10};
#elif YOKE_BAD == 3
  yoke::copy(memory, read_only, stream);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, read_only);
#elif YOKE_BAD == 5
  other_kernel(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 6
  (void)mapping.release();
#elif YOKE_BAD == 7
  (void)mapping.span<int*>();
#elif YOKE_BAD == 8
  (void)cu::physical_memory::open(context, 3, 4096);
#else
  const cu::growing_allocation<int> right{context, 10};
  yoke::copy(read_only, memory, stream);
  kernel(stream, {.grid = 1}, memory);
  mapping.reset();
  (void)mapping.span<int>();
  (void)cu::physical_memory::open(context, descriptor, 4096);
#endif
  (void)again(memory);
  (void)same(descriptor);
}

int main() {}
