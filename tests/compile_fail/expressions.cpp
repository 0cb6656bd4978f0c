// SPDX-License-Identifier: MIT
// What expressions of arrays are not: fewer axes than they have, a bool, of two backends, writable through const views.
// expect 1: the expression has more axes than the destination
// expect 2: an expression of arrays is no condition: write any\(e\).get\(\) or all\(e\).get\(\)
// expect 3: the arrays of an expression are of one backend
// expect 4: this view cannot be written
// expect 5: take integers
// expect 6: nodiscard|ignoring return value|discard
// expect 7: an expression is assigned to an array of its own backend
// expect 8: an expression of arrays is no condition: .*whether `a` holds an array is bool\(a\)
// expect 9: an expression of arrays is no condition
// expect 10: an expression of arrays is no condition
#if YOKE_BAD == 6
#pragma GCC diagnostic error "-Wunused-result"
#endif
#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern yoke::device_array<float, 1, ocl::port>& row;
extern yoke::device_array<float, 2, ocl::port>& table;
extern yoke::device_array<float, 1, yoke::cuda::port>& other;
extern yoke::device_view<const float, 1, ocl::port>& constant;

void use() {
#if YOKE_BAD == 1
  row = 2 * table;
#elif YOKE_BAD == 2
  if (row == row) row = 2 * row;
#elif YOKE_BAD == 3
  row = row + other;
#elif YOKE_BAD == 4
  constant.assign(2 * row);
#elif YOKE_BAD == 5
  row = row % 2;
#elif YOKE_BAD == 6
  2 * row;
#elif YOKE_BAD == 7
  other = 2 * row;
#elif YOKE_BAD == 8
  if (!row) row = 2 * row;
#elif YOKE_BAD == 9
  if (row && true) row = 2 * row;
#elif YOKE_BAD == 10
  while (row > 1 || !table) row = 2 * row;
#else
  if (row) row = 2 * row;
  if (!bool(row)) row = 2 * row;
  if (any(row == row).get() && !all(row > 1).get()) row = 2 * row;
  table = 2 * row + constant;
  row = where(row == 2, row, constant);
#endif
}

int main() {}
