// SPDX-License-Identifier: MIT
// A word of a memory operation is device memory of CUDA with one integer of 4 or 8 bytes, which is written if it can be.
// expect 1: \ba_word_is_an_integer_of_4_or_8_bytes\b.*mem_op_mismatch<(const )?float>
// expect 2: \ba_word_is_an_integer_of_4_or_8_bytes\b.*mem_op_mismatch<(const )?(short( int)?|bool)>
// expect 3: \bpass_device_memory_with_one_integer\b.*mem_op_mismatch<
// expect 4: \bpass_device_memory_with_one_integer\b.*mem_op_mismatch<
// expect 5: \bthis_memory_cannot_be_written\b.*mem_op_mismatch<
// expect 6: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*mem_op_mismatch<
// expect 7: \bpass_device_memory_with_one_integer\b.*mem_op_mismatch<
// expect 9: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*mem_op_mismatch<
// expect 10: \bpass_memory_of_the_cuda_port_not_of_any_port\b.*mem_op_mismatch<
// expect 11: \ba_word_is_an_integer_of_4_or_8_bytes\b.*mem_op_mismatch<(const )?(pair|bytes)
// expect 12: \bpass_a_stream_of_cuda_or_a_recorder_that_is_not_const\b.*mem_op_mismatch<
// expect 13: \bpass_a_stream_of_cuda_or_a_recorder_that_is_not_const\b.*mem_op_mismatch<
// expect 8: \bmanaged_memory_takes_no_memory_operations\b.*mem_op_mismatch<
#include <yoke/array.hpp>
#include <yoke/cuda/mem_op.hpp>
#include <yoke/yoke.hpp>

#include <cstdint>
#include <vector>

namespace cu = yoke::cuda;

extern const cu::context& context;
extern const cu::stream& stream;
extern cu::device_allocation<std::uint32_t>& word;
struct pair {
  std::uint16_t a, b;
};
extern cu::managed_allocation<std::uint32_t>& managed;
extern cu::device_allocation<pair>& structs;
extern yoke::device_allocation<std::uint32_t>& any_word;
extern const yoke::stream<>& any_stream;
extern const cu::graph_recorder& record;
extern yoke::device_array<std::uint32_t, 0, cu::port>& (*make)();
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
#elif YOKE_BAD == 9
  cu::write_value(std::move(make()), 1U, stream);
#elif YOKE_BAD == 10
  cu::write_value(any_word, 1U, stream);
#elif YOKE_BAD == 11
  cu::write_value(structs, 1U, stream);
#elif YOKE_BAD == 12
  cu::write_value(word, 1U, any_stream);
#elif YOKE_BAD == 13
  cu::wait_value(word, cu::value_test::equal, 1U, record);
#elif YOKE_BAD == 8
  cu::write_value(managed, 1U, stream);
#endif
}
