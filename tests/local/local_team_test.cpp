// SPDX-License-Identifier: MIT
// Ranks that are threads: each verb against an oracle on the host, on every range, and what they refuse.
#include <local/ranks.hpp>
#include <support/devices/parts.hpp>

#include <yoke/opencl.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <thread>

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

namespace {

/// Returns: the reduction of the ranks' elements as the host calculates it.
template <class T, class Join>
std::vector<T> joined(int ranks, std::size_t count, const Join& join) {
  std::vector<T> made = elements_of<T>(0, count);
  for (int rank = 1; rank < ranks; ++rank) {
    const auto next = elements_of<T>(rank, count);
    for (std::size_t k = 0; k < count; ++k) made[k] = static_cast<T>(join(made[k], next[k]));
  }
  return made;
}
/// Effects: checks an operator over three ranks.
template <class T, class Op, class Join>
void check_operator(const yoke::context<>& in, const Op& op, const Join& join, std::size_t count = 5) {
  INFO(yoke::detail::name_of_operator(Op::number) << " of " << yoke::device_type_name<T>);
  const auto made = in_team(in, 3, [&](communicator& comm, const yoke::stream<>& s) {
    auto x = yoke::to_device_array(elements_of<T>(comm.rank(), count), s);
    comm.all_reduce(x, op, s);
    return x.to_host();
  });
  const auto expected = joined<T>(3, count, join);
  for (const auto& each : made) CHECK(std::equal(each.begin(), each.end(), expected.begin(), expected.end()));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("ranks reduce by each operator, in the order of the ranks", "[local]") {
  team_rig state(device);
  const auto plus = [](auto a, auto b) { return a + b; };
  check_operator<std::int32_t>(state.context, yoke::summed, plus);
  check_operator<std::int32_t>(state.context, yoke::smallest, [](int a, int b) { return std::min(a, b); });
  check_operator<float>(state.context, yoke::largest, [](float a, float b) { return std::max(a, b); });
  check_operator<std::uint8_t>(state.context, yoke::multiplied, [](int a, int b) { return a * b; });
  check_operator<yoke::half>(state.context, yoke::summed,
                             [](yoke::half a, yoke::half b) { return static_cast<float>(a) + static_cast<float>(b); });
  check_operator<std::complex<float>>(state.context, yoke::multiplied, [](auto a, auto b) { return a * b; });
  // (0 + 100 + 200) / 3 and so on, also where the sum is below 0.
  const auto means = in_team(state.context, 3, [&](communicator& comm, const yoke::stream<>& s) {
    auto x = yoke::to_device_array(std::vector<std::int64_t>{comm.rank(), -comm.rank() - 1, 1}, s);
    comm.all_reduce(x, yoke::averaged, s);
    return x.to_host();
  });
  for (const auto& each : means) CHECK(each == std::vector<std::int64_t>{1, -2, 1});
  // Sums of narrow integers do not fit into their own type.
  const auto check_means = [&]<class T>(T value) {
    const auto narrow = in_team(state.context, 3, [&](communicator& comm, const yoke::stream<>& s) {
      auto x = yoke::to_device_array(std::vector<T>{value, static_cast<T>(value - static_cast<T>(comm.rank()))}, s);
      comm.all_reduce(x, yoke::averaged, s);
      return x.to_host();
    });
    for (const auto& each : narrow) CHECK(each == std::vector<T>{value, static_cast<T>(value - 1)});
  };
  check_means(std::int8_t{100});
  check_means(std::uint8_t{250});
  check_means(std::int16_t{-32000});
  check_means(std::int32_t{2147483647});
  check_means(std::uint32_t{4294967295U});
}

YOKE_ANY_DEVICE_TEST_CASE("a root gets the reduction, or each rank its part", "[local]") {
  team_rig state(device);
  const auto expected = joined<int>(3, 6, [](int a, int b) { return a + b; });
  for (const int root : {0, 2}) {
    const auto made = in_team(state.context, 3, [&](communicator& comm, const yoke::stream<>& s) {
      auto x = yoke::to_device_array(elements_of(comm.rank(), 6), s);
      yoke::device_array<int, 1> into(s, {comm.rank() == root ? 6 : 0});
      comm.reduce(x, into, yoke::summed, root, s);
      yoke::device_array<int, 1> part(s, {2});
      comm.reduce_scatter(x, part, yoke::summed, s);
      auto whole = x.copy();
      const auto in_place = whole(yoke::slice(2 * comm.rank(), 2 * comm.rank() + 2));
      comm.reduce_scatter(whole, in_place, yoke::summed, s);
      auto kept = x.to_host();
      comm.reduce(x, yoke::summed, root, s);
      return std::array{into.to_host(), part.to_host(), in_place.to_host(), x.to_host(), std::move(kept)};
    });
    for (int rank = 0; rank < 3; ++rank) {
      const auto& each = made[static_cast<std::size_t>(rank)];
      const std::vector<int> mine(expected.begin() + 2 * rank, expected.begin() + 2 * rank + 2);
      CHECK(each[0] == (rank == root ? expected : std::vector<int>()));
      CHECK(each[1] == mine);
      CHECK(each[2] == mine);
      CHECK(each[3] == (rank == root ? expected : elements_of(rank, 6)));
      CHECK(each[4] == elements_of(rank, 6));
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("ranks move elements", "[local]") {
  team_rig state(device);
  constexpr int ranks = 3;
  constexpr std::size_t count = 5;
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto next = elements_of(rank, count);
    all.insert(all.end(), next.begin(), next.end());
  }
  const int root = 1;
  const auto made = in_team(state.context, ranks, [&](communicator& comm, const yoke::stream<>& s) {
    const auto own = yoke::to_device_array(elements_of(comm.rank(), count), s);
    auto broadcast = own.copy();
    comm.broadcast(broadcast, root, s);
    yoke::device_array<int, 1> gathered(s, {ranks * count});
    comm.all_gather(own, gathered, s);
    yoke::device_array<int, 1> in_place(s, {ranks * count});
    in_place.fill(-1);
    const auto first = static_cast<std::ptrdiff_t>(count) * comm.rank();
    in_place(yoke::slice(first, first + static_cast<std::ptrdiff_t>(count))).assign(own);
    comm.all_gather(in_place, s);
    yoke::device_array<int, 1> at_root(s, {comm.rank() == root ? ranks * count : 0});
    comm.gather(own, at_root, root, s);
    yoke::device_array<int, 1> mine(s, {count});
    comm.scatter(at_root, mine, root, s);
    yoke::device_array<int, 1> swapped(s, {ranks * count});
    auto from = yoke::to_device_array(elements_of(comm.rank(), ranks * count), s);
    comm.all_to_all(from, swapped, s);
    comm.all_to_all(from, from, s);
    return std::array{broadcast.to_host(), gathered.to_host(), in_place.to_host(), at_root.to_host(),
                      mine.to_host(),      swapped.to_host(),  from.to_host()};
  });
  for (int rank = 0; rank < ranks; ++rank) {
    const auto& each = made[static_cast<std::size_t>(rank)];
    CHECK(each[0] == elements_of(root, count));
    CHECK(each[1] == all);
    CHECK(each[2] == all);
    CHECK(each[3] == (rank == root ? all : std::vector<int>()));
    CHECK(each[4] == elements_of(rank, count));
    std::vector<int> swapped;
    for (int other = 0; other < ranks; ++other) {
      const auto theirs = elements_of(other, ranks * count);
      const auto begin = theirs.begin() + rank * static_cast<std::ptrdiff_t>(count);
      swapped.insert(swapped.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    CHECK(each[5] == swapped);
    CHECK(each[6] == swapped);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("verbs take allocations, spans, views with gaps, values and page-locked memory", "[local]") {
  team_rig state(device);
  const auto made = in_team(state.context, 2, [&](communicator& comm, const yoke::stream<>& s) {
    std::vector<std::vector<int>> results;
    const int factor = comm.rank() + 1;
    yoke::device_allocation<int> memory(s.context_of(), std::vector<int>{1 * factor, 2 * factor, 3 * factor}, s);
    comm.all_reduce(memory, yoke::summed, s);
    results.push_back(yoke::to_host(memory, s));
    comm.all_reduce(memory.subspan(1, 2), yoke::summed, s);
    results.push_back(yoke::to_host(memory, s));
    auto table = yoke::to_device_array(elements_of(comm.rank(), 6), s).reshape({2, 3}).copy();
    comm.all_reduce(table(yoke::whole, 1), yoke::summed, s);
    comm.broadcast(table.transpose()(2), 1, s);
    results.push_back(table.to_host());
    yoke::device_value<int> value(s, 5 * factor);
    comm.all_reduce(value, yoke::summed, s);
    results.push_back({value.get()});
    yoke::pagelocked_array<int> host(s.context_of(), 2);
    host[0] = factor;
    host[1] = 10 * factor;
    comm.all_reduce(host, yoke::summed, s);
    s.synchronize();
    results.push_back({host[0], host[1]});
    return results;
  });
  for (int rank = 0; rank < 2; ++rank) {
    const auto& each = made[static_cast<std::size_t>(rank)];
    CHECK(each[0] == std::vector<int>{3, 6, 9});
    CHECK(each[1] == std::vector<int>{3, 12, 18});
    const int r = 100 * rank;
    CHECK(each[2] == std::vector<int>{r, 102, 102, r + 3, 108, 105});
    CHECK(each[3] == std::vector<int>{15});
    CHECK(each[4] == std::vector<int>{3, 30});
  }
}

YOKE_ANY_DEVICE_TEST_CASE("ranks send and receive, one by one and in lists", "[local]") {
  team_rig state(device);
  constexpr int ranks = 3;
  const auto made = in_team(state.context, ranks, [&](communicator& comm, const yoke::stream<>& s) {
    const int next = (comm.rank() + 1) % ranks;
    const int previous = (comm.rank() + ranks - 1) % ranks;
    auto x = yoke::to_device_array(elements_of(comm.rank(), 8), s).reshape({4, 2}).copy();
    yoke::device_array<int, 1> first(s, {4});
    yoke::device_array<int, 2> second(s, {2, 4});
    yoke::exchange list{comm};
    list.send(x(yoke::whole, 1), next);
    list.send(x(yoke::slice(0, 2)), next);
    list.receive(first, previous);
    list.receive(second(yoke::whole, yoke::slice(0, 4, 2)), previous);
    second.fill(-1);
    comm.run(list, s);
    std::vector<std::vector<int>> results{first.to_host(), second.to_host()};
    // The same list again, with other elements; they may change as soon as it is finished.
    x += 1;
    auto moving = comm.run_async(list, s);
    moving.finish(s);
    x.fill(0);
    results.push_back(first.to_host());
    if (comm.rank() == 0) comm.send(x, 2, s);
    if (comm.rank() == 2) comm.receive(second(yoke::slice(0, 2), yoke::whole), 0, s);
    return results;
  });
  for (int rank = 0; rank < ranks; ++rank) {
    const auto& each = made[static_cast<std::size_t>(rank)];
    const int of = 100 * ((rank + ranks - 1) % ranks);
    CHECK(each[0] == std::vector<int>{of + 1, of + 3, of + 5, of + 7});
    CHECK(each[1] == std::vector<int>{of, -1, of + 1, -1, of + 2, -1, of + 3, -1});
    CHECK(each[2] == std::vector<int>{of + 2, of + 4, of + 6, of + 8});
  }
}

YOKE_ANY_DEVICE_TEST_CASE("messages meet in the order in which exchanges begin, whichever ends first", "[local]") {
  team_rig state(device);
  const auto made = in_team(state.context, 2, [&](communicator& comm, const yoke::stream<>& s) {
    auto x = yoke::to_device_array(elements_of(comm.rank(), 2), s);
    auto y = yoke::to_device_array(elements_of(comm.rank() + 2, 2), s);
    yoke::exchange first{comm};
    yoke::exchange second{comm};
    if (comm.rank() == 0) {
      first.send(x, 1);
      second.send(y, 1);
    } else {
      first.receive(x, 0);
      second.receive(y, 0);
    }
    auto one = comm.run_async(first, s);
    auto two = comm.run_async(second, s);
    (comm.rank() == 0 ? one : two).finish(s);
    (comm.rank() == 0 ? two : one).finish(s);
    return std::pair(x.to_host(), y.to_host());
  });
  CHECK(made[1].first == elements_of(0, 2));
  CHECK(made[1].second == elements_of(2, 2));
  // Where both sides send, each waits for the other one: an error, and no wrong numbers.
  const auto words = failures_in_team(state.context, 2, [&](communicator& comm, const yoke::stream<>& s) {
    auto x = yoke::to_device_array(elements_of(comm.rank(), 2), s);
    auto y = yoke::to_device_array(elements_of(comm.rank() + 2, 2), s);
    yoke::device_array<int, 1> from(s, {2});
    yoke::exchange first{comm};
    yoke::exchange second{comm};
    first.send(x, 1 - comm.rank());
    first.receive(from, 1 - comm.rank());
    second.send(y, 1 - comm.rank());
    second.receive(from, 1 - comm.rank());
    auto one = comm.run_async(first, s);
    auto two = comm.run_async(second, s);
    (comm.rank() == 0 ? one : two).finish(s);
    (comm.rank() == 0 ? two : one).finish(s);
  });
  for (const auto& each : words)
    CHECK_THAT(each, ContainsSubstring("all ranks wait for each other: rank 0 calls send"));
}

YOKE_ANY_DEVICE_TEST_CASE("ranks that call different verbs all throw, with each side's line", "[local]") {
  team_rig state(device);
  const auto odd_one = [&](const auto& usual, const auto& odd) {
    return failures_in_team(state.context, 3, [&](communicator& comm, const yoke::stream<>& s) {
      yoke::device_array<float, 1> x(s, {6});
      yoke::device_array<float, 1> part(s, {2});
      x.fill(1);
      part.fill(1);
      std::string failure;
      try {
        if (comm.rank() == 2) {
          odd(comm, x, part, s);
        } else {
          usual(comm, x, part, s);
        }
      } catch (const yoke::communication_error& thrown) {
        failure = thrown.code() == yoke::errc::mismatched_ranks ? thrown.what() : "another code";
      }
      comm.all_reduce(x, yoke::summed, s);  // the team still works
      s.synchronize();
      if (!failure.empty()) throw std::runtime_error(failure);
    });
  };
  const auto sum = [](auto& comm, auto& x, auto&, auto& s) { comm.all_reduce(x, yoke::summed, s); };
  const auto by_verb = odd_one(sum, [](auto& comm, auto& x, auto&, auto& s) { comm.broadcast(x, 0, s); });
  CHECK_THAT(by_verb[0],
             ContainsSubstring("all_reduce of 6 float, summed on rank 0 does not match the other ranks: rank "
                               "2 calls broadcast of 6 float, root 0 (at "));
  CHECK_THAT(by_verb[0], ContainsSubstring("local_team_test.cpp"));
  CHECK_THAT(by_verb[2], ContainsSubstring("rank 0 calls all_reduce of 6 float, summed (at ") &&
                             ContainsSubstring("rank 1 calls all_reduce"));
  const auto by_count =
      odd_one(sum, [](auto& comm, auto&, auto& part, auto& s) { comm.all_reduce(part, yoke::summed, s); });
  CHECK_THAT(by_count[1], ContainsSubstring("rank 2 calls all_reduce of 2 float"));
  const auto by_operator =
      odd_one(sum, [](auto& comm, auto& x, auto&, auto& s) { comm.all_reduce(x, yoke::largest, s); });
  CHECK_THAT(by_operator[1], ContainsSubstring("rank 2 calls all_reduce of 6 float, largest"));
  const auto by_type = odd_one(sum, [](auto& comm, auto&, auto&, auto& s) {
    yoke::device_array<int, 1> other(s, {6});
    comm.all_reduce(other, yoke::summed, s);
  });
  CHECK_THAT(by_type[0], ContainsSubstring("rank 2 calls all_reduce of 6 int"));
  const auto by_root = odd_one([](auto& comm, auto& x, auto&, auto& s) { comm.broadcast(x, 0, s); },
                               [](auto& comm, auto& x, auto&, auto& s) { comm.broadcast(x, 1, s); });
  CHECK_THAT(by_root[2],
             ContainsSubstring("broadcast of 6 float, root 1 on rank 2") && ContainsSubstring("root 0 (at "));
}

YOKE_ANY_DEVICE_TEST_CASE("a rank that waits for a lost, late or mistaken rank gets an error", "[local]") {
  team_rig state(device);
  const auto codes = [&](const auto& usual, const auto& odd, std::chrono::nanoseconds deadline) {
    std::array<std::pair<std::error_code, std::string>, 3> made;
    try {
      (void)in_team(
          state.context, 3,
          [&](communicator& comm, const yoke::stream<>& s) {
            yoke::device_array<float, 1> x(s, {6});
            try {
              if (comm.rank() == 1) {
                odd(comm, x, s);
              } else {
                usual(comm, x, s);
              }
            } catch (const yoke::error& thrown) {
              made[static_cast<std::size_t>(comm.rank())] = {thrown.code(), thrown.what()};
              throw;
            }
            return 0;
          },
          deadline);
    } catch (const std::exception& thrown) {
      return std::pair(made, std::string(thrown.what()));
    }
    return std::pair(made, std::string());
  };
  const auto sum = [](auto& comm, auto& x, auto& s) { comm.all_reduce(x, yoke::summed, s); };
  const auto thrown = codes(
      sum, [](auto&, auto&, auto&) { throw std::runtime_error("out of coffee"); }, 60s);
  CHECK(thrown.second == "out of coffee");
  // Who calls after the others have found the failure gets another code.
  const auto is_lost = [](const std::error_code& code) {
    return code == yoke::errc::rank_lost || code == yoke::errc::communicator_ended;
  };
  CHECK(is_lost(thrown.first[0].first));
  CHECK_THAT(thrown.first[2].second, ContainsSubstring("rank 1 fails in its function: out of coffee"));
  const auto left = codes(
      sum, [](auto&, auto&, auto&) {}, 60s);
  CHECK(is_lost(left.first[0].first));
  CHECK(is_lost(left.first[2].first));
  CHECK_THAT(left.second, ContainsSubstring("rank 1 has left the team"));
  const auto late = codes(
      sum,
      [](auto& comm, auto& x, auto& s) {
        std::this_thread::sleep_for(300ms);
        comm.all_reduce(x, yoke::summed, s);
      },
      20ms);
  CHECK((late.first[0].first == yoke::errc::timed_out || late.first[2].first == yoke::errc::timed_out));
  CHECK(late.first[1].first == yoke::errc::communicator_ended);
  CHECK_THAT(late.first[1].second, ContainsSubstring("which has not ended within 20 ms: rank "));
  const auto crossed = codes(
      sum, [](auto& comm, auto& x, auto& s) { comm.receive(x, 0, s); }, 60s);
  for (const auto& each : crossed.first) {
    CHECK(each.first == yoke::errc::mismatched_ranks);
    CHECK_THAT(each.second,
               ContainsSubstring("all ranks wait for each other: rank 0 calls all_reduce of 6 float, summed "
                                 "(at ") &&
                   ContainsSubstring("rank 1 calls receive of 6 float (at "));
  }
  const auto given_up = codes(
      [](auto& comm, auto& x, auto& s) {
        if (comm.rank() == 0) comm.send(x, 1, s);
      },
      [](auto& comm, auto& x, auto& s) {
        try {
          yoke::exchange list{comm};
          list.receive(x, 0);
          const auto moving = comm.run_async(list, s);
          throw std::domain_error("caught by the rank itself");
        } catch (const std::domain_error&) {
        }
        comm.receive(x, 0, s);
      },
      60s);
  CHECK(is_lost(given_up.first[0].first));
  CHECK(given_up.first[1].first == yoke::errc::communicator_ended);
  CHECK_THAT(given_up.first[1].second, ContainsSubstring("rank 1 leaves an exchange by an exception"));
  const auto short_message = codes(
      [](auto& comm, auto& x, auto& s) {
        if (comm.rank() == 0) comm.send(x, 1, s);
      },
      [](auto& comm, auto& x, auto& s) { comm.receive(x(yoke::slice(0, 2)), 0, s); }, 60s);
  CHECK(short_message.first[0].first == yoke::errc::mismatched_ranks);
  CHECK_THAT(short_message.first[1].second,
             ContainsSubstring("receive of 2 float on rank 1 does not match its message: "
                               "rank 0 calls send of 6 float (at "));
}

YOKE_ANY_DEVICE_TEST_CASE("a rank refuses wrong arguments before the others see the call", "[local]") {
  team_rig state(device);
  const auto words = failures_in_team(state.context, 2, [&](communicator& comm, const yoke::stream<>& s) {
    yoke::device_array<float, 1> x(s, {6});
    yoke::device_array<float, 1> part(s, {2});
    x.fill(1);
    using yoke::errc;
    std::string all;
    const auto refused = [&](errc code, const auto& act) {
      try {
        act();
        all += "nothing was thrown;";
      } catch (const yoke::logic_error& thrown) {
        all += (thrown.code() == code ? "" : "another code: ") + std::string(thrown.what());
        all += ";";
      }
    };
    refused(errc::out_of_range, [&] { comm.broadcast(x, 2, s); });
    refused(errc::out_of_range, [&] { comm.reduce(x, yoke::summed, -1, s); });
    refused(errc::size_mismatch, [&] { comm.all_gather(part, x, s); });
    refused(errc::size_mismatch, [&] { comm.all_reduce(x, part, yoke::summed, s); });
    refused(errc::invalid_argument, [&] { comm.send(x, comm.rank(), s); });
    refused(errc::out_of_range, [&] { comm.send(x, 7, s); });
    refused(errc::invalid_argument, [&] { comm.all_to_all(x(yoke::slice(0, 4)), x(yoke::slice(1, 5)), s); });
    refused(errc::empty_handle, [&] { comm.barrier(yoke::stream<>()); });
    comm.all_reduce(x, yoke::summed, s);
    all += x.to_host() == std::vector<float>(6, 2.0F) ? "and the sum is right" : "and the sum is wrong";
    throw std::runtime_error(all);
  });
  for (const auto& each : words) {
    CHECK_THAT(each, ContainsSubstring("broadcast: root 2 is not among the 2 ranks, which begin at 0"));
    CHECK_THAT(each, ContainsSubstring("reduce: root -1"));
    CHECK_THAT(each, ContainsSubstring("all_gather: the range of all 2 ranks has 6 elements, that of one rank 2"));
    CHECK_THAT(each, ContainsSubstring("all_reduce from 6 elements into 2"));
    CHECK_THAT(each, ContainsSubstring("which cannot do both at once: use an exchange"));
    CHECK_THAT(each, ContainsSubstring("destination 7 is not among"));
    CHECK_THAT(each, ContainsSubstring("all_to_all of 2 float: source and destination overlap"));
    CHECK_THAT(each, ContainsSubstring("this stream is empty"));
    CHECK_THAT(each, ContainsSubstring("and the sum is right"));
    CHECK_THAT(each, !ContainsSubstring("nothing was thrown") && !ContainsSubstring("another code"));
  }
}

TEST_CASE("a team takes at least one rank, and each rank has one communicator", "[local]") {
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [] { yoke::local_team team(0); }),
             ContainsSubstring("a team of 0 ranks: it takes at least one"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [] { yoke::local_team team(1, {.deadline = -1s}); }),
      ContainsSubstring("a team's deadline is below 0: -1 s"));
  yoke::local_team team(2);
  const auto first = team.communicator_of(0);
  CHECK(first.rank() == 0);
  CHECK(first.size() == 2);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)team.communicator_of(0); }),
             ContainsSubstring("rank 0 of this team has its communicator already"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)team.communicator_of(2); }),
             ContainsSubstring("team: rank 2 is not among the 2 ranks"));
}

YOKE_ANY_DEVICE_TEST_CASE("the verbs of a communicator that was moved from refuse it", "[local]") {
  team_rig state(device);
  yoke::local_team team(1);
  auto from = team.communicator_of(0);
  const auto comm = std::move(from);
  const yoke::stream<> s(state.context, state.context.devices().front());
  yoke::device_array<float, 1> x(s, {6});
  const auto check = [&](const auto& act) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, act), ContainsSubstring("was moved from"));
  };
  check([&] { from.all_reduce(x, yoke::summed, s); });
  check([&] { from.all_to_all(x, x, s); });
  check([&] { from.barrier(s); });
  check([&] { from.wait(s); });
  check([&] { from.run(yoke::exchange<>{}, s); });
  check([&] { (void)from.run_async(yoke::exchange<>{}, s); });
  CHECK(from.size() == 0);
}

YOKE_OPENCL_TEST_CASE("ranks on the halves of one device copy to each other", "[local]") {
  const auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  std::vector<yoke::device<>> devices;
  for (const auto& each : parts) devices.push_back(yoke::as_any(each));
  const yoke::context<> shared(devices);
  // Contexts of their own, between which the host copies.
  const yoke::context<> apart[]{yoke::context<>(devices[0]), yoke::context<>(devices[1])};
  for (const bool is_shared : {true, false}) {
    INFO((is_shared ? "one context" : "two contexts"));
    std::array<std::vector<std::vector<int>>, 2> made;
    yoke::local_team(2).run([&](communicator& comm) {
      const auto rank = static_cast<std::size_t>(comm.rank());
      const yoke::stream<> s(is_shared ? shared : apart[rank], devices[rank]);
      auto x = yoke::to_device_array(elements_of(comm.rank(), 4), s);
      yoke::device_array<int, 1> all(s, {8});
      comm.all_gather(x, all, s);
      comm.all_reduce(x, yoke::summed, s);
      comm.barrier(s);
      yoke::exchange list{comm};
      list.send(all(yoke::slice(0, 8, 4)), 1 - comm.rank());
      yoke::device_array<int, 1> received(s, {2});
      list.receive(received, 1 - comm.rank());
      comm.run(list, s);
      comm.wait(s);
      made[rank] = {all.to_host(), x.to_host(), received.to_host()};
    });
    for (const auto& each : made) {
      CHECK(each[0] == std::vector<int>{0, 1, 2, 3, 100, 101, 102, 103});
      CHECK(each[1] == std::vector<int>{100, 102, 104, 106});
      CHECK(each[2] == std::vector<int>{0, 100});
    }
  }
}

YOKE_OPENCL_TEST_CASE("arrays on two devices of one context are copied and used together", "[local]") {
  const auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  std::vector<yoke::device<>> devices;
  for (const auto& each : parts) devices.push_back(yoke::as_any(each));
  const yoke::context<> shared(devices);
  const yoke::stream<> first(shared, devices[0]);
  const yoke::stream<> second(shared, devices[1]);
  auto a = yoke::to_device_array(elements_of(0, 6), first);
  auto b = yoke::to_device_array(elements_of(1, 6), second);
  for (int step = 0; step < 20; ++step) {
    b.assign(a);  // in the second device's stream, behind the first one's work
    a += b;       // and back
  }
  auto c = yoke::zeros<int>({6}, second);
  yoke::copy(a, c, second);
  std::vector<int> expected = elements_of(0, 6);
  for (int& each : expected) each <<= 20;
  CHECK(a.to_host() == expected);
  CHECK(c.to_host() == expected);
}

YOKE_OPENCL_TEST_CASE("a wait for a stream that is late throws timed_out, and the team has failed", "[local]") {
  namespace cl = yoke::opencl;
  const cl::context ctx{device};
  cl::user_event gate{ctx};
  const cl::stream s{ctx};
  yoke::local_team<cl::port>(1, {.deadline = 50ms}).run([&](auto& comm) {
    s.wait(gate.as_event());
    CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::timed_out, [&] { comm.wait(s); }),
               ContainsSubstring("wait on rank 0: its stream is not done within 50 ms"));
    CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::communicator_ended, [&] { comm.wait(s); }),
               ContainsSubstring("wait after the team has failed: rank 0 calls wait"));
  });
  gate.complete();
  s.synchronize();
}
