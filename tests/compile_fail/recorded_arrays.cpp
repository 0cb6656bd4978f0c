// SPDX-License-Identifier: MIT
// What arrays do on a recorder: nothing that waits for the device, makes memory or reads ordinary host memory.
// expect 1: \ba_recording_cannot_wait_write_copy_to_pagelocked_memory\b.*recording_mismatch<
// expect 2: \bthe_memory_is_not_pagelocked_pass_a_pagelocked_array\b.*recording_mismatch<.*vector
// expect 3: only what is assigned to is bound to a recorder: read the array itself
// expect 4: a reduction, scan or sorted array as total.bind\(record\) = pass::sum\(a\)
// expect 5: this view cannot be written
// expect 6: the recorder is of another backend than the array
// expect 7: \ba_recording_makes_no_arrays_assign_to_one_that_exists\b.*recording_mismatch<
// expect 8: \bthe_element_types_differ_pass_memory_of_the_same_type\b.*recording_mismatch<
// expect 9: the expression has more axes than the destination
// expect 10: the source has more axes than the destination
// expect 11: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<3>.*\bexpected_count<2,
// expect 14: a reduction is assigned to elements of its own type
// expect 15: a reduction without axes has one element
// expect 16: \bpass_one_argument_for_each_parameter\b.*kernel_arguments_mismatch<.*\bgiven_count<2>.*\bexpected_count<1,
// expect 17: this view cannot be written
// expect 18: \bthis_array_is_made_now_not_at_each_launch_assign_pass_cumsum_or_its_like_or_name_the_array\b
// expect 19: \bthis_array_is_made_now_not_at_each_launch_assign_pass_cumsum_or_its_like_or_name_the_array\b
// expect 20: a scan is assigned to elements of its own type
// expect 21: a scan without an axis has one axis itself
// expect 22: sorted elements are assigned to as many of their own type
// expect 23: what is taken is assigned to as many elements of its own type
// expect 24: what is selected has the selection's type
// expect 25: this array cannot be written: sorted\(a\) makes a new one
// expect 26: places among sorted elements are assigned to std::int64_t
// expect 27: counts are assigned to std::int64_t along one axis
// expect 28: the result of the reduction has another rank
// expect 29: this array cannot be written
// expect 30: what is parted is assigned by pass::partition
// expect 31: \bthis_selection_is_made_now_not_at_each_launch_assign_pass_copy_if_or_its_like\b
// expect 32: this view cannot be written
// expect 33: what is parted is assigned by pass::partition
// expect 12: deleted
// expect 13: \bpass_a_pagelocked_array_or_an_array_of_the_device\b.*recording_mismatch<
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

template <class T, std::size_t Rank>
using array = yoke::device_array<T, Rank, ocl::port>;

extern array<float, 1>& row;
extern array<float, 2>& table;
extern array<std::int64_t, 1>& places;
extern yoke::selection<float, ocl::port>& chosen;
extern yoke::parted<float, ocl::port>& both;
extern yoke::device_view<const float, 1, ocl::port>& constant;
extern ocl::pagelocked_array<float>& locked;
extern ocl::pagelocked_array<int>& ints;
extern std::vector<float>& host;
extern ocl::graph_recorder& record;
extern cu::graph_recorder& other;
extern const yoke::reduction_kernel<float(const float*), ocl::port>& total;
extern const yoke::scan_kernel<float(float*), ocl::port>& steps;
extern yoke::device_value<float, ocl::port>& one;
extern const yoke::elementwise_kernel<void(float*, float), ocl::port>& scale;

void use() {
#if YOKE_BAD == 1
  (void)row.bind(record).to_host();
#elif YOKE_BAD == 2
  row.bind(record).assign(host);
#elif YOKE_BAD == 3
  row.bind(record) = 2 * row.bind(record);
#elif YOKE_BAD == 4
  (void)yoke::sum(row.bind(record));
#elif YOKE_BAD == 5
  constant.bind(record).fill(1);
#elif YOKE_BAD == 6
  row.bind(other).fill(1);
#elif YOKE_BAD == 7
  (void)row.bind(record).copy();
#elif YOKE_BAD == 8
  row.bind(record).copy_to(ints);
#elif YOKE_BAD == 9
  row.bind(record) = 2 * table;
#elif YOKE_BAD == 10
  row.bind(record).assign(table);
#elif YOKE_BAD == 11
  scale(record, row, 2.0F, 3);
#elif YOKE_BAD == 12
  row.bind(record) = row.bind(record);
#elif YOKE_BAD == 13
  row.bind(record).assign(record);
#elif YOKE_BAD == 14
  row.bind(record).assign(yoke::pass::argmax(table, yoke::along(0)));
#elif YOKE_BAD == 15
  row.bind(record) = yoke::pass::sum(table);
#elif YOKE_BAD == 16
  total(record, one, row, 3);
#elif YOKE_BAD == 17
  std::as_const(row).bind(record).fill(1);
#elif YOKE_BAD == 18
  row.bind(record) = yoke::cumsum(row);
#elif YOKE_BAD == 19
  row.bind(record).assign(yoke::sorted(row));
#elif YOKE_BAD == 20
  row.bind(record) = yoke::pass::cumsum(places);
#elif YOKE_BAD == 21
  table.bind(record) = yoke::pass::cumsum(table);
#elif YOKE_BAD == 22
  places.bind(record) = yoke::pass::sorted(row);
#elif YOKE_BAD == 23
  table.bind(record) = yoke::pass::take(row, places);
#elif YOKE_BAD == 24
  chosen.bind(record) = yoke::pass::indices_where(row > 1);
#elif YOKE_BAD == 25
  yoke::sort(constant.bind(record));
#elif YOKE_BAD == 26
  row.bind(record) = yoke::pass::lower_bound(row, row);
#elif YOKE_BAD == 27
  row.bind(record) = yoke::pass::bincount(places, 3);
#elif YOKE_BAD == 28
  row.bind(record) = yoke::pass::sum(row, yoke::along(0));
#elif YOKE_BAD == 29
  yoke::put(constant.bind(record), places, 1);
#elif YOKE_BAD == 30
  both.bind(record) = yoke::pass::copy_if(row, row > 1);
#elif YOKE_BAD == 31
  chosen.bind(record) = yoke::copy_if(row, row > 1);
#elif YOKE_BAD == 32
  constant.bind(record) = yoke::pass::sorted(row);
#elif YOKE_BAD == 33
  both.assign(yoke::pass::copy_if(row, row > 1));
#else
  both.bind(record) = yoke::pass::partition(row, row > 1);
  both.assign(yoke::pass::partition(row, row > 1));
  chosen.bind(record) = yoke::pass::copy_if(row, row > 1);
  yoke::sort(row.bind(record));
  yoke::put(row.bind(record), places, 1);
  row.bind(record) = yoke::pass::cumsum(row);
  row.bind(record) = yoke::pass::take(row, places);
  places.bind(record) = yoke::pass::lower_bound(row, row);
  total(record, one, row);
  steps(record, row);
  row.bind(record).assign(yoke::pass::sum(table, yoke::along(1)));
  table(0)(0).bind(record) = yoke::pass::sum(table);
  row.bind(record).copy_to(locked);
  std::as_const(row).bind(record).copy_to(locked);
  row.bind(record).assign(locked);
  row.bind(record) = 2 * row;
  row.bind(record) = table(0);
  table.bind(record.fork()).assign(row);
  row.bind(record) += constant;
  row.bind(record) = 5;
  scale(record, row, 2.0F);
  scale(record.fork(), row, 2.0F);
#endif
}
