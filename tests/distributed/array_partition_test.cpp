// SPDX-License-Identifier: MIT
// Partitions of arrays against brute force: each element has one owner, and each part of a halo one sender.
#include <support/rig.hpp>
#include <yoke/distributed.hpp>

#include <map>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Effects: calls `each(index)` for all elements of a box, in C order.
template <std::size_t Rank, class Each>
void for_each_of(const yoke::index_box<Rank>& box, const Each& each) {
  if (box.empty()) return;
  yoke::shape<Rank> at = box.first;
  for (;;) {
    each(at);
    std::size_t axis = Rank;
    while (axis-- > 0) {
      if (++at[axis] < box.first[axis] + box.extents[axis]) break;
      at[axis] = box.first[axis];
    }
    if (axis == ~std::size_t{0}) return;
  }
}

/// Effects: checks blocks, owners, insides, edges and halos of a partition, element by element.
template <std::size_t Rank>
void check_partition(const yoke::array_partition<Rank>& grid) {
  std::map<std::array<std::size_t, Rank>, int> owners;
  for (int rank = 0; rank < grid.ranks(); ++rank) {
    const auto block = grid.block(rank);
    for_each_of(block, [&](const yoke::shape<Rank>& at) {
      CHECK(owners.emplace(at.extents(), rank).second);
      CHECK(grid.owner(at) == rank);
    });
    // The whole array's index of an element of the rank's own array, which may be in another block.
    const auto is_own = [&](const yoke::shape<Rank>& at) { return grid.own(rank).contains(at); };
    std::map<std::array<std::size_t, Rank>, int> seen;
    const auto cut = grid.edges(rank);
    for (const auto& each : cut) for_each_of(each, [&](const auto& at) { ++seen[at.extents()]; });
    for_each_of(grid.inside(rank), [&](const yoke::shape<Rank>& at) {
      ++seen[at.extents()];
      // No element within the halo's width along an axis belongs to a neighbour.
      for (std::size_t axis = 0; axis < Rank; ++axis) {
        for (const int step : {-1, 1}) {
          if (!grid.neighbour(rank, static_cast<int>(axis), step)) continue;
          auto far = at;
          far[axis] += static_cast<std::size_t>(step) * grid.halo()[axis];
          CHECK(is_own(far));
        }
      }
    });
    CHECK(seen.size() == grid.own(rank).size());
    for (const auto& each : seen) {
      CHECK(each.second == 1);
      CHECK(is_own(yoke::shape<Rank>(each.first)));
    }
    for (int number = 0; number < grid.directions; ++number) {
      const auto towards = grid.direction(number);
      auto back = towards;
      for (int& each : back) each = -each;
      CHECK(grid.direction(grid.directions - 1 - number) == back);
      if (!grid.is_exchanged(towards)) continue;
      const auto peer = grid.neighbour(rank, towards);
      if (!peer) continue;
      CHECK(grid.neighbour(*peer, back) == rank);
      const auto sent = grid.sent(rank, towards);
      const auto received = grid.received(*peer, back);
      CHECK(sent.extents == received.extents);
      for_each_of(sent, [&](const auto& at) { CHECK(is_own(at)); });
      // What arrives is what the whole array has there.
      const auto theirs = grid.block(*peer);
      for_each_of(sent, [&](const yoke::shape<Rank>& at) {
        for (std::size_t axis = 0; axis < Rank; ++axis) {
          const std::size_t mine = block.first[axis] + at[axis] - grid.halo()[axis];
          const std::size_t there = received.first[axis] + at[axis] - sent.first[axis] + theirs.first[axis];
          const std::size_t whole = grid.shape()[axis];
          CHECK(mine % whole == (there + 2 * whole - grid.halo()[axis]) % whole);
        }
      });
    }
  }
  CHECK(owners.size() == yoke::index_box<Rank>{{}, grid.shape()}.size());
}

constexpr yoke::array_partition<2> rows{{10, 4}, 3, yoke::split_rows, {.halo = 1}};
static_assert(rows.ranks() == 3 && rows.blocks() == yoke::shape{3, 1});
static_assert(rows.block(0).extents == yoke::shape{4, 4} && rows.block(2).first == yoke::shape{7, 0});
static_assert(rows.shape_with_halo(1) == yoke::shape{5, 6} && rows.own(1).first == yoke::shape{1, 1});
static_assert(rows.owner({4, 3}) == 1 && rows.neighbour(1, 0, 1) == 2 && !rows.neighbour(2, 0, 1));
static_assert(rows.inside(1) == yoke::index_box<2>{{2, 1}, {1, 4}} && rows.inside(0).extents == yoke::shape{3, 4});
static_assert(rows.sent(1, {-1, 0}) == yoke::index_box<2>{{1, 1}, {1, 4}});
static_assert(rows.received(1, {1, 0}) == yoke::index_box<2>{{4, 1}, {1, 4}});
constexpr yoke::array_partition<3> cubes{{64, 64, 32}, 8, yoke::split_blocks, {.halo = {1, 2, 0}}};
static_assert(cubes.blocks() == yoke::shape{2, 4, 1} || cubes.blocks() == yoke::shape{4, 2, 1} ||
              cubes.blocks() == yoke::shape{2, 2, 2});

}  // namespace

TEST_CASE("each element of a partition has one owner, and each part of a halo one sender", "[distributed]") {
  for (const int ranks : {1, 2, 3, 5}) {
    check_partition(yoke::array_partition<1>({11}, ranks, yoke::split_rows, {.halo = 2}));
    check_partition(yoke::array_partition<2>({10, 3}, ranks, yoke::split_rows, {.halo = 1, .periodic = true}));
  }
  for (const int ranks : {1, 4, 6}) {
    check_partition(yoke::array_partition<2>({7, 8}, ranks, yoke::split_blocks, {.halo = {1, 2}, .corners = true}));
    check_partition(yoke::array_partition<2>({7, 8}, ranks, yoke::split_blocks,
                                             {.halo = 2, .periodic = {true, false}, .corners = true}));
  }
  check_partition(yoke::array_partition<3>({5, 4, 6}, 12, yoke::split_blocks, {.halo = 1, .corners = true}));
  check_partition(yoke::array_partition<3>({3, 4, 3}, yoke::shape{1, 2, 1}, {.halo = {0, 1, 0}, .periodic = true}));
  check_partition(yoke::array_partition<1>({2}, 5, yoke::split_rows));  // three ranks have no element
}

TEST_CASE("partitions divide the longest axes", "[distributed]") {
  CHECK(yoke::array_partition<2>({1000, 10}, 6, yoke::split_blocks).blocks() == yoke::shape{6, 1});
  CHECK(yoke::array_partition<2>({100, 100}, 6, yoke::split_blocks).blocks() == yoke::shape{3, 2});
  CHECK(yoke::array_partition<3>({64, 64, 64}, 8, yoke::split_blocks).blocks() == yoke::shape{2, 2, 2});
  CHECK(yoke::array_partition<2>({7, 9}, 7, yoke::split_blocks).blocks() == yoke::shape{1, 7});
}

TEST_CASE("a partition names what cannot be", "[distributed]") {
  using yoke::errc;
  CHECK_THAT(refusal<yoke::logic_error>(errc::invalid_argument,
                                        [] { (void)yoke::array_partition<1>({4}, 0, yoke::split_rows); }),
             ContainsSubstring("a partition among 0 ranks"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::invalid_argument,
                                        [] {
                                          (void)yoke::array_partition<2>({5, 9}, 4, yoke::split_rows, {.halo = 2});
                                        }),
             ContainsSubstring("a partition of (5, 9): 4 blocks along axis 0 have only 1 element there, fewer than the "
                               "halo of 2"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::out_of_range, [] { (void)rows.block(3); }),
             ContainsSubstring("rank 3 is not among the 3 of the partition"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::out_of_range,
                                        [] {
                                          (void)rows.owner({10, 0});
                                        }),
             ContainsSubstring("leaves an array of (10, 4)"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::out_of_range, [] { (void)rows.own(0).shifted(0, -2); }),
             ContainsSubstring("a box that begins at 1 of axis 0 cannot move by -2"));
}

TEST_CASE("a partition refuses numbers that wrap, and directions that are none", "[distributed]") {
  using yoke::errc;
  const auto partition = [](const auto&... given) {
    return refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)yoke::array_partition<2>(given...); });
  };
  using options = yoke::partition_options<2>;
  const yoke::shape<2> extents{8, 8};
  CHECK_THAT(partition(extents, 1, yoke::split_rows, options{.halo = -1}),
             ContainsSubstring("a partition of (8, 8) with a halo of -1 along axis 0: the least width is 0"));
  CHECK_THAT(partition(extents, 2, yoke::split_rows, options{.halo = {1, -1}}),
             ContainsSubstring("a halo of -1 along axis 1"));
  CHECK_THAT(partition(extents, 1, yoke::split_rows, options{.halo = std::size_t{1} << 62U}),
             ContainsSubstring("a halo of 4611686018427387904 along axis 0: the extent and both sides would pass"));
  (void)partition(extents, 1, yoke::split_rows, options{.halo = std::size_t{1} << 63U});
  CHECK_THAT(partition(extents, yoke::shape{-1, -1}),
             ContainsSubstring("a partition in (-1, -1) blocks: it takes at least one along each axis"));
  CHECK_THAT(partition(extents, yoke::shape{65537, 65537}), ContainsSubstring("a partition in (65537, 65537) blocks") &&
                                                                ContainsSubstring("at most 2147483647 in all"));
  CHECK_THAT(partition(extents, yoke::shape{2, 0}), ContainsSubstring("a partition in (2, 0) blocks"));
  const auto call = [](const auto& act) { return refusal<yoke::logic_error>(errc::out_of_range, act); };
  CHECK_THAT(call([] { (void)rows.neighbour(0, -1, 1); }),
             ContainsSubstring("neighbour along axis -1: there are 2 axes, which begin at 0"));
  CHECK_THAT(call([] { (void)rows.neighbour(0, 2, 1); }), ContainsSubstring("neighbour along axis 2"));
  CHECK_THAT(call([] { (void)rows.neighbour(0, 0, 2); }),
             ContainsSubstring("a direction of 2 along axis 0: it takes -1, 0 or 1"));
  using direction = yoke::array_partition<2>::direction_type;
  CHECK_THAT(call([] { (void)rows.neighbour(0, direction{0, -2}); }), ContainsSubstring("of -2 along axis 1"));
  CHECK_THAT(call([] { (void)rows.sent(0, direction{3, 0}); }), ContainsSubstring("a direction of 3 along axis 0"));
  CHECK_THAT(call([] { (void)rows.received(0, direction{3, 0}); }), ContainsSubstring("a direction of 3 along axis 0"));
  CHECK_THAT(call([] {
               (void)rows.is_exchanged(direction{3, 0});
             }),
             ContainsSubstring("a direction of 3 along axis 0"));
  CHECK_THAT(call([] { (void)rows.direction(9); }), ContainsSubstring("direction 9 is not among the 9"));
  CHECK_THAT(call([] { (void)rows.direction(-1); }), ContainsSubstring("direction -1 is not among the 9"));
  CHECK_THAT(call([] { (void)rows.own(0).shifted(5, 1); }),
             ContainsSubstring("shifted along axis 5: there are 2 axes, which begin at 0"));
  CHECK_THAT(call([] {
               const yoke::index_box<1> last{{~std::size_t{0}}, {1}};
               (void)last.shifted(0, 1);
             }),
             ContainsSubstring("cannot move by 1"));
}
