// SPDX-License-Identifier: MIT
// A tensor map is of an array of CUDA's port, of its own type and rank; a kernel that writes takes no map of const elements.
// expect 1: \bpass_an_array_or_a_view_on_the_device\b.*tensor_map_mismatch<
// expect 2: \bpass_an_array_of_the_cuda_port\b.*tensor_map_mismatch<
// expect 3: \bpass_an_array_of_the_maps_rank\b.*tensor_map_mismatch<
// expect 4: \bpass_an_array_of_the_maps_type\b.*tensor_map_mismatch<
// expect 5: \bthe_array_ends_with_the_statement_pass_a_variable\b.*tensor_map_mismatch<
// expect 6: \bthis_array_cannot_be_written_make_a_map_of_const_elements\b.*tensor_map_mismatch<
// expect 7: \bthis_array_cannot_be_written_make_a_map_of_const_elements\b.*tensor_map_mismatch<
// expect 8: a tensor map has one to five axes
// expect 9: a tensor map has integers or floating-point numbers of 1 to 8 bytes
// expect 10: \bpass_a_tensor_map\b.*kernel_argument_mismatch<1\w*, .*float ?\*, .*tensor_map<float, 2\w*>
// expect 11: \bpass_a_tensor_map_of_the_parameters_rank\b.*kernel_argument_mismatch<1
// expect 12: \bpass_a_tensor_map_of_the_parameters_type\b.*kernel_argument_mismatch<1
// expect 13: \bthe_kernel_writes_by_it_pass_a_tensor_map_without_const\b.*kernel_argument_mismatch<1
#include <yoke/array.hpp>
#include <yoke/cuda/tensor_map.hpp>
#include <yoke/yoke.hpp>

#include <utility>
#include <vector>

namespace cu = yoke::cuda;

extern yoke::device_array<float, 2, cu::port>& array;
extern yoke::device_array<float, 2>& elsewhere;
extern yoke::device_array<float, 6, cu::port>& deep;
extern yoke::device_array<bool, 2, cu::port>& flags;
extern std::vector<float>& host;
extern float* pointer;
extern cu::tensor_map<float, 2>& map;
extern cu::tensor_map<float, 1>& line;
extern cu::tensor_map<int, 2>& integers;
extern cu::tensor_map<const float, 2>& of_const;
extern const cu::kernel<void(cu::tensor_map<float, 2>)>& writes;
extern const cu::kernel<void(cu::tensor_map<const float, 2>)>& reads;
extern const cu::stream& stream;

void use() {
  const cu::tensor_map<float, 2> made(array, {8, 8});
  const cu::tensor_map<const float, 2> only_read(std::as_const(array), {8, 8});
  const cu::tensor_map<const float, 2> of_view(array.view(), {8, 8});
  writes(stream, {.grid = 1, .block = 32}, made);
  reads(stream, {.grid = 1, .block = 32}, made);
  reads(stream, {.grid = 1, .block = 32}, only_read);
#if YOKE_BAD == 1
  const cu::tensor_map<float, 1> bad(host, {8});
#elif YOKE_BAD == 2
  const cu::tensor_map<float, 2> bad(elsewhere, {8, 8});
#elif YOKE_BAD == 3
  const cu::tensor_map<float, 1> bad(array, {8});
#elif YOKE_BAD == 4
  const cu::tensor_map<double, 2> bad(array, {8, 8});
#elif YOKE_BAD == 5
  const cu::tensor_map<float, 2> bad(std::move(array), {8, 8});
#elif YOKE_BAD == 6
  const cu::tensor_map<float, 2> bad(std::as_const(array), {8, 8});
#elif YOKE_BAD == 7
  const cu::tensor_map<float, 2> bad(std::as_const(array).view(), {8, 8});
#elif YOKE_BAD == 8
  const cu::tensor_map<float, 6> bad(deep, {1, 1, 1, 1, 1, 8});
#elif YOKE_BAD == 9
  const cu::tensor_map<bool, 2> bad(flags, {8, 16});
#elif YOKE_BAD == 10
  writes(stream, {.grid = 1, .block = 32}, pointer);
#elif YOKE_BAD == 11
  writes(stream, {.grid = 1, .block = 32}, line);
#elif YOKE_BAD == 12
  writes(stream, {.grid = 1, .block = 32}, integers);
#elif YOKE_BAD == 13
  writes(stream, {.grid = 1, .block = 32}, of_const);
#endif
}
