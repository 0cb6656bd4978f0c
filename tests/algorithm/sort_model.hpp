// SPDX-License-Identifier: MIT
// What the tests of algorithms over arrays share.
#ifndef YOKE_TESTS_ALGORITHM_SORT_MODEL_HPP
#define YOKE_TESTS_ALGORITHM_SORT_MODEL_HPP

#include <array/array_rig.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/cache.hpp>

#include <algorithm>
#include <numeric>

namespace yoke_test::sorting {

/// A context whose arrays take the programs of those before: each kernel is compiled once, not once for each test.
struct sort_rig : arrays::any_rig {
  explicit sort_rig(const yoke::device<>& on) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
  }
};

/// Lets blocks of many threads sort on processors, too, while it lives.
struct by_blocks {
  by_blocks() { yoke::detail::serial_sort_allowed() = false; }
  ~by_blocks() { yoke::detail::serial_sort_allowed() = true; }
  by_blocks(const by_blocks&) = delete;
  by_blocks& operator=(const by_blocks&) = delete;
};

/// Returns: elements of random bits, of which only those of a mask are set.
template <class T>
std::vector<T> random_bits(std::size_t size, std::uint64_t mask = ~std::uint64_t{0}) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::vector<T> values(size);
  for (T& each : values) {
    std::uint64_t bits[(sizeof(T) + 7) / 8];
    for (std::uint64_t& part : bits) part = engine() & mask;
    std::memcpy(static_cast<void*>(&each), bits, sizeof(T));
  }
  return values;
}

template <class T>
bool is_nan(const T& value) {
  return value != value;
}
template <class T>
auto comparable(const T& value) {
  if constexpr (std::is_same_v<T, yoke::half> || std::is_same_v<T, yoke::bfloat16>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

/// Returns: the places of elements in their order, by the host's stable sort: what is no number is last.
template <class T>
std::vector<std::int32_t> order_of(const T* values, std::size_t count, bool descending) {
  std::vector<std::int32_t> places(count);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::int32_t a, std::int32_t b) {
    const auto x = comparable(values[a]);
    const auto y = comparable(values[b]);
    if (is_nan(x) || is_nan(y)) return !is_nan(x);
    return descending ? y < x : x < y;
  });
  return places;
}

/// Whether elements are those of an order, to the last bit.
template <class T>
bool are_ordered(const std::vector<T>& found, const std::vector<T>& before, const std::vector<std::int32_t>& order,
                 std::size_t row = 0) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t at = row * order.size();
    if (std::memcmp(&found[at + i], &before[at + static_cast<std::size_t>(order[i])], sizeof(T)) == 0) continue;
    UNSCOPED_INFO("element " << i << " of row " << row << " of " << sizeof(T) << " bytes");
    return false;
  }
  return true;
}

}  // namespace yoke_test::sorting

#endif
