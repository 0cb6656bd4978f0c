// SPDX-License-Identifier: MIT
// Every driver call of arrays of two streams made to fail in turn: what cannot be noted, the host waits for.
#include <memory/memory_faults.hpp>
#include <yoke/array.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

YOKE_DEVICE_TEST_CASE("faults where arrays of two streams meet", "[array][order][faults]") {
  fault_loop_options options = of_arrays();
  const char* const host = "the host waits instead";
  const char* const told = "where it fails, there is no capture";
  for (const auto& each : std::initializer_list<absorbed_fault>{{Backend::calls::record, host},
                                                                {Backend::calls::wait_in_stream, host},
                                                                {"flush", host},
                                                                {"event_create", host},
                                                                {"retain_event", host},
                                                                {"stream_synchronize", host},
                                                                {"wait_for_events", host},
                                                                {"stream_get_capture_info", told}}) {
    options.absorbed.push_back(each);
  }
  loop(
      "read, written, launched and freed", device,
      [](auto& state) {
        const backend::stream other(state.context);
        auto a = yoke::to_device_array(counting(60), state.stream);
        auto b = yoke::to_device_array(counting(60), other);
        b = b + a;
        a = 2 * a;
        yoke::fill(a, 3, other);
        yoke::copy(b, a, other);
        const int one = a(7).value();
        CHECK(one == 16);
        a = a + b;
        b.fill(0);
        const int two = a(7).value();
        CHECK(two == 32);
        a.reset();
      },
      options);
}
