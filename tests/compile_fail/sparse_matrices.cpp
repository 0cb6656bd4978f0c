// SPDX-License-Identifier: MIT
// Of what sparse matrices are made, and what they are multiplied by.
// expect 1: write to_device_array\(host, stream\), or evaluate\(expression\)
// expect 2: starts and columns of a csr_matrix have its index type, int unless it is named
// expect 3: the values of a csr_matrix have its type: write values.astype<T>\(\)
// expect 4: the starts and columns of a csr_matrix are int or std::int64_t
// expect 5: a csr_matrix has numbers: float, double, complex, half, bfloat16 or integers
// expect 6: a sparse matrix is multiplied by a vector or a matrix: an array of rank 1 or 2
// expect 7: a product is of two arrays of one type, or of a complex and its real type
// expect 8: a product of two sparse matrices is dense here: write matmul\(a, b.to_dense\(\)\)
// expect 9: a \* b of a sparse matrix could mean two things: write matmul\(a, x\) for the product
// expect 10: assign the product first, or write k \* pass::matmul\(a, b\) \+ h \* d
// expect 11: a product is assigned to as many axes, of its own type and backend
// expect 12: matvec and vecmat of a sparse matrix take a vector
// expect 13: from_dense takes a matrix of the csr_matrix's type: write from_dense\(cast<T>\(a\)\)
// expect 14: rows and columns are integers, and values have the csr_matrix's type
// expect 15: nodiscard|ignored|ignoring
// expect 16: a real number is given for whole elements
#include <yoke/array.hpp>
#include <yoke/sparse.hpp>
#include <yoke/yoke.hpp>

#include <complex>
#include <cstdint>
#include <vector>

#if YOKE_BAD == 15
#pragma GCC diagnostic error "-Wunused-result"
#endif

extern yoke::device_array<int, 1>& starts;
extern yoke::device_array<int, 1>& columns;
extern yoke::device_array<std::int64_t, 1>& far;
extern yoke::device_array<float, 1>& values;
extern yoke::device_array<double, 1>& precise;
extern yoke::device_array<float, 1>& x;
extern yoke::device_array<float, 2>& dense;
extern yoke::device_array<float, 3>& cube;
extern const yoke::csr_matrix<float>& s;
extern const yoke::csr_matrix<int>& whole;
extern std::vector<int>& host;

void use() {
#if YOKE_BAD == 1
  const yoke::csr_matrix<float> made(host, columns, values, {3, 4});
#elif YOKE_BAD == 2
  const yoke::csr_matrix<float> made(far, columns, values, {3, 4});
#elif YOKE_BAD == 3
  const yoke::csr_matrix<float> made(starts, columns, precise, {3, 4});
#elif YOKE_BAD == 4
  const yoke::csr_matrix<float, std::uint8_t> made;
#elif YOKE_BAD == 5
  const yoke::csr_matrix<bool> made;
#elif YOKE_BAD == 6
  (void)yoke::matmul(s, cube);
#elif YOKE_BAD == 7
  (void)yoke::matmul(s, precise);
#elif YOKE_BAD == 8
  (void)yoke::matmul(s, s.transpose());
#elif YOKE_BAD == 9
  (void)(s * x);
#elif YOKE_BAD == 10
  x = yoke::pass::matmul(s, x) * x;
#elif YOKE_BAD == 11
  precise = yoke::pass::matmul(s, x);
#elif YOKE_BAD == 12
  (void)yoke::matvec(s, dense);
#elif YOKE_BAD == 13
  (void)yoke::csr_matrix<double>::from_dense(dense);
#elif YOKE_BAD == 14
  (void)yoke::csr_matrix<float>::from_coordinates(values, columns, values, {3, 4});
#elif YOKE_BAD == 15
  yoke::pass::matmul(s, x);
#elif YOKE_BAD == 16
  (void)(2.5 * whole);
#else
  const yoke::csr_matrix made(starts, columns, values, {3, 4});
  const yoke::csr_matrix wide(far, far, precise, {3, 4});
  (void)yoke::matmul(made, x);
  (void)yoke::matmul(s, dense);
  (void)yoke::matmul(dense, s.transpose());
  (void)yoke::matmul(wide, precise);
  (void)yoke::vecmat(x, s);
  (void)(2 * s + s);
  (void)(2 * whole - whole / 3);
  x = 2 * yoke::pass::matmul(s, x) + 3 * x;
  x += yoke::pass::matmul(s.transpose(), 2 * x);
  (void)yoke::matmul(s, cast<std::complex<float>>(x));
  (void)yoke::csr_matrix<double>::from_dense(cast<double>(dense));
  (void)yoke::csr_matrix<float>::from_coordinates(starts, far, values, {3, 4});
#endif
}
