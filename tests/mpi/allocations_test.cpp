// SPDX-License-Identifier: MIT
// Each allocation of verbs of MPI fails in turn, once and for ever: no request is left, and no memory.
#include <mpi/replaced_functions.hpp>

#include <support/faults/allocation_faults.hpp>

#include <new>
#include <numeric>

using namespace yoke_test;

namespace {

mpi::communicator<> alone_with_faults() {
  return mpi::communicator<>(counted_functions, &mpi::detail::linked_library_refuses, MPI_COMM_SELF,
                             {.deadline = std::chrono::milliseconds(300), .chunk_bytes = 64});
}

/// A message to this rank itself, in parts, and what collective operations need.
void act(const mpi::communicator<>& in, std::array<int, 60>& from, std::array<int, 60>& into) {
  const auto where = yoke::source_location::current();
  const auto state = in.shared();
  auto list = std::make_unique<mpi::detail::message_operation>(std::make_unique<mpi::detail::host_order>());
  list->add(*state, true, 0, std::make_unique<mpi::detail::host_region>(from.data(), sizeof from), where);
  list->add(*state, false, 0, std::make_unique<mpi::detail::host_region>(into.data(), sizeof into), where);
  std::unique_ptr<mpi::detail::operation> moving = std::move(list);
  state->finish(moving, where);
  in.all_reduce(into, [](int a, int b) { return a + b; });
  in.broadcast(into, 0);
  in.all_gather(from, into);
  in.barrier();
  in.duplicate().barrier();
}

}  // namespace

TEST_CASE("allocations of verbs fail in turn, and nothing is lost") {
  function_log& log = functions_seen();
  std::array<int, 60> from{}, into{};
  std::iota(from.begin(), from.end(), 0);
  for (const fault_mode mode : {fault_mode::once, fault_mode::for_ever}) {
    std::size_t failed = 0;
    for (std::size_t number = 1; number < 2000; ++number) {
      CAPTURE(number);
      {
        const allocation_pause pause;
        log.begin(~std::size_t{0}, false);
      }
      bool is_told = false;
      {
        std::optional<mpi::communicator<>> in;
        allocation_faults::arm(number, mode);
        try {
          in.emplace(alone_with_faults());
          act(*in, from, into);
        } catch (const std::bad_alloc&) {
          is_told = true;
        } catch (const yoke::error&) {
          is_told = true;
        }
        const std::size_t injected = allocation_faults::injected();
        allocation_faults::disarm();
        failed += injected;
        if (injected == 0) {
          CHECK_FALSE(is_told);
          CHECK(into == from);
          number = 2000;
        }
        if (in && in->shared()->failure.empty()) in->barrier();  // it goes on
      }
      // MPICH ends no send to the rank itself that nobody receives: its memory is kept.
      if (mpi::detail::left_behind().exchange(nullptr) == nullptr) {
        CHECK(allocation_faults::live_blocks() == 0);
        CHECK(log.requests == 0);
      }
      CHECK(log.communicators == 0);
    }
    CHECK(failed > 20);
  }
}
