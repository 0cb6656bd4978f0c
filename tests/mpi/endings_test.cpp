// SPDX-License-Identifier: MIT
// Operations that end before all ranks have what they wait for: errors on each side, and no result that looks right.
#include <mpi/ranks.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

using namespace yoke_test;

namespace {

mpi::communicator<> in_kilobytes(const mpi::communicator<>& of) {
  return of.duplicate({.deadline = std::chrono::seconds(5), .chunk_bytes = 1024});
}

/// Receives from rank 0 a range of another size. Returns: the error's message.
std::string mismatched(const mpi::communicator<>& in, std::size_t bytes, rank_rig& rig) {
  yoke::device_array<char, 1> x(rig.stream, yoke::shape{bytes});
  try {
    in.receive(x, 0, rig.stream);
  } catch (const yoke::communication_error& failure) {
    CHECK(failure.code() == yoke::errc::mismatched_ranks);
    return failure.what();
  }
  return "nothing was noticed";
}

}  // namespace

YOKE_RANKS_TEST_CASE("sizes that differ by whole parts are noticed") {
  const auto in = in_kilobytes(world());
  const int rank = in.rank();
  if (in.size() == 1) return;
  // Small messages leave at once, so that the sender need not wait for what the receiver does not take.
  for (const auto& [sent, taken] : {std::pair<std::size_t, std::size_t>{4096, 1024},
                                    {1024, 4096},
                                    {1024, 0},
                                    {0, 1024},
                                    {8192, 1024},
                                    {1024, 8192},
                                    {3000, 2048},
                                    {2048, 3000}}) {
    CAPTURE(sent, taken);
    if (rank == 0) {
      yoke::device_array<char, 1> x(rig.stream, yoke::shape{sent});
      yoke::fill(x, 'x', rig.stream);
      in.send(x, 1, rig.stream);
    }
    if (rank == 1) {
      const std::string words = mismatched(in, taken, rig);
      CHECK_THAT(words, ContainsSubstring("receive of " + std::to_string(taken) + " bytes from rank 0 "));
      CHECK_THAT(words, ContainsSubstring(sent > taken ? "sent more elements" : "sent fewer elements"));
      CHECK_THAT(words, ContainsSubstring(std::to_string(sent) + " bytes"));
    }
  }
  // Later messages meet.
  yoke::device_array<char, 1> x(rig.stream, yoke::shape{2048});
  yoke::fill(x, rank == 0 ? 'y' : 'n', rig.stream);
  if (rank == 0) in.send(x, 1, rig.stream);
  if (rank == 1) {
    in.receive(x, 0, rig.stream);
    CHECK(x.to_host() == std::vector<char>(2048, 'y'));
  }
  in.barrier();
}

YOKE_RANKS_TEST_CASE("the rank that sends too much does not wait, and what was too much meets no later message") {
  const auto in = world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = 1 << 20});
  if (in.size() == 1) return;
  constexpr std::size_t mib = 1 << 20;  // MPI moves parts of this size only when the other side takes them
  for (const std::size_t taken : {std::size_t{0}, mib - 5, mib, 6 * mib}) {
    CAPTURE(taken);
    yoke::device_array<char, 1> x(rig.stream, yoke::shape{8 * mib});
    yoke::fill(x, 'x', rig.stream);
    if (in.rank() == 0) in.send(x, 1, rig.stream);
    if (in.rank() == 1) {
      CHECK_THAT(mismatched(in, taken, rig), ContainsSubstring("the other rank sent more elements"));
    }
    in.barrier();
  }
  // The tags come again.
  auto& count = (in.rank() == 0 ? in.shared()->sent : in.shared()->received)[in.rank() == 0 ? 1 : 0];
  if (in.rank() < 2) count = 0;
  yoke::device_array<char, 1> x(rig.stream, yoke::shape{8 * mib});
  yoke::fill(x, in.rank() == 0 ? 'y' : 'n', rig.stream);
  for (int turn = 0; turn < 4; ++turn) {
    if (in.rank() == 0) in.send(x, 1, rig.stream);
    if (in.rank() == 1) in.receive(x, 0, rig.stream);
  }
  CHECK((in.rank() > 1 || x.to_host() == std::vector<char>(8 * mib, 'y')));
  in.barrier();
}

// --- operations that end half-way ------------------------------------------------------------------------------------

namespace {

/// A table whose operations of many ranks end at once, without MPI, but for one that fails.
struct short_table {
  int started = 0;
  int fails_at = -1;  // the number of the operation

  [[nodiscard]] int start(MPI_Request* request) {
    *request = MPI_REQUEST_NULL;
    return started++ == fails_at ? MPI_ERR_OTHER : MPI_SUCCESS;
  }
};
short_table& short_one() {
  static short_table table;
  return table;
}
const mpi::functions& short_functions() {
  static const mpi::functions table = [] {
    mpi::functions made = mpi::linked_functions;
    made.iallreduce = [](const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request* request) -> int {
      return short_one().start(request);
    };
    made.isend = [](const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) -> int {
      return short_one().start(request);
    };
    return made;
  }();
  return table;
}
mpi::communicator<> cut_short(int fails_at) {
  short_one() = {};
  mpi::communicator<> in(short_functions(), &mpi::detail::linked_library_refuses, world().native_handle(),
                         {.deadline = std::chrono::seconds(5), .chunk_bytes = 256});
  short_one() = {.fails_at = fails_at};
  return in;
}
/// Returns: why the communicator has ended.
std::string why_ended(const mpi::communicator<>& in) {
  try {
    in.barrier();
  } catch (const yoke::communication_error& failure) {
    CHECK(failure.code() == yoke::errc::communicator_ended);
    return failure.what();
  }
  return "it goes on";
}

}  // namespace

YOKE_RANKS_TEST_CASE("an operation that an exception cuts in parts ends its communicator") {
  if (world().size() == 1) return;
  const int next = (world().rank() + 1) % world().size();
  yoke::device_array<float, 1> x(rig.stream, yoke::shape{4000});
  yoke::fill(x, 1.0f, rig.stream);
  {
    const auto in = cut_short(-1);
    try {
      const auto sum = in.all_reduce_async(x, yoke::summed, rig.stream);
      throw 5;
    } catch (int) {
    }
    CHECK_THAT(why_ended(in), ContainsSubstring("all_reduce of 4000 float was given up half-way on rank ") &&
                                  ContainsSubstring("an exception ended its request"));
  }
  {
    const auto in = cut_short(-1);
    try {
      const auto message = in.send_async(x, next, rig.stream);
      throw 5;
    } catch (int) {
    }
    CHECK_THAT(why_ended(in), ContainsSubstring("send of 16000 bytes to rank ") &&
                                  ContainsSubstring("an exception ended its request"));
  }
  world().barrier();
}

YOKE_RANKS_TEST_CASE("an operation whose later part fails ends its communicator, with its words") {
  if (world().size() == 1) return;
  const int next = (world().rank() + 1) % world().size();
  yoke::device_array<float, 1> x(rig.stream, yoke::shape{4000}), y(rig.stream, yoke::shape{4000});
  yoke::fill(x, 1.0f, rig.stream);
  yoke::fill(y, 1.0f, rig.stream);
  {
    const auto in = cut_short(2);
    CHECK_THROWS_WITH(in.all_reduce(x, yoke::summed, rig.stream), ContainsSubstring("all_reduce of 4000 float failed"));
    CHECK_THAT(why_ended(in),
               ContainsSubstring("given up half-way") && ContainsSubstring("all_reduce of 4000 float failed on rank"));
  }
  {
    const auto in = cut_short(2);
    CHECK_THROWS_WITH(in.send(x, next, rig.stream), ContainsSubstring("send of 16000 bytes"));
    CHECK_THAT(why_ended(in), ContainsSubstring("given up half-way") && ContainsSubstring("send of 16000 bytes"));
  }
  {  // what is in flight does not wait for what cannot come
    const auto in = cut_short(8);
    auto first = in.all_reduce_async(x, yoke::summed, rig.stream);
    auto second = in.all_reduce_async(y, yoke::summed, rig.stream);
    CHECK_THROWS_AS(first.wait(), yoke::communication_error);
    CHECK_THROWS_WITH(second.wait(), ContainsSubstring("has ended, because an earlier operation failed"));
    CHECK_THAT(why_ended(in), ContainsSubstring("all_reduce of 4000 float failed on rank"));
  }
  world().barrier();
}

YOKE_RANKS_TEST_CASE("small operations that an exception leaves go on, and later ones meet later ones") {
  const auto in = world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = 4096});
  const int rank = in.rank(), size = in.size(), next = (rank + 1) % size, before = (rank + size - 1) % size;
  constexpr std::size_t n = 1000;
  const auto mine = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
  auto lost = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
  yoke::device_array<float, 1> theirs(rig.stream, yoke::shape{n});
  std::vector<float> sums(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int each = 0; each < size; ++each) sums[i] += element_of<float>(each, i);
  }
  for (int step = 0; step < 20; ++step) {
    try {
      const auto sum = in.all_reduce_async(lost, yoke::largest, rig.stream);
      const auto sending = in.send_async(lost, next, rig.stream);
      const auto receiving = in.receive_async(theirs, before, rig.stream);
      throw 5;
    } catch (int) {
    }
    auto x = yoke::to_device_array(elements_of<float>(rank, n), rig.stream);
    in.all_reduce(x, yoke::summed, rig.stream);
    CHECK(x.to_host() == sums);
    yoke::exchange list;
    list.send(mine, next);
    list.receive(theirs, before);
    in.run(list, rig.stream);
    CHECK(theirs.to_host() == elements_of<float>(before, n));
  }
  in.barrier();
}

// --- ranks that are late -----------------------------------------------------------------------------------------------

TEST_CASE("the makers of communicators keep the deadline, and a rank that comes too late learns it") {
  if (world().size() == 1) return;
  using maker = void (*)(const mpi::communicator<>&);
  static constexpr std::pair<const char*, maker> makers[] = {
      {"duplicate", [](const mpi::communicator<>& in) { (void)in.duplicate(); }},
      {"split", [](const mpi::communicator<>& in) { (void)in.split(0); }},
      {"the split by hosts", [](const mpi::communicator<>& in) { (void)in.of_host(); }},
      {"the split by hosts", [](const mpi::communicator<>& in) { (void)yoke::choose_device(in); }},
      {"the split by hosts", [](const mpi::communicator<>& in) { in.first_of_host([] {}); }},
      {"the making of a communicator",
       [](const mpi::communicator<>& in) { const mpi::communicator<> made(in.native_handle(), in.options()); }},
  };
  const auto why_late = [](const maker make, const mpi::communicator<>& in) -> std::string {
    try {
      make(in);
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::timed_out);
      return failure.what();
    }
    return "it was made";
  };
  for (const auto& [words, make] : makers) {
    CAPTURE(std::string(words));
    const auto in = world().duplicate({.deadline = std::chrono::milliseconds(600)});
    if (in.rank() != 1) {
      CHECK_THAT(why_late(make, in), ContainsSubstring(std::string(words) + " has not ended within 600 ms on rank ") &&
                                         ContainsSubstring("another rank is late"));
    }
    world().barrier();
    if (in.rank() == 1) {
      CHECK_THAT(why_late(make, in),
                 ContainsSubstring(std::string(words) + " on rank 1 of ") &&
                     ContainsSubstring("comes too late: another rank has given it up, with a deadline of 600 ms"));
    }
    world().barrier();
  }
  // All ranks have come: nothing keeps the session from its end.
  CHECK(mpi::detail::communicator_state::end_left_behind(std::chrono::seconds(5)));
  CHECK(mpi::detail::left_behind() == nullptr);
  world().barrier();
}

TEST_CASE("the makers of communicators let requests in flight go on") {
  const auto& rig_list = rigs();
  if (rig_list.empty()) YOKE_SKIP(yoke::select_test_devices().reason);
  const yoke::stream<>& stream = rig_list.front().stream;
  const auto in = world().duplicate({.deadline = std::chrono::seconds(20), .chunk_bytes = 256});
  yoke::device_array<float, 1> x(stream, yoke::shape{4000});
  yoke::fill(x, 1.0f, stream);
  auto sum = in.all_reduce_async(x, yoke::summed, stream);
  if (in.rank() == 0) sum.wait();  // needs all parts of the others, which make a communicator
  const auto other = in.duplicate();
  sum.wait();
  CHECK(x.to_host() == std::vector<float>(4000, static_cast<float>(in.size())));
}

// --- memory that MPI writes after the host has stopped to wait ---------------------------------------------------------

namespace {

/// What MPI was given, and a request that does not end.
struct late_table {
  std::byte* into = nullptr;
  std::size_t bytes = 0;
  std::byte never{};
  std::vector<MPI_Request> requests{};

  [[nodiscard]] int start(void* at, std::size_t count, MPI_Request* request) {
    into = static_cast<std::byte*>(at);
    bytes = count;
    const int code = MPI_Irecv(&never, 1, MPI_BYTE, 0, 77, MPI_COMM_SELF, request);
    requests.push_back(*request);
    return code;
  }
  /// Effects: writes as MPI would. Returns: whether the memory is far from the stack.
  [[nodiscard]] bool write_late() {
    const std::byte here{};
    std::fill_n(into, bytes, std::byte{0x5a});
    const auto a = reinterpret_cast<std::uintptr_t>(into), b = reinterpret_cast<std::uintptr_t>(&here);
    return (a < b ? b - a : a - b) > (std::size_t{1} << 20);
  }
  void end() {
    for (MPI_Request& each : requests) {
      (void)MPI_Cancel(&each);
      (void)MPI_Wait(&each, MPI_STATUS_IGNORE);
    }
    requests.clear();
  }
};
late_table& late_one() {
  static late_table table;
  return table;
}

}  // namespace

TEST_CASE("memory that MPI writes after the deadline is the operation's") {
  mpi::functions table = mpi::linked_functions;
  const mpi::communicator_options options{.deadline = std::chrono::milliseconds(20)};
  const auto is_late = [](const auto& call) {
    try {
      call();
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::timed_out);
      return true;
    }
    return false;
  };
  {  // the program's own
    table.ibcast = [](void* at, int count, MPI_Datatype, int, MPI_Comm, MPI_Request* request) -> int {
      return late_one().start(at, static_cast<std::size_t>(count), request);
    };
    const mpi::communicator<> in(table, &mpi::detail::linked_library_refuses, MPI_COMM_SELF, options);
    std::array<int, 20> x{};
    CHECK(is_late([&] { in.broadcast(x, 0); }));
    CHECK(late_one().bytes == sizeof x);
    CHECK(late_one().write_late());
    CHECK(x == std::array<int, 20>{});
  }
  {  // what a rank of a host tells
    const mpi::communicator<> in(table, &mpi::detail::linked_library_refuses, MPI_COMM_SELF, options);
    CHECK(is_late([&] { in.first_of_host([] {}); }));
    CHECK(late_one().bytes == 1);
    CHECK(late_one().write_late());
    try {
      in.first_of_host([] {});
      FAIL_CHECK("the ranks of the host have ended");
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::communicator_ended);
    }
  }
  {  // what checked communicators compare: read and written by a sanitizer
    table.iallgather = [](const void*, int, MPI_Datatype, void* at, int count, MPI_Datatype, MPI_Comm,
                          MPI_Request* request) -> int {
      return late_one().start(at, static_cast<std::size_t>(count), request);
    };
    mpi::communicator_options checked = options;
    checked.check = true;
    CHECK(is_late(
        [&] { const mpi::communicator<> in(table, &mpi::detail::linked_library_refuses, MPI_COMM_SELF, checked); }));
    CHECK(late_one().write_late());
  }
  {  // what ranks agree on
    table.iallreduce = [](const void*, void* at, int count, MPI_Datatype, MPI_Op, MPI_Comm,
                          MPI_Request* request) -> int {
      return late_one().start(at, 8 * static_cast<std::size_t>(count), request);
    };
    CHECK(is_late(
        [&] { const mpi::communicator<> in(table, &mpi::detail::linked_library_refuses, MPI_COMM_SELF, options); }));
    CHECK(late_one().bytes == 8);
    CHECK(late_one().write_late());
  }
  late_one().end();
  mpi::detail::left_behind() = nullptr;  // MPI does not write it any more
}
