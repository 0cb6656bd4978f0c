// SPDX-License-Identifier: MIT
// Which random numbers there are of which types, and that views that cannot be written are not filled.
// expect 1: uniform numbers are of float, double, half or bfloat16: integers<T>\(...\) draws whole numbers
// expect 2: normal numbers are of float, double, half, bfloat16 or complex numbers
// expect 3: whole numbers are of integer types: uniform<T>\(...\) draws float, double, half and bfloat16
// expect 4: random bits are of integer types
// expect 5: this view cannot be written
// expect 6: this view cannot be written
// expect 7: uniform numbers are of float, double, half or bfloat16
// expect 8: nodiscard|ignored|ignoring
// expect 9: no matching|cannot convert|could not convert
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <complex>

#if YOKE_BAD == 8
#pragma GCC diagnostic error "-Wunused-result"
#endif

extern const yoke::stream<yoke::any_port>& stream;
extern yoke::random_generator& rng;
extern yoke::device_array<float, 2>& a;
extern const yoke::device_array<float, 2>& constant;
extern yoke::device_array<int, 2>& n;
extern yoke::device_array<std::complex<float>, 2>& phases;

void use() {
#if YOKE_BAD == 1
  (void)rng.uniform<int>({3, 4}, stream);
#elif YOKE_BAD == 2
  rng.fill_normal(n);
#elif YOKE_BAD == 3
  (void)rng.integers<float>({3, 4}, stream, 0.0F, 10.0F);
#elif YOKE_BAD == 4
  rng.fill_bits(a);
#elif YOKE_BAD == 5
  rng.fill_uniform(constant);
#elif YOKE_BAD == 6
  rng.fill_uniform(a.broadcast_to({2, 3, 4}));
#elif YOKE_BAD == 7
  rng.fill_uniform(phases);
#elif YOKE_BAD == 8
  rng.uniform<float>({3, 4}, stream);
#elif YOKE_BAD == 9
  (void)rng.normal<std::complex<float>>({3, 4}, stream, 0.0F, std::complex<float>(1));
#else
  (void)rng.uniform<float>({3, 4}, stream);
  rng.fill_normal(a(1));
  (void)rng.integers<int>({3, 4}, stream, 0, 10);
  rng.fill_bits(n);
  rng.fill_uniform(a);
  rng.fill_uniform(a(yoke::whole, 2));
  rng.fill_normal(phases);
  (void)rng.normal<std::complex<float>>({3, 4}, stream, 0.0F, 1.0F);
#endif
}

int main() {}
