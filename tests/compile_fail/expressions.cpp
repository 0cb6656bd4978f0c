// SPDX-License-Identifier: MIT
// What expressions of arrays are not: fewer axes than they have, a bool, of two backends, writable through const views, real
// where they are complex, numbers where they are structs.
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
// expect 11: a complex number is no real one: assign real\(z\), imag\(z\) or abs\(z\)
// expect 12: only real numbers have an order
// expect 13: this operation takes no complex numbers
// expect 14: a complex number is no real one: take real\(z\), imag\(z\) or abs\(z\)
// expect 15: only real numbers have an order
// expect 16: structs have no operators: name members
// expect 17: a struct is assigned to structs of its own type
// expect 18: structs are reduced and scanned by operators of your own, as reduce<join, neutral>\(a\): or name members
// expect 19: a complex number is no real one: evaluate real\(z\), imag\(z\) or abs\(z\)
// expect 20: the exponent of ldexp is an integer that fits into int: cast<int>\(n\)
// expect 21: frexp and modf take real numbers: real\(z\), imag\(z\) or abs\(z\)
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <complex>

#if YOKE_BAD == 6
#pragma GCC diagnostic error "-Wunused-result"
#endif

struct cell {
  float mass;
};
YOKE_STRUCT(cell, mass);

namespace ocl = yoke::opencl;

extern yoke::device_array<float, 1, ocl::port>& row;
extern yoke::device_array<float, 2, ocl::port>& table;
extern yoke::device_array<float, 1, yoke::cuda::port>& other;
extern yoke::device_view<const float, 1, ocl::port>& constant;
extern yoke::device_array<std::complex<float>, 1, ocl::port>& phase;
extern yoke::device_array<cell, 1, ocl::port>& cells;

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
#elif YOKE_BAD == 11
  row = 2 * phase;
#elif YOKE_BAD == 12
  row = phase < phase;
#elif YOKE_BAD == 13
  phase = floor(phase);
#elif YOKE_BAD == 14
  row = yoke::cast<float>(phase);
#elif YOKE_BAD == 15
  (void)yoke::max(phase);
#elif YOKE_BAD == 16
  row = cells + cells;
#elif YOKE_BAD == 17
  row = where(row > 2, cells, cells);
#elif YOKE_BAD == 18
  (void)yoke::sum(where(row > 2, cells, cells));
#elif YOKE_BAD == 19
  (void)phase.astype<float>();
#elif YOKE_BAD == 20
  row = ldexp(row, row);
#elif YOKE_BAD == 21
  (void)yoke::frexp(phase);
#else
  row = ldexp(row, yoke::cast<int>(row));
  row = yoke::frexp(row).fraction;
  if (row) row = 2 * row;
  if (!bool(row)) row = 2 * row;
  if (any(row == row).get() && !all(row > 1).get()) row = 2 * row;
  table = 2 * row + constant;
  row = where(row == 2, row, constant);
  phase = sin(2 * phase);
  row = real(phase) + abs(phase) + (phase == phase);
  (void)yoke::sum(phase);
  cells = where(row > 2, cells, cell{1});
  row = yoke::member<&cell::mass>(where(row > 2, cells, cells));
  (void)yoke::sum(cells.member<&cell::mass>());
  (void)row.astype<std::complex<float>>();
#endif
}

int main() {}
