// SPDX-License-Identifier: MIT
// What the tests of arrays share.
#ifndef YOKE_TESTS_ARRAY_ARRAY_RIG_HPP
#define YOKE_TESTS_ARRAY_ARRAY_RIG_HPP

#include <array/layout_model.hpp>
#include <support/rig.hpp>
#include <yoke/array.hpp>

#include <cstring>
#include <random>

namespace yoke_test::arrays {

using array_model::dice;
using array_model::model;

/// A context and a stream of the port that is chosen at run time, which users get. Tests that count driver calls, or need a
/// backend's own types, have a `rig`; each of these tests compiles once, not once for each backend.
struct any_rig {
  explicit any_rig(const yoke::device<>& on) : context(on), stream(context) {}
  yoke::context<> context;
  yoke::stream<> stream;
};

/// Returns: elements of random bits, none of them NaN.
template <class T>
std::vector<T> random_values(std::size_t size) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::vector<T> values(size);
  for (T& each : values) each = static_cast<T>(static_cast<std::int64_t>(engine() % 20'001) - 10'000);
  return values;
}

}  // namespace yoke_test::arrays

#endif
