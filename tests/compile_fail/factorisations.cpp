// SPDX-License-Identifier: MIT
// Operands that factorisations and equations take, and destinations of their results.
// expect 1: factorisations are of float, double and complex numbers of both: write solve\(cast<float>\(a\), b\)
// expect 2: factorisations are of float, double and complex numbers of both
// expect 3: factorisations are of matrices: of arrays of at least two axes
// expect 4: equations are of two arrays of one type: cast one of them
// expect 5: a solution is assigned to elements of its own type, with as many axes
// expect 6: this view cannot be written
// expect 7: nodiscard|ignored|ignoring
// expect 8: a factorisation is assigned to elements of its own type, with as many axes
// expect 9: the right-hand side of equations has at least one axis
// expect 10: equations are of two arrays of one type: cast one of them
#include <yoke/array.hpp>
#include <yoke/linalg.hpp>
#include <yoke/yoke.hpp>

#include <complex>

#if YOKE_BAD == 7
#pragma GCC diagnostic error "-Wunused-result"
#endif

extern yoke::device_array<float, 2>& a;
extern yoke::device_array<float, 1>& b;
extern yoke::device_array<float, 0>& one;
extern yoke::device_array<double, 1>& precise;
extern yoke::device_array<int, 2>& whole_numbers;
extern yoke::device_array<yoke::half, 2>& h;
extern yoke::device_array<std::complex<double>, 3>& batch;
extern const yoke::device_view<const float, 1>& constant;
extern yoke::device_value<int>& info;

void use() {
#if YOKE_BAD == 1
  (void)yoke::solve(whole_numbers, whole_numbers);
#elif YOKE_BAD == 2
  (void)yoke::solve(h, h);
#elif YOKE_BAD == 3
  (void)yoke::cholesky(b);
#elif YOKE_BAD == 4
  (void)yoke::solve(a, precise);
#elif YOKE_BAD == 5
  precise = yoke::pass::solve(a, b, info);
#elif YOKE_BAD == 6
  constant.assign(yoke::pass::solve(a, b, info));
#elif YOKE_BAD == 7
  yoke::pass::cholesky(a, info);
#elif YOKE_BAD == 8
  b = yoke::pass::cholesky(a, info);
#elif YOKE_BAD == 9
  (void)yoke::solve(a, one);
#elif YOKE_BAD == 10
  (void)yoke::lu(a).solve(precise);
#else
  (void)yoke::solve(cast<float>(whole_numbers), b);
  b = yoke::pass::solve(a, constant, info);
  a = yoke::pass::cholesky(a, info);
  (void)yoke::solve(batch, batch);
  (void)yoke::lu(a).solve(b);
  (void)yoke::lstsq(a, b);
  auto [u, s, vh] = yoke::svd(batch);
  auto [q, r] = yoke::qr(cast<float>(h));
#endif
}
