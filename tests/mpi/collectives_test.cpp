// SPDX-License-Identifier: MIT
// The collective verbs of MPI's communicators: values of each verb, type, operator and size, in parts and in one.
#include <mpi/ranks.hpp>

#include <complex>
#include <cstdint>
#include <numeric>

using namespace yoke_test;

namespace {

constexpr std::size_t sizes[] = {0, 1, 7, 1024, 5000};

template <class T, class Op>
T reduced(std::size_t i, int ranks, const Op&) {
  T result = element_of<T>(0, i);
  for (int rank = 1; rank < ranks; ++rank) {
    const T each = element_of<T>(rank, i);
    if constexpr (std::same_as<Op, yoke::summed_t> || std::same_as<Op, yoke::averaged_t>) {
      result = static_cast<T>(result + each);
    } else if constexpr (std::same_as<Op, yoke::multiplied_t>) {
      result = static_cast<T>(result * each);
    } else if constexpr (std::same_as<Op, yoke::smallest_t>) {
      result = each < result ? each : result;
    } else {
      result = result < each ? each : result;
    }
  }
  if constexpr (std::same_as<Op, yoke::averaged_t>) result = static_cast<T>(result / static_cast<T>(ranks));
  return result;
}

template <class T, class Op>
void check_reductions(rank_rig& rig, const mpi::communicator<>& world, const Op& op, std::size_t n) {
  CAPTURE(n);
  const int rank = world.rank(), size = world.size();
  std::vector<T> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = reduced<T>(i, size, op);

  auto in_place = yoke::to_device_array(elements_of<T>(rank, n), rig.stream);
  world.all_reduce(in_place, op, rig.stream);
  CHECK(in_place.to_host() == expected);

  const auto from = yoke::to_device_array(elements_of<T>(rank, n), rig.stream);
  yoke::device_array<T, 1> into(rig.stream, yoke::shape{n});
  world.all_reduce(from, into, op, rig.stream);
  CHECK(into.to_host() == expected);
  CHECK(from.to_host() == elements_of<T>(rank, n));

  yoke::fill(into, T{}, rig.stream);
  const int root = size - 1;
  world.reduce(from, into, op, root, rig.stream);
  CHECK(into.to_host() == (rank == root ? expected : std::vector<T>(n)));
}

template <class T>
void check_all_operators(rank_rig& rig, const mpi::communicator<>& world, std::size_t n) {
  check_reductions<T>(rig, world, yoke::summed, n);
  check_reductions<T>(rig, world, yoke::multiplied, n);
  check_reductions<T>(rig, world, yoke::smallest, n);
  check_reductions<T>(rig, world, yoke::largest, n);
  if constexpr (std::floating_point<T>) check_reductions<T>(rig, world, yoke::averaged, n);
}

}  // namespace

YOKE_RANKS_TEST_CASE("ranks reduce numbers of each type by each operator") {
  const auto parts = world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = 4096});
  for (const std::size_t n : sizes) check_all_operators<float>(rig, parts, n);
  check_all_operators<double>(rig, world(), 1024);
  check_all_operators<std::int32_t>(rig, parts, 1024);
  check_all_operators<std::int64_t>(rig, world(), 7);
  check_all_operators<std::uint8_t>(rig, world(), 7);
  check_all_operators<std::int16_t>(rig, world(), 7);
}

YOKE_RANKS_TEST_CASE("ranks reduce halves, complex numbers, and by a function") {
  const int rank = world().rank(), size = world().size();
  const auto halves = [](int of) {
    std::vector<yoke::half> made;
    for (std::size_t i = 0; i < 100; ++i) made.push_back(yoke::half{element_of<float>(of, i)});
    return made;
  };
  yoke::device_allocation<yoke::half> x(rig.context, halves(rank), rig.stream);
  world().all_reduce(x, yoke::summed, rig.stream);
  const std::vector<yoke::half> sums = yoke::to_host(x, rig.stream);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    CHECK(static_cast<float>(sums[i]) == reduced<float>(i, size, yoke::summed));
  }
  yoke::copy(halves(rank), x, rig.stream);
  world().all_reduce(x, yoke::largest, rig.stream);
  CHECK(static_cast<float>(yoke::to_host(x, rig.stream)[3]) == reduced<float>(3, size, yoke::largest));

  using complex = std::complex<float>;
  auto z = yoke::to_device_array(std::vector<complex>(5, complex(1, static_cast<float>(rank))), rig.stream);
  world().all_reduce(z, yoke::summed, rig.stream);
  const auto n = static_cast<float>(size);
  CHECK(z.to_host() == std::vector<complex>(5, complex(n, n * (n - 1) / 2)));

  auto bits = yoke::to_device_array(std::vector<int>(3, 1 << rank), rig.stream);
  world().all_reduce(
      bits, [](int a, int b) { return a | b; }, rig.stream);
  CHECK(bits.to_host() == std::vector<int>(3, (1 << size) - 1));
}

YOKE_RANKS_TEST_CASE("ranks give their ranges to all, to one, and get their parts") {
  const auto parts = world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = 4096});
  const int rank = parts.rank(), size = parts.size();
  const auto ranks = static_cast<std::size_t>(size);
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    std::vector<float> everything;
    for (int each = 0; each < size; ++each) {
      const auto of = elements_of<float>(each, n);
      everything.insert(everything.end(), of.begin(), of.end());
    }
    const auto mine = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
    yoke::device_array<float, 1> all(rig.stream, yoke::shape{n * ranks});
    parts.all_gather(mine, all, rig.stream);
    CHECK(all.to_host() == everything);

    for (int root = 0; root < size; ++root) {
      yoke::fill(all, 0.0f, rig.stream);
      parts.gather(mine, all, root, rig.stream);
      CHECK(all.to_host() == (rank == root ? everything : std::vector<float>(n * ranks)));

      yoke::device_array<float, 1> part(rig.stream, yoke::shape{n});
      yoke::fill(part, -1.0f, rig.stream);
      parts.scatter(all, part, root, rig.stream);
      CHECK(part.to_host() == elements_of<float>(rank, n));

      auto same = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
      parts.broadcast(same, root, rig.stream);
      CHECK(same.to_host() == elements_of<float>(root, n));
    }

    // Part `i` goes to the rank `i`: what the ranks hold is transposed.
    std::vector<float> given;
    std::vector<float> expected;
    for (int to = 0; to < size; ++to) {
      for (std::size_t i = 0; i < n; ++i) {
        given.push_back(static_cast<float>(rank * 100 + to * 10) + element_of<float>(0, i));
        expected.push_back(static_cast<float>(to * 100 + rank * 10) + element_of<float>(0, i));
      }
    }
    const auto from = yoke::to_device_array(given, rig.stream);
    parts.all_to_all(from, all, rig.stream);
    CHECK(all.to_host() == expected);

    yoke::device_array<float, 1> sums(rig.stream, yoke::shape{n});
    parts.reduce_scatter(from, sums, yoke::summed, rig.stream);
    std::vector<float> added(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (int each = 0; each < size; ++each) {
        added[i] += static_cast<float>(each * 100 + rank * 10) + element_of<float>(0, i);
      }
    }
    CHECK(sums.to_host() == added);
  }
}

YOKE_RANKS_TEST_CASE("collective operations in flight end in any order, each with its own result") {
  const auto parts = world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = 512});
  const int rank = parts.rank(), size = parts.size();
  constexpr std::size_t n = 3000;
  auto large = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
  auto small = yoke::to_device_array(elements_of<float>(rank, 5), rig.stream);
  auto third = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
  auto one = parts.all_reduce_async(large, yoke::summed, rig.stream);
  auto two = parts.all_reduce_async(small, yoke::largest, rig.stream);
  auto three = parts.broadcast_async(third, size - 1, rig.stream);
  parts.barrier();  // drives the others, and comes behind them
  // The ranks wait in different orders.
  if (rank % 2 == 0) {
    three.wait();
    two.wait();
    one.wait();
  } else {
    while (!one.is_done()) {
    }
    two.finish(rig.stream);
    three.wait();
  }
  std::vector<float> sums(n), most(5);
  for (std::size_t i = 0; i < n; ++i) sums[i] = reduced<float>(i, size, yoke::summed);
  for (std::size_t i = 0; i < 5; ++i) most[i] = reduced<float>(i, size, yoke::largest);
  CHECK(large.to_host() == sums);
  CHECK(small.to_host() == most);
  CHECK(third.to_host() == elements_of<float>(size - 1, n));
}

TEST_CASE("host memory is reduced, sent and gathered without a stream") {
  const auto& all = world();
  std::array<double, 2> sums{1.0, static_cast<double>(all.rank())};
  all.all_reduce(sums, yoke::summed);
  const auto size = static_cast<double>(all.size());
  CHECK(sums == std::array<double, 2>{size, size * (size - 1) / 2});
  std::vector<int> word(3, all.rank());
  all.broadcast(word, all.size() - 1);
  CHECK(word == std::vector<int>(3, all.size() - 1));
  std::vector<int> ranks(static_cast<std::size_t>(all.size()));
  all.all_gather(std::array<int, 1>{all.rank()}, ranks);
  std::vector<int> expected(ranks.size());
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(ranks == expected);
}

YOKE_RANKS_TEST_CASE("a part of the ranks has a communicator of its own") {
  const auto& all = world();
  const auto part = all.split(all.rank() % 2, -all.rank());
  REQUIRE(part);
  CHECK(part.size() == (all.size() + 1 - all.rank() % 2) / 2);
  yoke::device_array<int, 1> x(rig.stream, yoke::shape{3});
  yoke::fill(x, all.rank(), rig.stream);
  part.all_reduce(x, yoke::largest, rig.stream);
  const int top = all.size() - 1;
  CHECK(x.to_host() == std::vector<int>(3, top % 2 == all.rank() % 2 ? top : top - 1));
  CHECK_FALSE(all.split(-1));
  const auto host = all.of_host();
  CHECK(host.size() == all.size());
  CHECK(all.rank_of_host() == all.rank());
}

YOKE_RANKS_TEST_CASE("a value on the device is reduced where it is") {
  const auto a = yoke::to_device_array(elements_of<float>(world().rank(), 10), rig.stream);
  float expected = 0;
  for (int rank = 0; rank < world().size(); ++rank) {
    for (const float each : elements_of<float>(rank, 10)) expected += each;
  }
  CHECK(world().all_reduce(yoke::sum(a), yoke::summed).get() == expected);
}

YOKE_RANKS_TEST_CASE("a barrier with a stream waits for the stream's work") {
  yoke::device_array<float, 1> x(rig.stream, yoke::shape{1000});
  x = 3.0f;
  const yoke::event first = rig.stream.record();
  world().barrier(rig.stream);
  CHECK(first.is_done());
  x = 4.0f;
  const yoke::event second = rig.stream.record();
  world().wait(rig.stream);
  CHECK(second.is_done());
}

TEST_CASE("the first rank of a host goes first, and the others hear of its failure") {
  const auto& all = world();
  std::vector<int> order(1);
  const int made = all.first_of_host([&] { return all.rank() * 10; });
  CHECK(made == all.rank() * 10);
  bool failed = false;
  try {
    all.first_of_host([&] {
      if (all.rank() == 0) throw std::runtime_error("no compiler");
    });
  } catch (const yoke::communication_error& failure) {
    CHECK(all.rank() != 0);
    CHECK(failure.code() == yoke::errc::rank_lost);
    failed = true;
  } catch (const std::runtime_error& failure) {
    CHECK(all.rank() == 0);
    CHECK(std::string(failure.what()) == "no compiler");
    failed = true;
  }
  CHECK(failed);
  all.barrier();
}

TEST_CASE("each rank of a host gets a device, in turn") {
  const yoke::device device = yoke::choose_device(world());
  CHECK(yoke::context{device});
  const auto list = yoke::select_test_devices();
  if (list.devices.empty()) return;
  CHECK_THROWS_AS(yoke::choose_device(world(), "no such device"), yoke::unsupported_error);
}

YOKE_RANKS_TEST_CASE("a checked communicator throws on all ranks when their calls do not match") {
  const auto checked = world().duplicate({.deadline = std::chrono::seconds(20), .check = true});
  const int rank = checked.rank(), size = checked.size();
  yoke::device_array<float, 1> x(rig.stream, yoke::shape{1024});
  yoke::device_array<double, 1> d(rig.stream, yoke::shape{1024});
  yoke::fill(x, 1.0f, rig.stream);
  yoke::fill(d, 1.0, rig.stream);
  checked.all_reduce(x, yoke::summed, rig.stream);
  CHECK(x.to_host() == std::vector<float>(1024, static_cast<float>(size)));
  if (size == 1) return;
  const auto mismatch = [&](auto&& call) {
    try {
      call();
      FAIL_CHECK("the calls do not match");
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::mismatched_ranks);
      CHECK_THAT(failure.what(), ContainsSubstring("does not match the other ranks: rank ") &&
                                     ContainsSubstring("collectives_test.cpp:"));
    }
  };
  mismatch([&] {  // another verb
    if (rank == 1) {
      checked.broadcast(x, 0, rig.stream);
    } else {
      checked.all_reduce(x, yoke::summed, rig.stream);
    }
  });
  mismatch([&] {  // another type
    if (rank == 1) {
      checked.all_reduce(d, yoke::summed, rig.stream);
    } else {
      checked.all_reduce(x, yoke::summed, rig.stream);
    }
  });
  mismatch([&] { checked.all_reduce(x.span().subspan(0, rank == 1 ? 7 : 8), yoke::summed, rig.stream); });
  mismatch([&] { checked.broadcast(x, rank == 0 ? 0 : 1, rig.stream); });
  mismatch([&] {
    if (rank == 1) {
      checked.all_reduce(x, yoke::largest, rig.stream);
    } else {
      checked.all_reduce(x, yoke::smallest, rig.stream);
    }
  });
  checked.barrier();  // it goes on
}
