// SPDX-License-Identifier: MIT
// Sends, receives, lists of them and requests in flight, between ranks of MPI.
#include <mpi/ranks.hpp>

#include <cstdint>
#include <memory>
#include <optional>

using namespace yoke_test;

namespace {

struct particle {
  float place[3];
  std::int16_t kind;
  bool operator==(const particle&) const = default;
};

mpi::communicator<> in_parts(std::size_t bytes) {
  return world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = bytes});
}
/// A neighbour in the ring of ranks.
int beside(const mpi::communicator<>& in, int step) { return (in.rank() + step + in.size()) % in.size(); }

}  // namespace

YOKE_RANKS_TEST_CASE("a range goes round the ring in one part, in many, and when it is empty") {
  const auto parts = in_parts(1000);
  const int next = beside(parts, 1), before = beside(parts, -1);
  for (const std::size_t n : std::vector<std::size_t>{0, 1, 250, 251, 5000}) {
    CAPTURE(n);
    const auto mine = yoke::to_device_array(elements_of<float>(parts.rank(), n), rig.stream);
    yoke::device_array<float, 1> theirs(rig.stream, yoke::shape{n});
    if (parts.rank() % 2 == 0) {
      parts.send(mine, next, rig.stream);
      parts.receive(theirs, before, rig.stream);
    } else {
      parts.receive(theirs, before, rig.stream);
      parts.send(mine, next, rig.stream);
    }
    CHECK(theirs.to_host() == elements_of<float>(before, n));
  }
}

YOKE_RANKS_TEST_CASE("every kind of memory is sent and received") {
  const auto parts = in_parts(64);
  const int next = beside(parts, 1), before = beside(parts, -1), rank = parts.rank();
  const auto ring = [&](const auto& from, auto&& into) {
    yoke::exchange list;
    list.send(from, next);
    list.receive(into, before);
    parts.run(list, rig.stream);
  };
  const std::vector<int> expected = elements_of<int>(before, 50);

  const yoke::device_allocation<int> allocation(rig.context, elements_of<int>(rank, 50), rig.stream);
  yoke::device_allocation<int> other(rig.context, 50);
  ring(allocation, other);
  CHECK(yoke::to_host(other, rig.stream) == expected);

  yoke::fill(other, 0, rig.stream);
  ring(allocation.subspan(10, 20), other.subspan(30, 20));
  const std::vector<int> moved = yoke::to_host(other, rig.stream);
  CHECK(std::vector<int>(moved.begin(), moved.begin() + 30) == std::vector<int>(30));
  CHECK(std::vector<int>(moved.begin() + 30, moved.end()) == elements_of<int>(before, 20, 10));

  yoke::pagelocked_array<int> host(rig.context, 50), host_into(rig.context, 50);
  for (std::size_t i = 0; i < 50; ++i) host[i] = element_of<int>(rank, i);
  ring(host, host_into);
  CHECK(std::vector<int>(host_into.begin(), host_into.end()) == expected);

  // A column of a matrix has gaps: it is packed, and unpacked on the other side.
  auto matrix = yoke::to_device_array(elements_of<int>(rank, 60), {6, 10}, rig.stream);
  ring(matrix(yoke::slice(), 3), matrix(yoke::slice(), 7));
  const std::vector<int> cells = matrix.to_host();
  for (std::size_t row = 0; row < 6; ++row) {
    CHECK(cells[row * 10 + 7] == element_of<int>(before, row * 10 + 3));
    CHECK(cells[row * 10 + 8] == element_of<int>(rank, row * 10 + 8));
  }

  const yoke::device_value<float> value(rig.stream, static_cast<float>(rank));
  yoke::device_value<float> got(rig.stream);
  ring(value, got);
  CHECK(got.get() == static_cast<float>(before));

  std::vector<particle> particles(7, particle{{1, 2, static_cast<float>(rank)}, 3});
  const yoke::device_allocation<particle> from(rig.context, particles, rig.stream);
  yoke::device_allocation<particle> into(rig.context, 7);
  ring(from, into);
  particles.assign(7, particle{{1, 2, static_cast<float>(before)}, 3});
  CHECK(yoke::to_host(into, rig.stream) == particles);
}

YOKE_RANKS_TEST_CASE("messages between two ranks meet in their order, also in parts and in flight at once") {
  const auto parts = in_parts(128);
  const int next = beside(parts, 1), before = beside(parts, -1), rank = parts.rank();
  const auto first = yoke::to_device_array(elements_of<int>(rank, 1000), rig.stream);
  const auto second = yoke::to_device_array(elements_of<int>(rank + 1, 10), rig.stream);
  yoke::device_array<int, 1> first_in(rig.stream, yoke::shape{1000}), second_in(rig.stream, yoke::shape{10});

  yoke::exchange list;
  list.send(first, next);
  list.send(second, next);
  list.receive(first_in, before);
  list.receive(second_in, before);
  parts.run(list, rig.stream);
  parts.run(list, rig.stream);  // a list is run many times
  CHECK(first_in.to_host() == elements_of<int>(before, 1000));
  CHECK(second_in.to_host() == elements_of<int>(before + 1, 10));

  yoke::fill(first_in, 0, rig.stream);
  yoke::fill(second_in, 0, rig.stream);
  yoke::stream other(rig.context);
  {
    auto one = parts.send_async(first, next, rig.stream);
    auto two = parts.send_async(second, next, rig.stream);
    auto three = parts.receive_async(first_in, before, rig.stream);
    auto four = parts.receive_async(second_in, before, rig.stream);
    four.finish(other);
    three.wait();
    CHECK(three.is_done());
    mpi::request moved = std::move(one);
    moved.wait();
  }  // the destructor of `two` waits
  CHECK(yoke::to_host(second_in, other) == elements_of<int>(before + 1, 10));
  CHECK(first_in.to_host() == elements_of<int>(before, 1000));
}

YOKE_RANKS_TEST_CASE("a rank exchanges with itself by a list, and cannot wait for itself") {
  const int rank = world().rank();
  const auto mine = yoke::to_device_array(elements_of<float>(rank, 300), rig.stream);
  yoke::device_array<float, 1> same(rig.stream, yoke::shape{300});
  yoke::exchange list{world()};
  list.receive(same, rank);
  list.send(mine, rank);
  world().run(list, rig.stream);
  CHECK(same.to_host() == elements_of<float>(rank, 300));
  CHECK_THROWS_WITH(world().send(mine, rank, rig.stream), ContainsSubstring("cannot send to itself"));
  CHECK_THROWS_WITH(world().receive(same, rank, rig.stream), ContainsSubstring("cannot receive from itself"));
}

YOKE_RANKS_TEST_CASE("a request that an exception passes leaves its memory to the communicator") {
  const int next = beside(world(), 1), before = beside(world(), -1), rank = world().rank();
  const auto mine = yoke::to_device_array(elements_of<float>(rank, 2000), rig.stream);
  yoke::device_array<float, 1> theirs(rig.stream, yoke::shape{2000});
  const auto parts = in_parts(1 << 20);  // one part, so that the messages of all ranks meet
  try {
    auto sending = parts.send_async(mine, next, rig.stream);
    auto receiving = parts.receive_async(theirs, before, rig.stream);
    parts.wait(rig.stream);
    throw 5;
  } catch (int) {
  }
  // The receive was cancelled or came; later messages meet later ones either way.
  parts.barrier();
  yoke::exchange list;
  list.send(mine, next);
  list.receive(theirs, before);
  parts.run(list, rig.stream);
  CHECK(theirs.to_host() == elements_of<float>(before, 2000));
}

// The blocks of a hand-written exchange were posted again while the device still read them: wrong sums, without any error.
YOKE_RANKS_TEST_CASE("fifty steps of an exchange that uses its blocks again give what one rank would") {
  const auto parts = in_parts(256);
  const int next = beside(parts, 1), before = beside(parts, -1), rank = parts.rank();
  constexpr std::size_t n = 400;
  auto mine = yoke::to_device_array(elements_of<std::int64_t>(rank, n), rig.stream);
  yoke::device_array<std::int64_t, 1> left(rig.stream, yoke::shape{n}), right(rig.stream, yoke::shape{n});
  std::vector<std::vector<std::int64_t>> all;
  for (int each = 0; each < parts.size(); ++each) all.push_back(elements_of<std::int64_t>(each, n));
  const auto size = static_cast<std::size_t>(parts.size());
  for (int step = 0; step < 50; ++step) {
    yoke::exchange list;
    list.send(mine, next);
    list.send(mine, before);
    list.receive(left, before);
    list.receive(right, next);
    parts.run(list, rig.stream);
    mine = (left + 2 * right + mine) % 1000003;
    std::vector<std::vector<std::int64_t>> after = all;
    for (std::size_t each = 0; each < size; ++each) {
      for (std::size_t i = 0; i < n; ++i) {
        after[each][i] = (all[(each + size - 1) % size][i] + 2 * all[(each + 1) % size][i] + all[each][i]) % 1000003;
      }
    }
    all = after;
  }
  CHECK(mine.to_host() == all[static_cast<std::size_t>(rank)]);
}

YOKE_RANKS_TEST_CASE("the program's own messages with the same tags do not meet those of the verbs") {
  const int next = beside(world(), 1), before = beside(world(), -1), rank = world().rank();
  int given = 1000 + rank, got = 0;
  MPI_Request requests[2];
  REQUIRE(MPI_Irecv(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
  REQUIRE(MPI_Isend(&given, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
  const auto fresh = world().duplicate();
  const auto mine = yoke::to_device_array(elements_of<int>(rank, 1), rig.stream);
  yoke::device_array<int, 1> theirs(rig.stream, yoke::shape{1});
  yoke::exchange list;
  list.send(mine, next);
  list.receive(theirs, before);
  fresh.run(list, rig.stream);
  CHECK(theirs.to_host() == elements_of<int>(before, 1));
  REQUIRE(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  CHECK(got == 1000 + before);
}

YOKE_RANKS_TEST_CASE("other numbers of elements on the other side are errors of both, and the communicator goes on") {
  const auto parts = world().duplicate({.deadline = std::chrono::seconds(20)});
  if (parts.rank() > 1) {
    parts.barrier();
    return;
  }
  yoke::device_array<float, 1> four(rig.stream, yoke::shape{4}), eight(rig.stream, yoke::shape{8});
  yoke::fill(four, 1.0f, rig.stream);
  yoke::fill(eight, 1.0f, rig.stream);
  if (parts.rank() == 0) {
    parts.send(four, 1, rig.stream);
    parts.send(eight, 1, rig.stream);
    parts.send(four, 1, rig.stream);
  } else {
    try {
      parts.receive(eight, 0, rig.stream);
      FAIL("too few elements were taken");
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::mismatched_ranks);
      CHECK_THAT(failure.what(), ContainsSubstring("receive of 32 bytes from rank 0 got 16 bytes on rank 1 of"));
    }
    try {
      parts.receive(four, 0, rig.stream);
      FAIL("too many elements were taken");
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::mismatched_ranks);
      CHECK_THAT(failure.what(), ContainsSubstring("receive of 16 bytes from rank 0 failed on rank 1 of") &&
                                     ContainsSubstring("the other rank sent more elements"));
    }
    yoke::fill(four, 0.0f, rig.stream);
    parts.receive(four, 0, rig.stream);
    CHECK(four.to_host() == std::vector<float>(4, 1.0f));
  }
  parts.barrier();
}

YOKE_RANKS_TEST_CASE("types that differ are told of other sizes, and of equal ones where ranks are checked") {
  constexpr std::size_t n = 4;
  for (const bool is_checked : {false, true}) {
    CAPTURE(is_checked);
    const auto in = world().duplicate({.deadline = std::chrono::seconds(20), .check = is_checked});
    if (in.rank() == 0 && in.size() > 1) {
      const auto floats = yoke::to_device_array(std::vector<float>(n, 1.0f), rig.stream);
      for (int turn = 0; turn < 4; ++turn) in.send(floats, 1, rig.stream);
    }
    if (in.rank() == 1) {
      const auto refused = [&](auto&& into) -> std::string {
        try {
          in.receive(into, 0, rig.stream);
        } catch (const yoke::communication_error& failure) {
          CHECK(failure.code() == yoke::errc::mismatched_ranks);
          return failure.what();
        }
        return "taken";
      };
      CHECK_THAT(refused(yoke::device_array<std::int64_t, 1>(rig.stream, yoke::shape{n})),
                 ContainsSubstring("receive of 32 bytes from rank 0 got 16 bytes on rank 1 of ") &&
                     ContainsSubstring("the other rank sent 4 float, and this one takes 4 long"));
      const std::string same_size = refused(yoke::device_array<int, 1>(rig.stream, yoke::shape{n}));
      const std::string no_name = refused(yoke::device_allocation<particle>(rig.context, 1));
      CHECK_THAT(no_name,
                 ContainsSubstring(is_checked ? "sent 4 float, and this one takes 1 elements of 16 bytes" : "taken"));
      CHECK_THAT(same_size, ContainsSubstring(is_checked ? "sent 4 float, and this one takes 4 int" : "taken"));
      yoke::device_array<float, 1> floats(rig.stream, yoke::shape{n});
      in.receive(floats, 0, rig.stream);
      CHECK(floats.to_host() == std::vector<float>(n, 1.0f));
    }
    in.barrier();
  }
}

YOKE_RANKS_TEST_CASE("what cannot be is refused before MPI is asked") {
  const auto& all = world();
  const int size = all.size();
  yoke::device_array<float, 1> x(rig.stream, yoke::shape{8});
  yoke::device_array<float, 1> y(rig.stream, yoke::shape{9});
  CHECK_THROWS_WITH(all.send(x, size, rig.stream),
                    ContainsSubstring("the receiving rank") && ContainsSubstring("is outside 0 .."));
  CHECK_THROWS_WITH(all.receive(x, -1, rig.stream), ContainsSubstring("the sending rank -1 is outside 0 .."));
  CHECK_THROWS_WITH(all.broadcast(x, size, rig.stream), ContainsSubstring("the root"));
  CHECK_THROWS_AS(all.all_reduce(x, y, yoke::summed, rig.stream), yoke::logic_error);
  CHECK_THROWS_WITH(all.all_gather(x, y, rig.stream),
                    ContainsSubstring("`all` of all_gather has 9 float and `mine` has 8 float") &&
                        ContainsSubstring("ranks it has to have"));
  CHECK_THROWS_AS(all.all_to_all(x, y, rig.stream), yoke::logic_error);
  if (size > 1) CHECK_THROWS_WITH(all.all_to_all(y, y, rig.stream), ContainsSubstring("no multiple"));

  yoke::stream<> none;
  CHECK_THROWS_WITH(all.all_reduce(x, yoke::summed, none), ContainsSubstring("stream"));
  yoke::device_array<float, 1> empty;
  CHECK_THROWS_AS(all.all_reduce(empty, yoke::summed, rig.stream), yoke::logic_error);
  const mpi::communicator<> ended;
  CHECK_THROWS_WITH(ended.all_reduce(x, yoke::summed, rig.stream), ContainsSubstring("this communicator is empty"));
  mpi::request<> no_request;
  CHECK_THROWS_AS(no_request.wait(), yoke::logic_error);

  const yoke::context foreign(rig.device);
  if (foreign.native_handle() != rig.context.native_handle()) {
    const yoke::stream elsewhere(foreign);
    CHECK_THROWS_WITH(all.all_reduce(x, yoke::summed, elsewhere), ContainsSubstring("context"));
  }
  CHECK_THROWS_WITH(mpi::communicator(MPI_COMM_NULL), ContainsSubstring("communicator"));
  const mpi::communicator_options negative{.deadline = -std::chrono::seconds(1)};
  CHECK_THROWS_WITH(mpi::communicator(MPI_COMM_WORLD, negative),
                    ContainsSubstring("the deadline of a communicator is below 0: -1 s"));
  CHECK_THROWS_AS(all.duplicate(negative), yoke::logic_error);
}

YOKE_RANKS_TEST_CASE("ranks beside the root need no memory for all") {
  const int rank = world().rank(), size = world().size();
  const auto mine = yoke::to_device_array(elements_of<float>(rank, 10), rig.stream);
  yoke::device_array<float, 1> all, sum, part(rig.stream, yoke::shape{10});
  if (rank == 0) {
    all = yoke::device_array<float, 1>(rig.stream, yoke::shape{10 * static_cast<std::size_t>(size)});
    sum = yoke::device_array<float, 1>(rig.stream, yoke::shape{10});
  }
  world().gather(mine, all, 0, rig.stream);
  world().scatter(all, part, 0, rig.stream);
  CHECK(part.to_host() == elements_of<float>(rank, 10));
  world().reduce(mine, sum, yoke::largest, 0, rig.stream);
  if (rank == 0) CHECK(sum.to_host().size() == 10);
}

YOKE_RANKS_TEST_CASE("ranges that share elements are refused, but for a part in its own place") {
  const auto parts = in_parts(64);
  const int rank = parts.rank(), size = parts.size();
  const auto ranks = static_cast<std::size_t>(size);
  constexpr std::size_t n = 50;
  yoke::device_allocation<int> all(rig.context, n * ranks);
  yoke::fill(all, 0, rig.stream);
  const auto part = all.subspan(n * static_cast<std::size_t>(rank), n);
  yoke::copy(elements_of<int>(rank, n), part, rig.stream);
  parts.all_gather(part, all, rig.stream);
  std::vector<int> everything;
  for (int each = 0; each < size; ++each) {
    const auto of = elements_of<int>(each, n);
    everything.insert(everything.end(), of.begin(), of.end());
  }
  CHECK(yoke::to_host(all, rig.stream) == everything);
  parts.reduce_scatter(all, part, yoke::summed, rig.stream);
  std::vector<int> sums = elements_of<int>(rank, n);
  for (int& each : sums) each *= size;
  CHECK(yoke::to_host(part, rig.stream) == sums);
  if (size > 1) {
    CHECK_THROWS_WITH(parts.all_gather(all.subspan(1, n), all, rig.stream),
                      ContainsSubstring("the ranges of all_gather share elements"));
  }
  CHECK_THROWS_WITH(parts.all_reduce(all.subspan(0, n - 1), all.subspan(1, n - 1), yoke::summed, rig.stream),
                    ContainsSubstring("share elements"));
}

// What an MPI that takes device memory would do, the simulator shows: its device memory is the host's.
YOKE_RANKS_TEST_CASE("a rank that gives MPI device memory meets one whose memory is staged") {
  if (std::string_view(rig.device.backend_name()) != "cuda") return;
  if (rig.device.name().find("simulat") == std::string::npos) return;
  const bool is_direct = world().rank() % 2 == 0;
  const auto mixed = world().duplicate({.deadline = std::chrono::seconds(20),
                                        .chunk_bytes = is_direct ? std::size_t{512} : std::size_t{2048},
                                        .transport = is_direct ? mpi::transport::direct : mpi::transport::staged});
  const int next = beside(mixed, 1), before = beside(mixed, -1), rank = mixed.rank();
  const auto mine = yoke::to_device_array(elements_of<float>(rank, 1000), rig.stream);
  yoke::device_array<float, 1> theirs(rig.stream, yoke::shape{1000});
  CHECK(mixed.transport_of(mine, rig.stream).chosen == (is_direct ? mpi::transport::direct : mpi::transport::staged));
  yoke::exchange list;
  list.send(mine, next);
  list.receive(theirs, before);
  mixed.run(list, rig.stream);
  CHECK(theirs.to_host() == elements_of<float>(before, 1000));
  mixed.broadcast(theirs, 0, rig.stream);
  const int last = mixed.size() - 1;
  CHECK(theirs.to_host() == elements_of<float>(last, 1000));
  theirs = mine + 0.0f;
  mixed.all_reduce(theirs, yoke::largest, rig.stream);  // always staged
  CHECK(theirs.to_host().size() == 1000);
}
