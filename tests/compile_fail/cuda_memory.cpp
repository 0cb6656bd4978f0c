// SPDX-License-Identifier: MIT
// Read-only memory is no destination, pitched rows want elements that fit their padding, and guards matter.
// expect 1: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<(const )?int>
// expect 2: rows are padded for elements of 1, 2, 4, 8 or 16 bytes
// expect 3: nodiscard|warn_unused_result|unused
// expect 4: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?int>
// expect 5: deleted|implicitly-deleted
// expect 6: deleted|implicitly-deleted
#include <yoke/yoke.hpp>

#include <vector>

namespace cu = yoke::cuda;

extern const cu::context& context;
extern const cu::stream& stream;
extern cu::device_allocation<int>& memory;
extern const cu::registered_memory<const int>& read_only;
extern cu::registered_memory<int>& registered;
extern cu::pitched_allocation<int>& rows;
extern std::vector<int>& pageable;
struct three {
  char bytes[3];
};

template <class Owner>
Owner again(Owner& owner) {
#if YOKE_BAD == 5 || YOKE_BAD == 6
  return owner;
#else
  return std::move(owner);
#endif
}

void use() {
#if YOKE_BAD == 1
  yoke::copy(memory, read_only, stream);
#elif YOKE_BAD == 2
  const cu::pitched_allocation<three> wrong{context, 10, 10};
#elif YOKE_BAD == 3
  context.activate();
#elif YOKE_BAD == 4
  (void)yoke::copy_async(pageable, rows, stream);
#elif YOKE_BAD == 5
  (void)again(registered);
#elif YOKE_BAD == 6
  (void)again(rows);
#else
  yoke::copy(read_only, memory, stream);
  const cu::pitched_allocation<int> right{context, 10, 10};
  const auto active = context.activate();
  (void)yoke::copy_async(registered, rows, stream);
  (void)again(registered);
  (void)again(rows);
#endif
}

int main() {}
