// SPDX-License-Identifier: MIT
// Products of matrices and vectors of any type and layout, against sums on the host.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/cache.hpp>
#include <yoke/linalg.hpp>

#include <complex>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

struct linalg_rig : any_rig {
  explicit linalg_rig(const yoke::device<>& on) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
  }
};

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("multiplies two matrices", "[linalg]") {
  linalg_rig state(device);
  const auto x = random_values<float>(33 * 70);
  const auto y = random_values<float>(70 * 65);
  const auto a = yoke::to_device_array(x, {33, 70}, state.stream);
  const auto b = yoke::to_device_array(y, {70, 65}, state.stream);
  auto c = yoke::matmul(a, b);
  REQUIRE(c.shape() == yoke::shape<2>{33, 65});
  const auto got = c.to_host();
  for (std::size_t i = 0; i < 33; ++i) {
    for (std::size_t j = 0; j < 65; ++j) {
      double exact = 0;
      double size = 0;
      for (std::size_t k = 0; k < 70; ++k) {
        const double term = static_cast<double>(x[i * 70 + k]) * static_cast<double>(y[k * 65 + j]);
        exact += term;
        size += std::abs(term);
      }
      REQUIRE(std::abs(static_cast<double>(got[i * 65 + j]) - exact) <= 2.4e-7 * size);
    }
  }
}
