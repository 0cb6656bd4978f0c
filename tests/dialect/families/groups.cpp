// SPDX-License-Identifier: MIT
// What the threads of a work-group, and of a sub-group, work out together.
#include <dialect/table.hpp>

namespace yoke_test::dialect {

namespace {

/// Reductions, scans and a broadcast over a group of 45 threads, (5, 9): no power of two.
kernel work_groups(const std::string& type, const std::string& feature, bool is_signed) {
  const std::string source =
      "YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {\n  YOKE_LOCAL " + type +
      " scratch[45];\n  int i = (int)get_local_linear_id();\n  " + type + " value = (" + type + ")((i * 7) % 45) " +
      (is_signed ? "- 20" : "+ 0") + ";\n" + R"(
  YOKE_GLOBAL yoke_uint64* to = out + 6 * i;
  to[0] = (yoke_uint64)(yoke_int64)yoke_work_group_reduce_add(scratch, value);
  to[1] = (yoke_uint64)(yoke_int64)yoke_work_group_reduce_min(scratch, value);
  to[2] = (yoke_uint64)(yoke_int64)yoke_work_group_reduce_max(scratch, value);
  to[3] = (yoke_uint64)(yoke_int64)yoke_work_group_scan_inclusive_add(scratch, value);
  to[4] = (yoke_uint64)(yoke_int64)yoke_work_group_scan_exclusive_add(scratch, value);
  to[5] = (yoke_uint64)(yoke_int64)yoke_work_group_broadcast(scratch, value, 13);
}
)";
  const int shift = is_signed ? 20 : 0;
  std::vector<std::int64_t> expected;
  std::int64_t before = 0;
  for (int i = 0; i < 45; ++i) {
    const std::int64_t value = i * 7 % 45 - shift;
    expected.insert(expected.end(),
                    {44 * 45 / 2 - 45 * shift, -shift, 44 - shift, before + value, before, 13 * 7 % 45 - shift});
    before += value;
  }
  return whole_kernel("work_groups_of_" + type, feature, source, expected, {1, 1, 1}, {5, 9, 1});
}

/// What holds for sub-groups of any size, each answer in one bit: all words are 1. 40 threads: the last sub-group may
/// be smaller.
kernel sub_groups(const std::string& type) {
  return whole_kernel("sub_groups_of_" + type, "SUB_GROUPS", "#define T " + type + R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_LOCAL T values[40];
  YOKE_LOCAL uint sizes[40];
  uint me = (uint)get_local_linear_id();
  uint lane = yoke_sub_group_local_id();
  uint size = yoke_sub_group_size();
  uint first = me - lane;
  T value = (T)((me * 7) % 40);
  values[me] = value;
  sizes[me] = lane == 0 ? size : 0;
  YOKE_BARRIER_LOCAL();
  uint total = 0;
  for (int i = 0; i < 40; ++i) total += sizes[i];
  T sum = 0;
  T least = 1000;
  T most = 0;
  T before = 0;
  yoke_uint64 odd = 0;
  for (uint i = 0; i < size; ++i) {
    T each = values[first + i];
    if (i < lane) before += each;
    sum += each;
    if (each < least) least = each;
    if (each > most) most = each;
    if ((int)each % 2 == 1) odd |= (yoke_uint64)1 << i;
  }
  YOKE_GLOBAL yoke_uint64* to = out + 16 * me;
  uint known = YOKE_SUB_GROUP_SIZE;  // of all but the last one
  to[0] = total == 40 && lane < size && size <= 64 && (known == 0 || yoke_sub_group_id() != 0 || size == known);
  to[1] = yoke_sub_group_id() < yoke_sub_group_count();
  T shuffled = yoke_sub_group_shuffle(value, size - 1 - lane);
  to[2] = shuffled == values[first + size - 1 - lane];
  T crossed = yoke_sub_group_shuffle_xor(value, 1);
  to[3] = (lane ^ 1) >= size || crossed == values[first + (lane ^ 1)];
  T above = yoke_sub_group_shuffle_up(value, 2);
  to[4] = lane < 2 || above == values[me - 2];
  T below = yoke_sub_group_shuffle_down(value, 2);
  to[5] = lane + 2 >= size || below == values[me + 2];
  to[6] = yoke_sub_group_broadcast(value, 0) == values[first];
  to[7] = yoke_sub_group_reduce_add(value) == sum;
  to[8] = yoke_sub_group_reduce_min(value) == least;
  to[9] = yoke_sub_group_reduce_max(value) == most;
  to[10] = yoke_sub_group_scan_inclusive_add(value) == before + value;
  to[11] = yoke_sub_group_scan_exclusive_add(value) == before;
  to[12] = yoke_sub_group_ballot((int)value % 2 == 1) == odd;
  to[13] = (yoke_sub_group_any(lane == 0) != 0) + (yoke_sub_group_any(lane > 100) != 0);
  to[14] = (yoke_sub_group_all(lane < 100) != 0) + (yoke_sub_group_all(lane > 0) != 0);
  values[me] = value + 1;
  yoke_sub_group_barrier();
  to[15] = values[first + (lane + 1) % size] == (T)(((first + (lane + 1) % size) * 7) % 40 + 1);
}
)",
                      std::vector<std::int64_t>(std::size_t{16} * 40, 1), {1, 1, 1}, {20, 2, 1});
}

}  // namespace

std::vector<kernel> group_kernels() {
  return {work_groups("int", "", true),
          work_groups("uint", "", false),
          work_groups("yoke_int64", "", true),
          work_groups("yoke_uint64", "", false),
          work_groups("float", "", true),
          work_groups("double", "FP64", true),
          sub_groups("int"),
          sub_groups("uint"),
          sub_groups("float")};
}

}  // namespace yoke_test::dialect
