// SPDX-License-Identifier: MIT
// Halos of ranks that are threads: right elements in any order of calls, also while devices are late.
#include <distributed/halo_elements.hpp>
#include <local/ranks.hpp>

#include <cmath>
#include <random>
#include <thread>

using namespace yoke_test;
using namespace yoke_test::ranks;
using Catch::Matchers::ContainsSubstring;

YOKE_ANY_DEVICE_TEST_CASE("halos have the neighbours' elements", "[local]") {
  team_rig state(device);
  const auto check = [&](int ranks, const yoke::array_partition<2>& grid) {
    INFO(ranks << " ranks in " << grid.blocks()[0] << " x " << grid.blocks()[1] << " blocks");
    const auto made = in_team(state.context, ranks, [&](communicator& comm, const yoke::stream<>& s) {
      const auto shape = grid.shape_with_halo(comm.rank());
      yoke::device_array<int, 2> u(s, shape);
      yoke::device_array<float, 2> v(s, shape);
      u.assign(own_elements(grid, comm.rank(), false));
      v.view().assign(u.astype<float>());
      yoke::halo_exchange halo{comm, grid, u, v};
      auto moving = halo.start(s);
      auto changed = u.copy();
      moving.finish(s);
      return std::array{u.to_host(), v.astype<int>().to_host(), changed.to_host()};
    });
    for (int rank = 0; rank < ranks; ++rank) {
      const auto& each = made[static_cast<std::size_t>(rank)];
      CHECK(each[0] == own_elements(grid, rank, true));
      CHECK(each[1] == own_elements(grid, rank, true));
      CHECK(each[2] == own_elements(grid, rank, false));
    }
  };
  check(3, {{10, 5}, 3, yoke::split_rows, {.halo = 1}});
  check(2, {{6, 5}, 2, yoke::split_rows, {.halo = 2, .periodic = true}});  // both neighbours are the same rank
  check(4, {{7, 6}, yoke::shape{2, 2}, {.halo = {1, 2}, .periodic = {false, true}, .corners = true}});
  check(1, {{4, 4}, 1, yoke::split_rows, {.halo = 1, .periodic = true}});  // a rank is its own neighbour
}

// The race that a hand-written exchange lost: blocks are used again while a device still reads them.
YOKE_ANY_DEVICE_TEST_CASE("halos are right in each of 50 steps while ranks are late", "[local]") {
  team_rig state(device);
  constexpr int ranks = 3;
  constexpr int steps = 50;
  const yoke::array_partition<2> grid{{9, 40}, ranks, yoke::split_rows, {.halo = 1, .periodic = {true, false}}};
  const auto wrong = in_team(state.context, ranks, [&](communicator& comm, const yoke::stream<>& s) {
    const yoke::stream<> other(s.context_of(), s.device_of());
    const auto shape = grid.shape_with_halo(comm.rank());
    const auto first = yoke::to_device_array(own_elements(grid, comm.rank(), false), s);
    const auto complete = yoke::to_device_array(own_elements(grid, comm.rank(), true), s);
    yoke::device_array<int, 2> u(s, shape);
    yoke::device_array<int, 2> next(s, shape);
    yoke::halo_exchange halo{comm, grid, u};
    yoke::halo_exchange back{comm, grid, next};
    yoke::device_array<std::int64_t, 1> bad(s, {steps});
    bad.fill(0);
    // Work that keeps the device busy for a while, on one rank in each step.
    yoke::device_array<float, 1> busy(s, {100000});
    busy.fill(1.0F);
    std::mt19937 engine(static_cast<unsigned>(comm.rank()));
    const auto own = first.reshape(shape);
    const auto with_halo = complete.reshape(shape);
    const std::size_t edge = grid.own(comm.rank()).first[0];
    for (int step = 0; step < steps; ++step) {
      const auto& in = step % 3 == 2 ? other : s;
      const auto& ends = step % 4 == 1 ? other : s;
      other.wait(s.record());
      u.bind(in).assign(yoke::where(own < 0, own, own + 10000 * step));
      if (step % ranks == comm.rank()) busy.bind(in) = yoke::sqrt(busy + 1.0F) * 0.5F;
      if (engine() % 8 == 0) std::this_thread::sleep_for(1ms);
      auto moving = halo.start(in);
      u(edge).bind(in).fill(-7);  // the faces are packed already
      ends.wait(in.record());
      moving.finish(ends);
      u(edge).bind(ends).assign(yoke::where(with_halo(edge) < 0, with_halo(edge), with_halo(edge) + 10000 * step));
      bad(step).bind(ends).assign(
          yoke::pass::count(u.bind(ends) != yoke::where(with_halo < 0, with_halo, with_halo + 10000 * step)));
      s.wait(ends.record());
      std::swap(u, next);
      std::swap(halo, back);
    }
    return bad.to_host();
  });
  for (const auto& each : wrong) CHECK(each == std::vector<std::int64_t>(steps));
}

YOKE_ANY_DEVICE_TEST_CASE("blocks of an array go to the ranks and come back", "[local]") {
  team_rig state(device);
  const yoke::array_partition<2> grid{{5, 7}, 4, yoke::split_blocks, {.halo = 1}};
  const auto made = in_team(state.context, 4, [&](communicator& comm, const yoke::stream<>& s) {
    yoke::device_array<int, 2> all;
    if (comm.rank() == 2) all = yoke::to_device_array(elements_of(0, 35), s).reshape({5, 7}).copy();
    yoke::device_array<int, 2> mine(s, grid.shape_with_halo(comm.rank()));
    mine.fill(-1);
    yoke::scatter_blocks(comm, grid, all, mine, 2, s);
    mine += 1;
    yoke::device_array<int, 2> back;
    if (comm.rank() == 0) back = yoke::device_array<int, 2>(s, grid.shape());
    yoke::gather_blocks(comm, grid, mine, back, 0, s);
    return comm.rank() == 0 ? back.to_host() : std::vector<int>();
  });
  auto expected = elements_of(0, 35);
  for (int& each : expected) ++each;
  CHECK(made[0] == expected);
}

YOKE_ANY_DEVICE_TEST_CASE("a halo exchange names what does not fit", "[local]") {
  team_rig state(device);
  const yoke::array_partition<2> grid{{4, 4}, 1, yoke::split_rows, {.halo = 1}};
  const yoke::array_partition<2> for_two{{4, 4}, 2, yoke::split_rows, {.halo = 1}};
  const auto words = failures_in_team(state.context, 1, [&](communicator& comm, const yoke::stream<>& s) {
    yoke::device_array<int, 2> u(s, {6, 6});
    yoke::device_array<int, 2> bare(s, {4, 4});
    std::string all;
    const auto refused = [&](const auto& act) {
      try {
        act();
        all += "nothing was thrown;";
      } catch (const yoke::logic_error& thrown) {
        all += thrown.what();
        if (std::string_view(thrown.where().file_name()).find("local_halo_test") == std::string_view::npos) {
          all += "no line was named;";
        }
      }
    };
    refused([&] { yoke::halo_exchange(comm, grid, bare); });
    refused([&] { yoke::halo_exchange(comm, for_two, u); });
    yoke::halo_exchange halo(comm, grid, u);
    auto moving = halo.start(s);
    refused([&] { (void)halo.start(s); });
    moving.finish(s);
    const yoke::halo_exchange other(std::move(halo));
    refused([&] { halo.run(s); });  // NOLINT: moved from
    yoke::device_array<int, 2> whole(s, {4, 4});
    refused([&] { yoke::gather_blocks(comm, for_two, u, whole, 0, s); });
    refused([&] { yoke::scatter_blocks(comm, for_two, whole, u, 0, s); });
    refused([&] { yoke::gather_blocks(comm, grid, whole, whole, 0, s); });
    refused([&] { yoke::scatter_blocks(comm, grid, u, u, 0, s); });
    refused([&] { yoke::gather_blocks(comm, grid, u, whole, 1, s); });
    throw std::runtime_error(all);
  });
  CHECK_THAT(words[0], ContainsSubstring("halo_exchange with an array of (4, 4): rank 0 has (6, 6) of the partition"));
  CHECK_THAT(words[0], ContainsSubstring("halo_exchange of a partition among 2 ranks by a communicator of 1"));
  CHECK_THAT(words[0], ContainsSubstring("this halo exchange has been started: finish it first"));
  CHECK_THAT(words[0], ContainsSubstring("this halo exchange is empty"));
  CHECK_THAT(words[0], ContainsSubstring("gather_blocks of a partition among 2 ranks by a communicator of 1"));
  CHECK_THAT(words[0], ContainsSubstring("scatter_blocks of a partition among 2 ranks by a communicator of 1"));
  CHECK_THAT(words[0], ContainsSubstring("gather_blocks with an array of (4, 4): rank 0 has (6, 6) of the partition"));
  CHECK_THAT(words[0], ContainsSubstring("scatter_blocks with a whole array of (6, 6): the partition is of (4, 4)"));
  CHECK_THAT(words[0], ContainsSubstring("gather_blocks: root 1 is not among the 1 rank"));
  CHECK_THAT(words[0], !ContainsSubstring("nothing was thrown") && !ContainsSubstring("no line was named"));
}

YOKE_ANY_DEVICE_TEST_CASE("ranks whose halos differ are told on all ranks", "[local]") {
  team_rig state(device);
  using grid_type = yoke::array_partition<2>;
  const auto words_of = [&](const auto& make) {
    return failures_in_team(state.context, 2, [&](communicator& comm, const yoke::stream<>& s) {
      try {
        make(comm, s);
      } catch (const yoke::communication_error& thrown) {
        if (thrown.code() == yoke::errc::mismatched_ranks) throw;
        throw std::runtime_error(std::string("another condition: ") + thrown.what());
      }
    });
  };
  const auto make = [](communicator& comm, const yoke::stream<>& s, const grid_type& grid, auto zero) {
    yoke::device_array<decltype(zero), 2> u(s, grid.shape_with_halo(comm.rank()));
    u.fill(zero);
    yoke::halo_exchange(comm, grid, u).run(s);
  };
  const grid_type plain{{8, 8}, 2, yoke::split_rows, {.halo = 1}};
  const auto types = words_of([&](communicator& comm, const yoke::stream<>& s) {
    comm.rank() == 0 ? make(comm, s, plain, 0.0F) : make(comm, s, plain, 0);
  });
  CHECK_THAT(types[0], ContainsSubstring("rank 0 exchanges halos of float of (8, 8) in (2, 1) blocks, of the widths "
                                         "(1, 1)") &&
                           ContainsSubstring(", rank 1 halos of int of (8, 8)"));
  CHECK_THAT(types[1], ContainsSubstring("rank 1 exchanges halos of int") &&
                           ContainsSubstring(", rank 0 halos of float") && ContainsSubstring("local_halo_test.cpp"));
  const auto differ = [&](const grid_type& other, const char* expected) {
    const auto words = words_of(
        [&](communicator& comm, const yoke::stream<>& s) { make(comm, s, comm.rank() == 0 ? plain : other, 0); });
    for (const std::string& each : words)
      CHECK_THAT(each, ContainsSubstring(expected) && !ContainsSubstring("another"));
  };
  differ({{8, 8}, 2, yoke::split_rows, {.halo = {1, 0}}}, "of the widths (1, 0)");
  differ({{8, 9}, 2, yoke::split_rows, {.halo = 1}}, "of (8, 9)");
  differ({{8, 8}, yoke::shape{1, 2}, {.halo = 1}}, "in (1, 2) blocks");
  differ({{8, 8}, 2, yoke::split_rows, {.halo = 1, .periodic = {true, false}}}, "axis 0 a ring");
  differ({{8, 8}, 2, yoke::split_rows, {.halo = 1, .corners = true}}, "with corners");
}
