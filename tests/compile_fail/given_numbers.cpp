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
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

#include <complex>

extern yoke::device_array<int, 1>& ints;
extern yoke::device_array<bool, 1>& bools;
extern yoke::device_array<float, 1>& floats;
extern yoke::device_array<std::complex<float>, 1>& pairs;
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
#endif
}

int main() {}
