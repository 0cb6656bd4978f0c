// SPDX-License-Identifier: MIT
// The least and the greatest value in one reduction: its value is a struct of the program, which kernels know, too.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

struct range {
  int least;
  int greatest;
  int where_least;
};
YOKE_STRUCT(range, least, greatest, where_least);

namespace {

constexpr int count = 200000;

int run() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  std::vector<int> host;
  unsigned seed = 12345;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    host.push_back(static_cast<int>(seed >> 8) - (1 << 23));
  }
  const auto x = yoke::to_device_array(host, stream);

  const yoke::reduction_kernel<range(const int*)> range_of(
      context, {"x"},
      {.map = "range r; r.least = x[i]; r.greatest = x[i]; r.where_least = (int)i; return r;",
       .join = "range r; r.greatest = max(a.greatest, b.greatest);"
               "int first = a.least < b.least || (a.least == b.least && a.where_least < b.where_least);"
               "r.least = first ? a.least : b.least; r.where_least = first ? a.where_least : b.where_least; return r;",
       .neutral =
           "range r; r.least = 2147483647; r.greatest = -2147483647 - 1; r.where_least = 2147483647; return r;"});
  const range found = range_of(x).get();

  const auto [least, greatest] = std::minmax_element(host.begin(), host.end());
  const auto first = static_cast<int>(std::min_element(host.begin(), host.end()) - host.begin());
  fmt::print("{} values from {} at {} to {}\n", count, found.least, found.where_least, found.greatest);
  const bool right = found.least == *least && found.greatest == *greatest && found.where_least == first;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
