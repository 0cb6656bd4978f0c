// SPDX-License-Identifier: MIT
// Every driver call of a team's verbs and of a halo exchange made to fail in turn.
#include <memory/memory_faults.hpp>
#include <yoke/array.hpp>
#include <yoke/local.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

YOKE_DEVICE_TEST_CASE("faults in the verbs of a rank", "[local][faults]") {
  fault_loop_options options = of_arrays();
  const char* const host = "the host waits instead";
  for (const char* const each : {Backend::calls::record, Backend::calls::wait_in_stream, "flush", "event_create",
                                 "retain_event", "stream_synchronize", "wait_for_events"}) {
    options.absorbed.push_back({each, host});
  }
  loop(
      "reduced, exchanged and in halos", device,
      [](auto& state) {
        yoke::local_team<typename Backend::port> team(1);
        auto comm = team.communicator_of(0);
        auto x = yoke::full(2.0F, {4, 5}, state.stream);
        comm.all_reduce(x(yoke::whole, 2), yoke::summed, state.stream);
        comm.all_to_all(x, x, state.stream);
        const yoke::array_partition<2> grid{{2, 3}, 1, yoke::split_rows, {.halo = 1, .periodic = true}};
        yoke::halo_exchange halo{comm, grid, x};
        auto moving = halo.start(state.stream);
        moving.finish(state.stream);
        const float one = x(0, 1).value();
        CHECK(one == 2);
      },
      options);
}
