// SPDX-License-Identifier: MIT
// What indices, searches, counts and keys are.
// expect 1: indices are integers
// expect 2: this array cannot be written
// expect 3: indices along an axis have one axis themselves
// expect 4: values have the shape of the places they go to
// expect 5: values are of the type of the elements among which they are searched
// expect 6: what is searched has one axis
// expect 7: real numbers and bools have an order
// expect 8: bins are counted by integers
// expect 9: a histogram is of real numbers
// expect 10: runs are of real numbers and bools
// expect 11: keys and values have one axis
// expect 12: keys have one axis
// expect 13: indices are integers
// expect 14: an array and its indices are of one backend
// expect 15: an array and its values are of one backend
// expect 16: elements and values are of one backend
// expect 17: edges are of the elements' type
// expect 18: keys and values are arrays of one backend
// expect 19: keys and values are arrays of one backend
// expect 20: keys are of one backend
// expect 21: a complex number is given for real elements: write z.real
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <complex>

extern yoke::device_array<float, 2>& a;
extern yoke::device_array<float, 1>& line;
extern const yoke::device_array<float, 1>& constant;
extern yoke::device_array<double, 1>& wide;
extern yoke::device_array<int, 2>& n;
extern yoke::device_array<int, 1>& keys;
extern yoke::device_array<int, 1, yoke::cuda::port>& of_cuda;
extern yoke::device_array<std::complex<float>, 1>& phases;

void use() {
#if YOKE_BAD == 1
  (void)yoke::take(a, line);
#elif YOKE_BAD == 2
  yoke::put(constant, keys, 1.0F);
#elif YOKE_BAD == 3
  (void)yoke::take(a, n, yoke::along(0));
#elif YOKE_BAD == 4
  yoke::put(line, keys, a);
#elif YOKE_BAD == 5
  (void)yoke::lower_bound(line, wide);
#elif YOKE_BAD == 6
  (void)yoke::upper_bound(a, line);
#elif YOKE_BAD == 7
  (void)yoke::lower_bound(phases, phases);
#elif YOKE_BAD == 8
  (void)yoke::bincount(line, 3);
#elif YOKE_BAD == 9
  (void)yoke::histogram(phases, 10, 0, 1);
#elif YOKE_BAD == 10
  (void)yoke::run_lengths(phases);
#elif YOKE_BAD == 11
  (void)yoke::run_lengths(a);
#elif YOKE_BAD == 12
  (void)yoke::argsort_by(a, n);
#elif YOKE_BAD == 13
  yoke::check_indices(line, 3);
#elif YOKE_BAD == 14
  (void)yoke::take(a, of_cuda);
#elif YOKE_BAD == 15
  yoke::put(keys, keys, of_cuda);
#elif YOKE_BAD == 16
  (void)yoke::lower_bound(keys, of_cuda);
#elif YOKE_BAD == 17
  (void)yoke::histogram(line, wide);
#elif YOKE_BAD == 18
  (void)yoke::reduce_by_key<"a + b", "0">(keys, of_cuda);
#elif YOKE_BAD == 19
  (void)yoke::group_by_key(keys, of_cuda, 3);
#elif YOKE_BAD == 20
  (void)yoke::argsort_by(keys, of_cuda);
#elif YOKE_BAD == 21
  yoke::put(line, keys, std::complex<float>(1, 2));
#else
  (void)yoke::take(a, n + 1);
  (void)yoke::take(phases, keys, yoke::along(0));
  yoke::put(line, keys, constant);
  yoke::put(a(yoke::whole, 1), keys, 1);
  (void)yoke::lower_bound(constant, a);
  (void)yoke::upper_bound(wide, yoke::cast<double>(line));
  (void)yoke::bincount(n, 3);
  (void)yoke::histogram(a, 10, 0, 1);
  (void)yoke::run_lengths(constant);
  (void)yoke::reduce_by_key<"a + b", "0">(keys, phases);
  (void)yoke::argsort_by(keys, line);
  yoke::check_indices(keys, 3);
#endif
}

int main() {}
