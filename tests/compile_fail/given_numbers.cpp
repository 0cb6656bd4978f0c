// SPDX-License-Identifier: MIT
// Kinds of numbers go upwards by themselves: real numbers are none of whole elements and of bools, complex ones none of real ones.
// expect 1: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 2: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 3: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 4: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 5: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 6: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 7: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 8: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 9: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 10: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 11: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 12: a real number is given for bools: write x != 0
// expect 13: real numbers are assigned to bools: write e != 0
// expect 14: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 15: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 16: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 17: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 18: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 19: numbers equally far apart are of float or double
// expect 20: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 21: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 22: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 23: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 24: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 25: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 26: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 27: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 28: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 29: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 30: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 31: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 32: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 33: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 34: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 35: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 36: a real number is given for whole elements: write static_cast<int>\(x\)
// expect 37: a real number is given for bools: write x != 0
// expect 38: a real number is given for bools: write x != 0
// expect 39: a real number is given for bools: write x != 0
// expect 40: a real number is given for bools: write x != 0
// expect 41: a real number is given for bools: write x != 0
// expect 42: a real number is given for bools: write x != 0
// expect 43: a real number is given for bools: write x != 0
// expect 44: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 45: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 46: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 47: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 48: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 49: a complex number is given for real elements: write z.real\(\) or std::abs\(z\)
// expect 50: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 51: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 52: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 53: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 54: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 55: real numbers are assigned to bools: write e != 0
// expect 56: real numbers are assigned to bools: write e != 0
// expect 57: a complex number is no real one: assign real\(z\), imag\(z\) or abs\(z\)
// expect 58: a complex number is no real one: assign real\(z\), imag\(z\) or abs\(z\)
// expect 59: a complex number is no real one: assign real\(z\), imag\(z\) or abs\(z\)
// expect 60: a complex number is no real one: assign real\(z\), imag\(z\) or abs\(z\)
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

#include <complex>

struct counter {
  float before;
  int count;
};

extern yoke::device_array<int, 1>& ints;
extern yoke::device_array<bool, 1>& bools;
extern yoke::device_array<float, 1>& floats;
extern yoke::device_array<std::complex<float>, 1>& pairs;
extern yoke::device_array<counter, 1>& counters;
extern yoke::graph_recorder<>& recorder;
extern yoke::random_generator& generator;
extern yoke::stream<>& stream;

void use() {
#if YOKE_BAD == 1
  ints = 1.5;
#elif YOKE_BAD == 2
  ints.fill(1.5F);
#elif YOKE_BAD == 3
  (void)yoke::full<int>(1.5, {3}, stream);
#elif YOKE_BAD == 4
  (void)yoke::full_like(ints, 1.5);
#elif YOKE_BAD == 5
  (void)yoke::arange<int>(0.0, 5.0, 1.0, stream);
#elif YOKE_BAD == 6
  put(ints, ints, 0.5);
#elif YOKE_BAD == 7
  (void)generator.integers<int>({3}, stream, 0, 5e9);
#elif YOKE_BAD == 8
  ints += 0.5;
#elif YOKE_BAD == 9
  ints = sin(floats);
#elif YOKE_BAD == 10
  ints.assign(floats);
#elif YOKE_BAD == 11
  ints += floats;
#elif YOKE_BAD == 12
  bools = 0.5;
#elif YOKE_BAD == 13
  bools = 2 * floats;
#elif YOKE_BAD == 14
  floats = std::complex<float>(1, 2);
#elif YOKE_BAD == 15
  ints(0) = yoke::half{1.0F};
#elif YOKE_BAD == 16
  ints.bind(recorder) = 1.5;
#elif YOKE_BAD == 17
  ints.bind(recorder) = floats;
#elif YOKE_BAD == 18
  yoke::device_value<int>{stream}.set(1.5);
#elif YOKE_BAD == 19
  (void)yoke::linspace<int>(0, 10, 5, stream);
#elif YOKE_BAD == 20
  put(ints, ints, floats);
#elif YOKE_BAD == 21
  ints(0).fill(1.5);
#elif YOKE_BAD == 22
  ints -= 0.5F;
#elif YOKE_BAD == 23
  ints(yoke::slice(0, 2)) *= 1.5;
#elif YOKE_BAD == 24
  put(ints, ints, 0.5, yoke::along(0));
#elif YOKE_BAD == 25
  (void)yoke::device_value<int>(stream, 1.5);
#elif YOKE_BAD == 26
  yoke::device_value<counter>{stream}.set<&counter::count>(1.5);
#elif YOKE_BAD == 27
  counters.member<&counter::count>() = 1.5;
#elif YOKE_BAD == 28
  yoke::fill(ints, 1.5, stream);
#elif YOKE_BAD == 29
  yoke::fill(ints.view(), 1.5F, stream);
#elif YOKE_BAD == 30
  yoke::fill(ints, 1.5, recorder);
#elif YOKE_BAD == 31
  ints.bind(recorder).fill(1.5);
#elif YOKE_BAD == 32
  put(ints.bind(recorder), ints, 1.5);
#elif YOKE_BAD == 33
  ints.bind(recorder) += 0.5;
#elif YOKE_BAD == 34
  (void)yoke::arange<int>(0, 5.5, 1, stream);
#elif YOKE_BAD == 35
  generator.fill_integers(ints, 0.5, 3);
#elif YOKE_BAD == 36
  generator.fill_integers(ints.bind(recorder), 0, 2.5);
#elif YOKE_BAD == 37
  bools.fill(0.5);
#elif YOKE_BAD == 38
  (void)yoke::full<bool>(0.5, {3}, stream);
#elif YOKE_BAD == 39
  (void)yoke::full_like(bools, 0.5F);
#elif YOKE_BAD == 40
  put(bools, ints, 0.5);
#elif YOKE_BAD == 41
  yoke::device_value<bool>{stream}.set(0.5);
#elif YOKE_BAD == 42
  bools += 0.5;
#elif YOKE_BAD == 43
  yoke::fill(bools, 0.5, stream);
#elif YOKE_BAD == 44
  floats.fill(std::complex<float>(1, 2));
#elif YOKE_BAD == 45
  (void)yoke::full<float>(std::complex<float>(1, 2), {3}, stream);
#elif YOKE_BAD == 46
  (void)yoke::full_like(ints, std::complex<float>(1, 2));
#elif YOKE_BAD == 47
  put(floats, ints, std::complex<float>(1, 2));
#elif YOKE_BAD == 48
  yoke::device_value<float>{stream}.set(std::complex<float>(1, 2));
#elif YOKE_BAD == 49
  floats += std::complex<float>(1, 2);
#elif YOKE_BAD == 50
  ints = floats;
#elif YOKE_BAD == 51
  ints(yoke::slice(0, 2)) = floats(yoke::slice(0, 2));
#elif YOKE_BAD == 52
  (void)yoke::device_array<int, 1>(sin(floats));
#elif YOKE_BAD == 53
  (void)yoke::device_array<int, 1>(floats.view());
#elif YOKE_BAD == 54
  ints.bind(recorder) += floats;
#elif YOKE_BAD == 55
  bools.assign(floats);
#elif YOKE_BAD == 56
  put(bools, ints, floats);
#elif YOKE_BAD == 57
  floats = pairs;
#elif YOKE_BAD == 58
  floats.assign(2 * pairs);
#elif YOKE_BAD == 59
  put(floats, ints, pairs);
#elif YOKE_BAD == 60
  floats.bind(recorder) = pairs;
#else
  ints = 1;
  ints = static_cast<int>(1.5);
  ints.fill(std::uint64_t{1});
  (void)yoke::full<int>(1L, {3}, stream);
  (void)yoke::full_like(ints, true);
  (void)yoke::arange<int>(0, 5U, 1L, stream);
  put(ints, ints, 1U);
  put(ints, ints, yoke::cast<int>(floats));
  (void)generator.integers<int>({3}, stream, 0, 5'000'000'000);
  ints += 2L;
  ints = yoke::cast<int>(sin(floats));
  ints.assign(bools);
  ints = bools + ints;
  bools = floats != 0;
  bools = 2 * ints;
  bools = 1;
  floats = 2.0 * ints;
  floats = 1;
  floats = yoke::half{1.0F};
  floats += 0.5;
  pairs.assign(floats);
  pairs = 1.5;
  pairs += 1;
  pairs = std::complex<double>(1, 2);
  ints.bind(recorder) = 1;
  ints.bind(recorder) = yoke::cast<int>(floats);
  yoke::device_value<int>{stream}.set(1L);
  (void)yoke::linspace(0, 10, 5, stream);
  ints(0).fill(1L);
  ints(yoke::slice(0, 2)) *= 2L;
  put(ints, ints, 5U, yoke::along(0));
  (void)yoke::device_value<int>(stream, 1L);
  yoke::device_value<counter>{stream}.set<&counter::count>(1L);
  yoke::device_value<counter>{stream}.set<&counter::before>(0.5);
  counters.member<&counter::count>() = 1L;
  yoke::fill(ints, 1L, stream);
  yoke::fill(ints.view(), 1U, stream);
  yoke::fill(ints, 1L, recorder);
  yoke::fill(floats, 0.5, stream);
  ints.bind(recorder).fill(1L);
  ints.bind(recorder) += 1L;
  put(ints.bind(recorder), ints, 1L);
  generator.fill_integers(ints, 0, 3L);
  bools += 1;
  bools.assign(floats != 0);
  floats.fill(std::complex<float>(1, 2).real());
  floats = real(pairs);
  (void)yoke::device_array<int, 1>(yoke::cast<int>(floats));
#endif
}

int main() {}
