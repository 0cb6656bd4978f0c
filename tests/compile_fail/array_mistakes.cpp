// SPDX-License-Identifier: MIT
// Mistakes with arrays: the first error says what to write.
// expect 1: `a = b` of two arrays could mean two things: write a.assign\(b\)
// expect 2: arrays are printed by \{fmt\}: include <yoke/fmt.hpp>
// expect 3: an expression is evaluated in the stream of its first array: write device_array c\(2 \* a\)
// expect 4: an array is made in a stream, .*: write zeros<float>\(\{3, 4\}, stream\)
// expect 5: an array is made in a stream, .*arange\(5, stream\)
// expect 6: the expression has another number of axes than the array
// expect 7: an axis is given by along: write sum\(a, along\(0\)\)
// expect 8: an axis is given by along: write sum\(a, along\(0\)\), cumsum\(a, along\(1\)\)
// expect 9: this_value_is_made_now_not_at_each_launch_assign_pass_sum_or_its_like_or_name_the_value
// expect 10: a complex number is no real one: assign real\(z\), imag\(z\) or abs\(z\)
// expect 11: elements are on the device: write a\(3\).value\(\)
// expect 12: elements are on the device: write a.to_host\(\) for the host, pass `a` itself to kernels
// expect 13: elements are on the device: write for \(auto x : a.to_host\(\)\)
// expect 14: sort writes the array that it sorts: write auto b = sorted\(2 \* a\)
// expect 15: indices and values are arrays on the device: write to_device_array\(host, stream\)
// expect 16: a histogram goes from one number to another: write histogram\(a, 10, low, high\)
// expect 17: write_b_is_a_copy_or_yoke_max_or_where|write b = a.copy\(\), yoke::max\(a, b\) or where
// expect 18: write_b_is_a_copy_or_yoke_max_or_where|write b = a.copy\(\), yoke::max\(a, b\) or where
// expect 19: an_expression_has_no_memory_pass_evaluate_of_it
// expect 20: an array is made in a stream
// expect 21: an array is made in a stream
// expect 22: an array is made in a stream
// expect 23: random numbers are made in a stream: write uniform<float>\(\{3, 4\}, stream\)
// expect 24: a view does not become an array by itself: write device_array b\(view\), or b = view.copy\(\)
// expect 25: the new array has elements of another type, or another number of axes: write a.assign\(b\)
// expect 26: a reduction in this expression is made now, not at each launch
// expect 27: indices and values are arrays on the device
// expect 28: an expression of arrays is no condition
// expect 29: real numbers are assigned to whole ones: write cast<int>\(e\)
// expect 30: arrays are printed by \{fmt\}
// expect 31: an expression of several elements has no one value: write to_host\(\)
// expect 32: a member that is a built-in array has several values
// expect 33: elements are on the device: write for \(auto x : a.to_host\(\)\)
// expect 34: a variance needs the mean first: write variance\(a\)
// expect 35: one pass has the same axes for all: write in_one_pass\(along\(0\), pass::sum\(a\), pass::max\(a\)\)
// expect 36: a shape has braces: write zeros<float>\(\{3\}, stream\)
// expect 37: this range ends with the statement: give it a name, or make a host_array of it
// expect 38: an array is made in a stream
// expect 39: rows and columns have no braces: write eye<float>\(3, 4, stream\)
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

#include <algorithm>
#include <complex>
#include <iostream>
#include <vector>

struct body {
  float position[3];
  float mass;
};

extern yoke::device_array<float, 1>& a;
extern yoke::device_array<float, 1>& b;
extern yoke::device_array<float, 2>& table;
extern yoke::device_array<int, 1>& ints;
extern yoke::device_array<std::complex<float>, 1>& z;
extern yoke::device_value<float>& total;
extern yoke::device_value<body>& one;
extern yoke::stream<>& stream;
extern yoke::graph_recorder<>& record;
extern yoke::kernel<void(const float*, float*)>& twice;
extern std::vector<float>& host;
extern std::vector<int>& places;

void use([[maybe_unused]] bool first) {
#if YOKE_BAD == 1
  a = b;
#elif YOKE_BAD == 2
  std::cout << a;
#elif YOKE_BAD == 3
  yoke::device_array c{2 * a, stream};
#elif YOKE_BAD == 4
  auto c = yoke::zeros<float>({3, 4});
#elif YOKE_BAD == 5
  auto c = yoke::arange(5);
#elif YOKE_BAD == 6
  yoke::device_array<float, 2> c = 2 * a;
#elif YOKE_BAD == 7
  auto c = sum(table, 0);
#elif YOKE_BAD == 8
  auto c = cumsum(table, 1);
#elif YOKE_BAD == 9
  total.bind(record) = sum(a);
#elif YOKE_BAD == 10
  a = z;
#elif YOKE_BAD == 11
  (void)a[3];
#elif YOKE_BAD == 12
  (void)a.data();
#elif YOKE_BAD == 13
  for (float each : a) (void)each;
#elif YOKE_BAD == 14
  sort(2 * a);
#elif YOKE_BAD == 15
  put(a, ints, host);
#elif YOKE_BAD == 16
  auto c = histogram(a, 10);
#elif YOKE_BAD == 17
  auto c = std::max(a, b);
#elif YOKE_BAD == 18
  auto c = first ? a : 2 * a;
#elif YOKE_BAD == 19
  twice(stream, yoke::launch_over(10, 256), 2 * a, b);
#elif YOKE_BAD == 20
  auto c = yoke::full(1.5F, {3, 4});
#elif YOKE_BAD == 21
  auto c = yoke::linspace(0, 1, 11);
#elif YOKE_BAD == 22
  auto c = yoke::to_device_array(host);
#elif YOKE_BAD == 23
  auto c = yoke::random_generator{7}.uniform<float>({3, 4});
#elif YOKE_BAD == 24
  yoke::device_array<float, 1> c = a(yoke::slice(0, 3));
#elif YOKE_BAD == 25
  a = yoke::zeros<double>({3}, stream);
#elif YOKE_BAD == 26
  a.bind(record) = a / sum(a);
#elif YOKE_BAD == 27
  auto c = take(a, places);
#elif YOKE_BAD == 28
  if (sum(a) > 0) a = 2 * a;
#elif YOKE_BAD == 29
  yoke::device_array<int, 1> c = 2 * a;
#elif YOKE_BAD == 30
  std::cout << 2 * a;
#elif YOKE_BAD == 31
  (void)(2 * a).value();
#elif YOKE_BAD == 32
  auto c = one.get<&body::position>();
#elif YOKE_BAD == 33
  for (float each : a(yoke::slice(0, 3))) (void)each;
#elif YOKE_BAD == 34
  (void)yoke::in_one_pass(yoke::pass::mean(a), yoke::pass::variance(a, 1));
#elif YOKE_BAD == 35
  (void)yoke::in_one_pass(yoke::pass::sum(table, yoke::along(0)), yoke::pass::max(table, yoke::along(0)));
#elif YOKE_BAD == 36
  (void)yoke::zeros<float>(3, stream);
#elif YOKE_BAD == 37
  yoke::host_view rows{std::vector<float>(12), yoke::shape{3, 4}};
#elif YOKE_BAD == 38
  (void)yoke::eye<float>(3, 4);
#elif YOKE_BAD == 39
  (void)yoke::eye<float>({3, 4}, stream);
#else
  (void)yoke::eye<float>(3, 4, stream);
  a.assign(b);
  a = b.copy();
  yoke::device_array c(2 * a);
  c = yoke::zeros<float>({3}, stream);
  c = yoke::evaluate(2 * a);
  yoke::device_array part(a(yoke::slice(0, 3)));
  (void)sum(table, yoke::along(0));
  (void)cumsum(table, yoke::along(1));
  total.bind(record) = yoke::pass::sum(a);
  a.bind(record) = a / total;
  a = real(z);
  a(3) = a(2).value();
  for (const float each : a.to_host()) (void)each;
  auto d = sorted(2 * a);
  put(a, yoke::to_device_array(places, stream), 0);
  (void)histogram(a, 10, 0, 1);
  d = max(a, b);
  d = where(first, a, 2 * a);
  twice(stream, yoke::launch_over(10, 256), evaluate(2 * a), b);
  std::cout << a.size();
  if ((sum(a) > 0).value()) a = 2 * a;
  ints = yoke::cast<int>(2 * a);
  (void)one.get<&body::mass>();
  yoke::host_array rows{std::vector<float>(12), yoke::shape{3, 4}};
  yoke::host_view same{rows.memory(), yoke::shape{4, 3}};
#endif
}

int main() {}
