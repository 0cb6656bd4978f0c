// SPDX-License-Identifier: MIT
// What can be sorted, selected and put into lists.
// expect 1: real numbers and bools have an order: sort complex numbers and structs by keys
// expect 2: this array cannot be written: sorted\(a\) makes a new one
// expect 3: an array of rank 0 has one element: there is nothing to sort
// expect 4: an index is an integer of 32 or 64 bits
// expect 5: each key has one value: keys and values have the same rank
// expect 6: one of these arrays cannot be written
// expect 7: unique compares real numbers and bools
// expect 8: nodiscard|ignored|ignoring
// expect 9: the list builder has no list of this name
// expect 10: two lists have one name
// expect 11: keys of groups are integers
// expect 12: the name of a list is part of an identifier
// expect 13: are of arrays of one shape
// expect 14: a list must be counted as itself, or as a list of this builder that is
// expect 15: a list must be counted as itself, or as a list of this builder that is
// expect 16: real numbers and bools have an order: sort complex numbers and structs by keys
// expect 17: this view cannot be written
// expect 18: joined arrays have as many axes as each other: a\(newaxis\) has one more
// expect 19: each array gets values: both tuples have as many
// expect 20: indices are integers
// expect 21: name the axes of a row: write softmax\(a, along\(-1\)\)
// expect 22: name the axes of a row: write softmax\(a, along\(-1\)\)
// expect 23: are of real numbers: write abs\(a\) or real\(a\) for complex ones
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

extern const yoke::context<yoke::any_port>& context;
extern yoke::device_array<float, 2>& a;
extern yoke::device_array<float, 1>& line;
extern yoke::device_array<float, 0>& one;
extern const yoke::device_array<float, 2>& constant;
extern yoke::device_array<int, 2>& n;
extern yoke::device_array<int, 1>& keys;
extern yoke::device_array<std::complex<float>, 2>& phases;

void use() {
#if YOKE_BAD == 1
  yoke::sort(phases);
#elif YOKE_BAD == 2
  yoke::sort(constant);
#elif YOKE_BAD == 3
  yoke::sort(one);
#elif YOKE_BAD == 4
  (void)yoke::argsort<short>(a);
#elif YOKE_BAD == 5
  yoke::sort_by_key(line, n);
#elif YOKE_BAD == 6
  yoke::sort_by_key(n, constant);
#elif YOKE_BAD == 7
  (void)yoke::unique(phases);
#elif YOKE_BAD == 8
  yoke::sorted(a);
#elif YOKE_BAD == 9
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"near", int>>> builder(context, {"x"}, {});
  (void)builder(3, keys).get<"far">();
#elif YOKE_BAD == 10
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"near", int>, yoke::named_list<"near", float>>>
      builder(context, {"x"}, {});
#elif YOKE_BAD == 11
  (void)yoke::group_by_key(line, keys, 3);
#elif YOKE_BAD == 12
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"so near", int>>> builder(context, {"x"}, {});
#elif YOKE_BAD == 13
  (void)yoke::copy_if(a, line > 3);
#elif YOKE_BAD == 14
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"near", int>, yoke::named_list<"far", int, "never">>>
      builder(context, {"x"}, {});
#elif YOKE_BAD == 15
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"a", int, "b">, yoke::named_list<"b", int, "a">>>
      builder(context, {"x"}, {});
#elif YOKE_BAD == 16
  (void)yoke::top_k(phases, 2);
#elif YOKE_BAD == 17
  yoke::top_k(a, constant, n);
#elif YOKE_BAD == 18
  (void)yoke::concatenate(a, line);
#elif YOKE_BAD == 19
  yoke::multi_put(std::tie(a, n), keys, std::tie(line));
#elif YOKE_BAD == 20
  (void)yoke::multi_take(std::tie(a, n), line);
#elif YOKE_BAD == 21
  (void)yoke::softmax(a, 1);
#elif YOKE_BAD == 22
  (void)yoke::normalise(a);
#elif YOKE_BAD == 23
  (void)yoke::logsumexp(phases, yoke::along(1));
#else
  (void)yoke::softmax(constant, yoke::along(1));
  (void)yoke::logsumexp(n, yoke::along(0, 1));
  (void)yoke::top_k<int>(constant, 2);
  yoke::top_k(constant, a, n);
  (void)yoke::concatenate(a, line(yoke::newaxis));
  yoke::multi_put(std::tie(a, n), keys, std::tie(line, keys));
  (void)yoke::multi_take(std::tie(a, n, phases), keys);
  yoke::sort(a);
  yoke::sort(a(yoke::whole, 1));
  (void)yoke::sorted(constant);
  (void)yoke::argsort<int>(constant);
  yoke::sort_by_key(n, phases);
  (void)yoke::unique(n);
  (void)yoke::copy_if(a, a > 3);
  (void)yoke::group_by_key(keys, line, 3);
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"near", int>, yoke::named_list<"far", float>>>
      builder(context, {"x"}, {});
  (void)builder(3, keys).get<"far">();
  yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"near", int>, yoke::named_list<"far", int, "near">>>
      sharing(context, {"x"}, {});
  (void)sharing(3, keys).get<"far">();
#endif
}

int main() {}
