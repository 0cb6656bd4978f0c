// SPDX-License-Identifier: MIT
// Each call of MPI fails in turn, once and for ever: right errors, nothing in flight, nothing lost. Each rank is alone here.
#include <mpi/replaced_functions.hpp>

#include <support/process/variables.hpp>

#include <cstdint>
#include <functional>
#include <utility>

using namespace yoke_test;

namespace {

mpi::communicator<> alone(const mpi::communicator_options& options = {.deadline = std::chrono::milliseconds(300),
                                                                      .chunk_bytes = 256}) {
  return mpi::communicator<>(counted_functions, &mpi::detail::linked_library_refuses, MPI_COMM_SELF, options);
}

/// Failures of destructors are counted, not printed.
struct quiet_cleanup {
  quiet_cleanup() { count() = 0; }
  quiet_cleanup(const quiet_cleanup&) = delete;
  quiet_cleanup& operator=(const quiet_cleanup&) = delete;
  ~quiet_cleanup() { yoke::set_cleanup_handler(before); }
  static int& count() {
    static int failures = 0;
    return failures;
  }
  yoke::cleanup_handler before = yoke::set_cleanup_handler([](const yoke::cleanup_failure&) noexcept { ++count(); });
};

/// Whether a failure of the call has to be told.
bool is_told(std::string_view call) {
  return call != "MPI_Finalized" && call != "MPI_Comm_get_errhandler" && call != "MPI_Comm_set_errhandler" &&
         call != "MPI_Errhandler_free";
}

using scenario = std::function<void(const mpi::communicator<>&, rank_rig&)>;

/// Everything that a communicator does, on one rank.
const std::vector<std::pair<const char*, scenario>>& scenarios() {
  static const std::vector<std::pair<const char*, scenario>> all{
      {"all_reduce",
       [](const mpi::communicator<>& in, rank_rig& rig) {
         auto x = yoke::to_device_array(elements_of<float>(1, 200), rig.stream);
         in.all_reduce(x, yoke::summed, rig.stream);
         CHECK(x.to_host() == elements_of<float>(1, 200));
       }},
      {"all_reduce by a function",
       [](const mpi::communicator<>& in, rank_rig& rig) {
         auto x = yoke::to_device_array(elements_of<int>(1, 20), rig.stream);
         in.all_reduce(
             x, [](int a, int b) { return a ^ b; }, rig.stream);
       }},
      {"movements",
       [](const mpi::communicator<>& in, rank_rig& rig) {
         const auto x = yoke::to_device_array(elements_of<float>(1, 100), rig.stream);
         yoke::device_array<float, 1> y(rig.stream, yoke::shape{100});
         in.all_gather(x, y, rig.stream);
         in.gather(x, y, 0, rig.stream);
         in.scatter(x, y, 0, rig.stream);
         in.all_to_all(x, y, rig.stream);
         in.broadcast(y, 0, rig.stream);
         in.reduce(x, y, yoke::largest, 0, rig.stream);
         in.reduce_scatter(x, y, yoke::summed, rig.stream);
         CHECK(y.to_host() == elements_of<float>(1, 100));
       }},
      {"an exchange of three messages",
       [](const mpi::communicator<>& in, rank_rig& rig) {
         const auto x = yoke::to_device_array(elements_of<float>(1, 100), rig.stream);
         yoke::device_array<float, 1> y(rig.stream, yoke::shape{100}), z(rig.stream, yoke::shape{100});
         yoke::exchange list;
         list.send(x, 0);
         list.receive(y, 0);
         list.send(x, 0);
         list.receive(z, 0);
         in.run(list, rig.stream);
         CHECK(y.to_host() == elements_of<float>(1, 100));
         CHECK(z.to_host() == elements_of<float>(1, 100));
       }},
      {"requests",
       [](const mpi::communicator<>& in, rank_rig& rig) {
         auto x = yoke::to_device_array(elements_of<float>(1, 100), rig.stream);
         yoke::device_array<float, 1> y(rig.stream, yoke::shape{100});
         auto receiving = in.receive_async(y, 0, rig.stream);
         auto sending = in.send_async(x, 0, rig.stream);
         auto adding = in.all_reduce_async(x, yoke::summed, rig.stream);
         in.barrier(rig.stream);
         receiving.wait();
         adding.finish(rig.stream);
       }},
      {"barriers, parts and hosts",
       [](const mpi::communicator<>& in, rank_rig& rig) {
         in.barrier();
         in.wait(rig.stream);
         const auto part = in.split(0);
         part.barrier();
         const auto other = in.duplicate();
         const int of_host = in.size_of_host();
         const int made = in.first_of_host([] { return 5; });
         CHECK(of_host == 1);
         CHECK(made == 5);
       }},
  };
  return all;
}

}  // namespace

YOKE_RANKS_TEST_CASE("every call of MPI fails once and for ever, and nothing is lost") {
  const quiet_cleanup quiet;
  function_log& log = functions_seen();
  for (const auto& [name, run] : scenarios()) {
    CAPTURE(std::string(name));
    log.begin(~std::size_t{0}, false);
    std::size_t begun = 0, calls = 0;
    {
      const auto in = alone();
      begun = log.calls.size();
      run(in, rig);
      run(in, rig);
    }
    calls = log.calls.size();
    CHECK(log.requests == 0);
    CHECK(log.communicators == 0);
    CHECK(log.operators == 0);
    CHECK(quiet_cleanup::count() == 0);
    for (const bool for_ever : {false, true}) {
      for (std::size_t number = 0; number < calls; number += number < begun + 12 ? 1 : 3) {
        CAPTURE(number, for_ever);
        log.begin(number, for_ever);
        quiet_cleanup::count() = 0;
        bool was_told = false;
        const char* of_errors = "";
        try {
          const auto in = alone();
          try {
            run(in, rig);
          } catch (const yoke::communication_error& failure) {
            was_told = true;
            of_errors = failure.call();
            CHECK_THAT(failure.what(),
                       ContainsSubstring("rank") || ContainsSubstring("a communicator was not duplicated"));
            if (failure.code() == yoke::errc::timed_out) {  // a message whose other half failed
              if (!for_ever) CHECK_THAT(failure.what(), ContainsSubstring(log.failed));
            } else {
              CHECK(failure.code().category() == mpi::error_category());
              if (!for_ever) in.barrier();  // the communicator goes on
            }
          }
        } catch (const yoke::communication_error& failure) {
          was_told = true;
          of_errors = failure.call();
        } catch (const yoke::logic_error&) {  // MPI did not say whether it has begun
          was_told = true;
        }
        rig.stream.synchronize();
        if (*log.failed == '\0') continue;  // the number of tests differs from run to run
        const std::string failed = log.failed;
        CAPTURE(failed, std::string(of_errors));
        if (is_told(failed)) CHECK((was_told || quiet_cleanup::count() > 0));
        // MPICH ends no send to the rank itself that nobody receives: its memory is kept.
        if (mpi::detail::left_behind().exchange(nullptr) == nullptr) CHECK(log.requests == 0);
        if (for_ever || of_errors == std::string_view("")) continue;
        // What an exception or the handler tells is the call that failed.
        if (failed != "MPI_Comm_free" && failed != "MPI_Finalized") CHECK(log.communicators == 0);
        if (failed != "MPI_Op_free" && failed != "MPI_Finalized") CHECK(log.operators == 0);
      }
    }
  }
  log.begin(~std::size_t{0}, false);
  mpi::detail::left_behind() = nullptr;  // no other rank writes into it
}

TEST_CASE("a call that fails is named, with the rank, its class and MPI's words") {
  function_log& log = functions_seen();
  log.begin(~std::size_t{0}, false);
  const auto in = alone();
  const auto& rig_list = rigs();
  if (rig_list.empty()) YOKE_SKIP(yoke::select_test_devices().reason);
  const yoke::stream<>& stream = rig_list.front().stream;
  yoke::device_array<float, 1> x(stream, yoke::shape{1024});
  yoke::device_array<float, 1> y(stream, yoke::shape{1024});
  yoke::fill(x, 1.0f, stream);
  const auto fails_next = [&](const char* symbol, auto&& call) {
    for (std::size_t number = 0; number < 400; ++number) {
      log.begin(number, false);
      try {
        call();
      } catch (const yoke::communication_error& failure) {
        if (std::string_view(log.failed) != symbol) continue;
        CHECK(std::string_view(failure.call()) == symbol);
        CHECK(failure.code() == std::error_code(MPI_ERR_OTHER, mpi::error_category()));
        CHECK(failure.code() == yoke::errc::command_failed);
        return std::string(failure.what());
      }
      if (*log.failed == '\0') break;
    }
    return std::string("not met");
  };
  const std::string reduced = fails_next("MPI_Iallreduce", [&] { in.all_reduce(x, yoke::summed, stream); });
  CHECK_THAT(reduced, ContainsSubstring("all_reduce of 1024 float failed on rank 0 of 1: "));
  yoke::exchange list;
  list.send(x, 0);
  list.receive(y, 0);
  const std::string sent = fails_next("MPI_Isend", [&] { in.run(list, stream); });
  CHECK_THAT(sent, ContainsSubstring("send of 4096 bytes to rank 0 failed on rank 0 of 1: "));
}

TEST_CASE("more than 2^31 elements reach MPI in parts of 1 GiB at most") {
  // A table that lies: it counts what it is given, and touches no memory.
  static std::size_t bytes, most, parts;
  bytes = most = parts = 0;
  mpi::functions lying = mpi::linked_functions;
  lying.ibcast = [](void*, int count, MPI_Datatype, int, MPI_Comm, MPI_Request* request) -> int {
    bytes += static_cast<std::size_t>(count);
    most = std::max(most, static_cast<std::size_t>(count));
    ++parts;
    *request = MPI_REQUEST_NULL;
    return count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
  };
  lying.isend = [](const void*, int count, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) -> int {
    bytes += static_cast<std::size_t>(count);
    most = std::max(most, static_cast<std::size_t>(count));
    ++parts;
    *request = MPI_REQUEST_NULL;
    return count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
  };
  static mpi::functions table;
  table = lying;
  const mpi::communicator<> in(table, &mpi::detail::linked_library_refuses, MPI_COMM_SELF,
                               {.chunk_bytes = std::size_t{1} << 40});
  constexpr std::size_t n = 5'000'000'003;
  static char place;
  struct untouched_region final : mpi::detail::region {
    untouched_region() {
      address = reinterpret_cast<std::byte*>(&place);
      bytes = n;
    }
    void fetch(mpi::detail::block&, const mpi::detail::byte_rows&, const yoke::source_location&) override {}
    void store(const mpi::detail::block&, const mpi::detail::byte_rows&, const yoke::source_location&) override {}
  };
  const auto state = in.shared();
  const auto here = yoke::source_location::current();
  auto giving = mpi::detail::start_broadcast(*state, std::make_unique<mpi::detail::host_order>(),
                                             {std::make_unique<untouched_region>(), n, 1, "char"}, 0, here);
  state->finish(giving, here);
  CHECK(bytes == n);
  CHECK(most == std::size_t{1} << 30);
  CHECK(parts == 5);

  bytes = most = parts = 0;
  std::unique_ptr<mpi::detail::operation> sending = [&] {
    auto made = std::make_unique<mpi::detail::message_operation>(std::make_unique<mpi::detail::host_order>());
    made->add(*state, true, 0, std::make_unique<untouched_region>(), here);
    return made;
  }();
  state->finish(sending, here);
  CHECK(bytes == n + sizeof(mpi::detail::message_header));
  CHECK(most == std::size_t{1} << 30);
  CHECK(parts == 6);
}

TEST_CASE("how memory reaches MPI, and why") {
  static const char* refusal;
  const auto says = []() noexcept -> const char* { return refusal; };
  for (rank_rig& rig : rigs()) {
    const bool is_cuda = std::string_view(rig.device.backend_name()) == "cuda";
    const auto chosen = [&](mpi::transport given) {
      const mpi::communicator<> in(mpi::linked_functions, says, MPI_COMM_SELF, {.transport = given});
      const yoke::device_allocation<float> x(rig.context, 10);
      return in.transport_of(x, rig.stream);
    };
    refusal = "the library says no";
    CHECK(chosen(mpi::transport::staged).chosen == mpi::transport::staged);
    CHECK(chosen(mpi::transport::automatic).chosen == mpi::transport::staged);
    if (is_cuda) {
      CHECK(chosen(mpi::transport::automatic).reason == "the library says no");
      CHECK(chosen(mpi::transport::direct).chosen == mpi::transport::direct);
    } else {
      CHECK(chosen(mpi::transport::automatic).reason == "no MPI takes memory of OpenCL");
      CHECK_THROWS_AS(chosen(mpi::transport::direct), yoke::unsupported_error);
      CHECK_THROWS_WITH(chosen(mpi::transport::direct), ContainsSubstring("no MPI takes memory of OpenCL") &&
                                                            ContainsSubstring("It is staged, or automatic"));
    }
    refusal = nullptr;
    const auto automatic = chosen(mpi::transport::automatic);
    CHECK(automatic.reason != "the library says no");
    if (!is_cuda) CHECK(automatic.chosen == mpi::transport::staged);
    const yoke::pagelocked_array<float> host(rig.context, 3);
    CHECK(world().transport_of(host, rig.stream).chosen == mpi::transport::direct);
    auto matrix = yoke::to_device_array(elements_of<int>(0, 60), {6, 10}, rig.stream);
    CHECK(world().transport_of(matrix(yoke::slice(), 3), rig.stream).chosen == mpi::transport::staged);
  }
}

TEST_CASE("YOKE_MPI_TRANSPORT decides for communicators that leave it open, and has three values") {
  const auto made_with = [](const char* value, mpi::transport given) {
    set_variable("YOKE_MPI_TRANSPORT", value);
    const struct unset {
      unset() = default;
      unset(const unset&) = delete;
      unset& operator=(const unset&) = delete;
      ~unset() { set_variable("YOKE_MPI_TRANSPORT", ""); }
    } after;
    return mpi::communicator<>(MPI_COMM_SELF, {.transport = given}).options().transport;
  };
  using enum mpi::transport;
  CHECK(made_with("", automatic) == automatic);
  CHECK(made_with("automatic", automatic) == automatic);
  CHECK(made_with("staged", automatic) == staged);
  CHECK(made_with("direct", automatic) == direct);
  CHECK(made_with("direct", staged) == staged);
  CHECK_THROWS_WITH(made_with("bogus", automatic),
                    ContainsSubstring("YOKE_MPI_TRANSPORT is \"bogus\": it is direct, staged or automatic"));
}

TEST_CASE("a late rank ends a communicator at its deadline, and the memory stays") {
  // Alone, a message that nobody sends stands for the late rank.
  if (rigs().empty()) YOKE_SKIP(yoke::select_test_devices().reason);
  const quiet_cleanup quiet;
  const yoke::stream<>& stream = rigs().front().stream;
  REQUIRE(mpi::detail::left_behind() == nullptr);
  {
    const mpi::communicator<> in(MPI_COMM_SELF, {.deadline = std::chrono::milliseconds(50)});
    yoke::device_array<float, 1> x(stream, yoke::shape{64});
    yoke::exchange list;
    list.receive(x, 0);
    try {
      in.run(list, stream);
      FAIL("nobody sends");
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::timed_out);
      CHECK_THAT(failure.what(),
                 ContainsSubstring("receive of 256 bytes from rank 0 has not ended within 50 ms on rank 0 of 1: "
                                   "another rank is late or has ended"));
    }
    try {
      in.barrier();
      FAIL("it has ended");
    } catch (const yoke::communication_error& failure) {
      CHECK(failure.code() == yoke::errc::communicator_ended);
      CHECK_THAT(failure.what(), ContainsSubstring("receive of 256 bytes from rank 0 has not ended"));
    }
  }
  CHECK(mpi::detail::left_behind() == nullptr);  // the receive was cancelled
}
