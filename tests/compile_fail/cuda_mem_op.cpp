// SPDX-License-Identifier: MIT
// A word of a memory operation is device memory of CUDA with one integer of 4 or 8 bytes, which is written if it can be.
// expect 1: \ba_word_is_an_integer_of_4_or_8_bytes\b.*mem_op_mismatch<(const )?float>
// expect 2: \ba_word_is_an_integer_of_4_or_8_bytes\b.*mem_op_mismatch<(const )?(short|bool)>
// expect 3: \bpass_device_memory_with_one_integer\b.*mem_op_mismatch<
// expect 4: \bpass_device_memory_with_one_integer\b.*mem_op_mismatch<
// expect 5: \bthis_memory_cannot_be_written\b.*mem_op_mismatch<
// expect 6: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*mem_op_mismatch<
// expect 7: \bpass_device_memory_with_one_integer\b.*mem_op_mismatch<
// expect 8: \bmanaged_memory_takes_no_memory_operations\b.*mem_op_mismatch<
#include <yoke/mem_op.hpp>
#include <yoke/yoke.hpp>

#include <cstdint>
#include <vector>

namespace cu = yoke::cuda;

extern const cu::context& context;
extern const cu::stream& stream;
extern cu::device_allocation<std::uint32_t>& word;
extern cu::managed_allocation<std::uint32_t>& managed;
extern cu::device_allocation<float>& real;
extern cu::device_allocation<short>& narrow;
extern std::vector<std::uint32_t>& pageable;
extern yoke::device_allocation<std::uint32_t, yoke::opencl::port>& elsewhere;

void use() {
  cu::write_value(word, 1U, stream);
  cu::wait_value(std::as_const(word), cu::value_test::equal, 1U, stream);
  cu::enqueue_mem_ops({cu::mem_op::write(word.span(), 1U), cu::mem_op::barrier()}, stream);
#if YOKE_BAD == 1
  cu::write_value(real, 1.0F, stream);
#elif YOKE_BAD == 2
  cu::wait_value(narrow, cu::value_test::equal, 1, stream);
#elif YOKE_BAD == 3
  cu::wait_value(pageable, cu::value_test::equal, 1U, stream);
#elif YOKE_BAD == 4
  cu::wait_value(elsewhere, cu::value_test::equal, 1U, stream);
#elif YOKE_BAD == 5
  cu::write_value(std::as_const(word), 1U, stream);
#elif YOKE_BAD == 6
  cu::write_value(cu::device_allocation<std::uint32_t>{context, 1}, 1U, stream);
#elif YOKE_BAD == 7
  std::uint32_t number = 0;
  cu::write_value(number, 1U, stream);
#elif YOKE_BAD == 8
  cu::write_value(managed, 1U, stream);
#endif
}
