// SPDX-License-Identifier: MIT
// A recorder takes what a stream takes, except what waits for the device; nodes take what they were recorded with.
// expect 1: \bpass_a_pagelocked_array_or_use_yoke_copy\b.*copy_mismatch<(const )?float>
// expect 2: \ba_recording_cannot_wait_write_enqueue_copy\b.*copy_mismatch
// expect 3: \benqueue_takes_no_host_range_pass_device_memory\b.*kernel_argument_mismatch<1,
// expect 4: \bthe_element_types_differ_pass_memory_of_the_same_type\b.*copy_mismatch<(const )?(int|float), (int|float)>
// expect 5: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*vector
// expect 6: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*copy_mismatch<
// expect 7: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<1>.*\bexpected_count<2,
// expect 8: kernel_argument_mismatch<1,
// expect 9: \bthe_node_copies_other_elements_or_between_other_kinds_of_memory\b.*copy_mismatch<
// expect 10: \bmemory_and_stream_are_of_different_backends_pass_those_of_one\b.*copy_mismatch<
// expect 11: \bonly_copies_of_device_memory_change_record_this_one_anew\b.*copy_mismatch<
// expect 12: no member|has no|constraint|no matching|not satisfied
// expect 13: deleted|implicitly-deleted
// expect 14: no (match|matching)|cannot (bind|convert)|drop|discards|lvalue
// expect 15: \bpass_device_memory_of_the_graphs_backend\b.*condition_mismatch<
// expect 16: \bthe_value_is_an_int_or_an_unsigned\b.*condition_mismatch<float
// expect 17: a body is a function of a recorder
// expect 18: no (match|matching|viable)|cannot convert|could not convert
// expect 19: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*condition_mismatch<
// expect 20: \bthe_memory_ends_with_the_statement_pass_a_variable\b.*condition_mismatch<
// expect 21: \bonly_fills_of_device_memory_change_record_this_one_anew\b.*fill_mismatch<
// expect 22: \bonly_fills_of_device_memory_change_record_this_one_anew\b.*fill_mismatch<
// expect 23: \bthe_node_fills_memory_of_another_element_type\b.*fill_mismatch<int, float>
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <utility>
#include <vector>

namespace ocl = yoke::opencl;
namespace cu = yoke::cuda;

extern ocl::graph_recorder& record;
extern const ocl::graph_recorder& constant_record;
extern ocl::graph_executable& exec;
extern const ocl::kernel<void(float*, int)>& kernel;
extern ocl::device_allocation<float>& x;
extern ocl::device_allocation<float>& y;
extern ocl::device_allocation<int>& ints;
extern ocl::pagelocked_array<float>& locked;
extern std::vector<float>& host;
extern cu::device_allocation<float>& foreign;
extern ocl::svm_allocation<float, ocl::svm::coarse>& shared;
extern yoke::image<float, 2, ocl::port>& picture;
extern const ocl::context& in;
extern const yoke::stream<ocl::port>& stream;
using device_int = yoke::device_value<int, ocl::port>;

template <class Recorder>
Recorder again(Recorder& recorder) {
#if YOKE_BAD == 13
  return recorder;
#else
  return std::move(recorder);
#endif
}

void use() {
  const auto node = kernel(record, {.grid = 1, .block = 16}, x, 3);
  const auto copied = yoke::enqueue_copy(x, y, record);
#if YOKE_BAD == 1
  yoke::enqueue_copy(host, x, record);
#elif YOKE_BAD == 2
  yoke::copy(x, y, record);
#elif YOKE_BAD == 3
  kernel(record, {.grid = 1}, yoke::in_out(host), 3);
#elif YOKE_BAD == 4
  yoke::copy_async(x, ints, record);
#elif YOKE_BAD == 5
  yoke::fill(host, 1.0F, record);
#elif YOKE_BAD == 6
  yoke::enqueue_copy(x, ocl::device_allocation<float>(in, 3), record);
#elif YOKE_BAD == 7
  kernel(record, {.grid = 1}, x);
#elif YOKE_BAD == 8
  node.set(exec, ints, 3);
#elif YOKE_BAD == 9
  copied.set(exec, x, locked);
#elif YOKE_BAD == 10
  yoke::enqueue_copy(x, foreign, record);
#elif YOKE_BAD == 11
  yoke::enqueue_copy(x, shared, record).set(exec, x, shared);
#elif YOKE_BAD == 12
  record.call([] {});
#elif YOKE_BAD == 13
  (void)again(record);
#elif YOKE_BAD == 14
  kernel(constant_record, {.grid = 1}, x, 3);
#elif YOKE_BAD == 15
  record.when(locked, [](auto&) {});
#elif YOKE_BAD == 16
  record.repeat_while(x, [](auto&) {});
#elif YOKE_BAD == 17
  record.when(ints, [] {});
#elif YOKE_BAD == 18
  record.when(3, [](auto&) {});
#elif YOKE_BAD == 19
  record.when(ocl::device_allocation<int>(in, 1), [](auto&) {});
#elif YOKE_BAD == 20
  record.choose(std::move(ints), [](auto&) {});
#elif YOKE_BAD == 21
  yoke::fill(picture, 1.0F, record).set(exec, picture, 2.0F);
#elif YOKE_BAD == 22
  yoke::fill(shared, 1.0F, record).set(exec, shared, 2.0F);
#elif YOKE_BAD == 23
  yoke::fill(x, 1.0F, record).set(exec, ints, 2.0F);
#else
  record.when(ints.span(), [](auto&) {});
  record.when(ints.subspan(0, 1), [](auto&) {});
  record.when(device_int(stream, 1), [](auto&) {});            // the graph keeps it
  record.when(yoke::full<int>(1, {1}, stream), [](auto&) {});  // and arrays
  yoke::fill(x, 1.0F, record).set(exec, y, 2.0F);
  yoke::fill(picture, 1.0F, record);
  record.when(
      ints, [](auto& line) { line.repeat_while(ints, [](auto&) {}); }, [](auto&) {});
  record.choose(ints, [](auto&) {});
  yoke::enqueue_copy(locked, x, record);
  yoke::enqueue_copy(x, shared, record);
  yoke::fill(shared, 1, record);
  yoke::copy_async(x, locked, record);
  kernel(record.after({node, copied}), yoke::launch_over(16), x, 3);
  yoke::fill(x.span(), 1, record.fork());
  node.set(exec, y, 3);
  node.set(exec, {.grid = 2, .block = 8}, y, 3);
  copied.set(exec, y, x);
  exec.disable(node);
  (void)again(record);
#endif
}
