// SPDX-License-Identifier: MIT
// What can be multiplied, and what products are assigned and added to.
// expect 1: write cast<int>\(a\) for an array of bool
// expect 2: structs have no product, name members as a.member<&S::x>\(\)
// expect 3: a product is of two arrays of one type, or of a complex and its real type
// expect 4: matmul is of arrays of at least one axis
// expect 5: assign the product first, or write k \* pass::matmul\(a, b\) \+ h \* d
// expect 6: assign the product first, or write k \* pass::matmul\(a, b\) \+ h \* d
// expect 7: a product is assigned to as many axes, of its own type and backend
// expect 8: this view cannot be written
// expect 9: nodiscard|ignored|ignoring
// expect 10: outer is of two vectors
// expect 11: an array that is added to a product has the product's type
// expect 12: products of half and bfloat16 can be float, those of integers any integer
// expect 13: write k \* a for the product of a number and an array
// expect 14: copy the elements first, as device_array<float, 1> b\(memory, \{n\}, stream\)
// expect 15: the arrays of a product are of one backend
// expect 16: results of pass are assigned: call the function without pass here
// expect 17: use it as it is, or write a.copy\(\) for another one
// expect 18: copy the elements first, as device_array<float, 1> b\(memory, \{n\}, stream\)
#include <yoke/array.hpp>
#include <yoke/linalg.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <cstdint>
#include <vector>

#if YOKE_BAD == 9
#pragma GCC diagnostic error "-Wunused-result"
#endif

struct pair {
  float x, y;
};
YOKE_STRUCT(pair, x, y);

extern yoke::device_array<float, 2>& a;
extern yoke::device_array<float, 0>& one;
extern yoke::device_array<float, 1>& line;
extern yoke::device_array<double, 2>& precise;
extern yoke::device_array<yoke::half, 2>& h;
extern yoke::device_array<bool, 2>& truth;
extern yoke::device_array<pair, 2>& pairs;
extern yoke::device_array<std::int8_t, 2>& small;
extern const yoke::device_view<const float, 2>& constant;
extern yoke::device_array<float, 2, yoke::opencl::port>& elsewhere;
extern std::vector<float>& host;

void use() {
#if YOKE_BAD == 1
  (void)yoke::matmul(truth, truth);
#elif YOKE_BAD == 2
  (void)yoke::matmul(pairs, pairs);
#elif YOKE_BAD == 3
  (void)yoke::matmul(h, precise);
#elif YOKE_BAD == 4
  (void)yoke::matmul(a, one);
#elif YOKE_BAD == 5
  a = yoke::pass::matmul(a, a) + 2 * (a + a);
#elif YOKE_BAD == 6
  a = yoke::pass::matmul(a, a) * a;
#elif YOKE_BAD == 7
  precise = yoke::pass::matmul(a, a);
#elif YOKE_BAD == 8
  constant.assign(yoke::pass::matmul(a, a));
#elif YOKE_BAD == 9
  yoke::pass::matmul(a, a);
#elif YOKE_BAD == 10
  (void)yoke::outer(a, line);
#elif YOKE_BAD == 11
  a = yoke::pass::matmul(a, a) + precise;
#elif YOKE_BAD == 12
  (void)yoke::matmul<double>(a, a);
#elif YOKE_BAD == 13
  (void)yoke::matmul(a, 2.0f);
#elif YOKE_BAD == 14
  (void)matmul(a, host);
#elif YOKE_BAD == 15
  (void)yoke::matmul(a, elsewhere);
#elif YOKE_BAD == 16
  (void)matmul(yoke::pass::matmul(a, a), a);
#elif YOKE_BAD == 17
  evaluate(a);
#elif YOKE_BAD == 18
  (void)solve(a, host);
#else
  (void)evaluate(matmul(a, a));
  (void)evaluate(2 * yoke::pass::matmul(a, a) - a);
  (void)matmul(elsewhere, elsewhere);
  (void)solve(a, line);
  a = 2 * yoke::pass::matmul(a, a) + 3 * a;
  a += yoke::pass::matmul(2 * a, a);
  h = yoke::pass::matmul(h, h);
  precise = yoke::pass::matmul(precise, precise) - precise;
  (void)yoke::matmul<std::int32_t>(small, small);
  (void)yoke::matmul(a, line);
  (void)yoke::outer(line, line);
  (void)yoke::matmul(constant, cast<float>(truth));
#endif
}
