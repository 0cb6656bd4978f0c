// SPDX-License-Identifier: MIT
// What recording an event, and making a stream wait for one, costs beside the C interface and OpenCL-CLHPP.
#include "fixture.hpp"

namespace {

using bench::bursts;
using bench::check;
using bench::machine;

template <class Stream>
void record_on(benchmark::State& state, const Stream& stream) {
  bursts(
      state, [&] { benchmark::DoNotOptimize(stream.record()); }, [&] { stream.synchronize(); });
}
void record_yoke(benchmark::State& state) { record_on(state, machine().stream); }
void record_any_port(benchmark::State& state) { record_on(state, machine().any_stream); }
void record_raw(benchmark::State& state) {
  const auto operation = [] {
    cl_event event = nullptr;
    check(clEnqueueMarkerWithWaitList(machine().raw_queue, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    check(clReleaseEvent(event), "clReleaseEvent");
  };
  bursts(state, operation, [] { check(clFinish(machine().raw_queue), "clFinish"); });
}
void record_clhpp(benchmark::State& state) {
  const auto operation = [] {
    cl::Event event;
    machine().clhpp_queue.enqueueMarkerWithWaitList(nullptr, &event);
  };
  bursts(state, operation, [] { machine().clhpp_queue.finish(); });
}
BENCHMARK(record_yoke)->UseManualTime();
BENCHMARK(record_any_port)->UseManualTime();
BENCHMARK(record_raw)->UseManualTime();
BENCHMARK(record_clhpp)->UseManualTime();

}  // namespace
