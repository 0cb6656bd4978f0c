// SPDX-License-Identifier: MIT
// Expressions of arrays: values against the host's double, layouts, aliases, launches and compilations counted.
#include <array/array_rig.hpp>
#include <yoke/array/expression_operators.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_DEVICE_TEST_CASE("2 * a, and one launch for an assignment", "[array]") {
  rig state(device);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{100'003}}) {
    const auto host = random_values<float>(size);
    auto a = yoke::to_device_array(host, state.stream);
    auto b = yoke::zeros<float>({size}, state.stream);
    b = 2 * a + a / 4 - 1;
    const std::size_t mark = state.driver.calls().size();
    b = 2 * a + a / 4 - 1;
    CHECK(state.enqueued(mark) == (size == 0 ? 0 : 1));
    const auto result = b.to_host();
    bool right = true;
    for (std::size_t i = 0; i < size; ++i) right = right && result[i] == 2 * host[i] + host[i] / 4 - 1;
    CHECK(right);
  }
}
