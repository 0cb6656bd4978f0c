// SPDX-License-Identifier: MIT
// Which elements have Fourier transforms and convolutions, and how their arguments are written.
// expect 1: transforms are of float, double and complex numbers of both: write fft\(cast<float>\(a\)\) for others
// expect 2: transforms are of float, double and complex numbers of both: write fft\(cast<float>\(a\)\) for others
// expect 3: rfft takes real numbers: write fft\(a\) for complex ones
// expect 4: an array of rank 0 has no axis to transform
// expect 5: a transform goes along more axes than the array has
// expect 6: a transform is assigned to elements of its own type, with as many axes
// expect 7: this view cannot be written|no viable|no match
// expect 8: nodiscard|ignored|ignoring
// expect 9: convolutions are of float, double and complex numbers of both: write convolve\(cast<float>\(a\), v\)
// expect 10: both arrays of a convolution have elements of one type: write convolve\(a, cast<T>\(v\)\)
// expect 11: convolutions are of arrays of rank 1
// expect 12: a list of numbers of points has one for each axis: write fft\(a, \{16, 8\}, along\(0, 1\)\)
// expect 13: write fft\(a, 8, along\(0\), fft_norm::ortho\), each of them optional
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/fft.hpp>
#include <yoke/graph.hpp>
#include <yoke/yoke.hpp>

#include <complex>

#if YOKE_BAD == 8
#pragma GCC diagnostic error "-Wunused-result"
#endif

extern yoke::device_array<float, 2>& a;
extern yoke::device_array<std::complex<float>, 2>& f;
extern const yoke::device_array<std::complex<float>, 2>& constant;
extern yoke::device_array<int, 2>& n;
extern yoke::device_array<yoke::half, 2>& h;
extern yoke::device_array<float, 0>& point;

void use() {
#if YOKE_BAD == 1
  (void)yoke::fft(n);
#elif YOKE_BAD == 2
  (void)yoke::fft(h);
#elif YOKE_BAD == 3
  (void)yoke::rfft(f);
#elif YOKE_BAD == 4
  (void)yoke::fft(point);
#elif YOKE_BAD == 5
  (void)yoke::fft(a, yoke::along(0, 1, 2));
#elif YOKE_BAD == 6
  a = yoke::pass::fft(f);
#elif YOKE_BAD == 7
  constant.view() = yoke::pass::fft(f);
#elif YOKE_BAD == 8
  yoke::pass::fft(f);
#elif YOKE_BAD == 9
  (void)yoke::convolve(n(0), n(1));
#elif YOKE_BAD == 10
  (void)yoke::convolve(a(0), f(0));
#elif YOKE_BAD == 11
  (void)yoke::correlate(a, a);
#elif YOKE_BAD == 12
  (void)yoke::fft(a, {4, 8}, yoke::along(1));
#elif YOKE_BAD == 13
  (void)yoke::fft(a, yoke::along(0), 8);
#else
  (void)yoke::fft(a, {4, 8}, yoke::along(0, 1));
  (void)yoke::fft(a, {4, 8}, yoke::fft_norm::ortho);
  (void)yoke::convolve(yoke::cast<float>(n(0)), a(0));
  (void)yoke::correlate(f(0), f(1));
  (void)yoke::fft(yoke::cast<float>(n));
  (void)yoke::fft(yoke::cast<float>(h));
  (void)yoke::rfft(a);
  (void)yoke::fft(a, yoke::along(0, 1));
  f = yoke::pass::fft(f);
  f.view() = yoke::pass::fft(constant);
#endif
}

int main() {}
