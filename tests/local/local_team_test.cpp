// SPDX-License-Identifier: MIT
// Ranks that are threads: each verb against an oracle on the host, on every range, and what they refuse.
#include <local/ranks.hpp>

#include <complex>

using namespace yoke_test;
using namespace yoke_test::ranks;
using Catch::Matchers::ContainsSubstring;

static_assert(yoke::communicator<communicator>);
static_assert(yoke::moves<communicator, float>);
static_assert(yoke::reduces<communicator, float> && yoke::reduces<communicator, int, yoke::averaged_t>);
static_assert(!yoke::reduces<communicator, bool> && !yoke::reduces<communicator, std::complex<float>, yoke::largest_t>);

YOKE_ANY_DEVICE_TEST_CASE("ranks add their elements, in place and apart", "[local]") {
  team_rig state(device);
  for (const int ranks : {1, 2, 3, 4}) {
    for (const std::size_t count : {0U, 1U, 7U, 1000U}) {
      INFO(ranks << " ranks, " << count << " elements");
      const auto sums = in_team(state.context, ranks, [&](communicator& comm, const yoke::stream<>& s) {
        auto x = yoke::to_device_array(elements_of<float>(comm.rank(), count), s);
        yoke::device_array<float, 1> apart(s, {count});
        comm.all_reduce(x, apart, yoke::summed, s);
        comm.all_reduce(x, yoke::summed, s);
        return std::pair(x.to_host(), apart.to_host());
      });
      std::vector<float> expected(count);
      for (int rank = 0; rank < ranks; ++rank) {
        for (std::size_t k = 0; k < count; ++k) expected[k] += static_cast<float>(100 * rank) + static_cast<float>(k);
      }
      for (const auto& each : sums) {
        CHECK(each.first == expected);
        CHECK(each.second == expected);
      }
    }
  }
}
