// SPDX-License-Identifier: MIT
// What allocations and copies cost beside the C interface and OpenCL-CLHPP.
#include <numeric>
#include <vector>

#include "fixture.hpp"

namespace {

using bench::check;
using bench::machine;

using byte = unsigned char;

// --- allocate and free -------------------------------------------------------------------------------------------------
template <class Context>
void allocate_in(benchmark::State& state, const Context& context) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(yoke::device_allocation<byte, typename Context::port_type>(context, state.range(0)));
  }
}
void allocate_yoke(benchmark::State& state) { allocate_in(state, machine().context); }
void allocate_any_port(benchmark::State& state) { allocate_in(state, machine().any_context); }
void allocate_raw(benchmark::State& state) {
  for (auto _ : state) {
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(machine().raw_context, CL_MEM_READ_WRITE, static_cast<std::size_t>(state.range(0)),
                                   nullptr, &code);
    check(code, "clCreateBuffer");
    check(clReleaseMemObject(memory), "clReleaseMemObject");
  }
}
void allocate_clhpp(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        cl::Buffer(machine().clhpp_context, CL_MEM_READ_WRITE, static_cast<std::size_t>(state.range(0))));
  }
}
void allocation_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bytes")->Arg(1 << 10)->Arg(1 << 20)->Arg(64 << 20);
}
BENCHMARK(allocate_yoke)->Apply(allocation_sizes);
BENCHMARK(allocate_any_port)->Apply(allocation_sizes);
BENCHMARK(allocate_raw)->Apply(allocation_sizes);
BENCHMARK(allocate_clhpp)->Apply(allocation_sizes);

// --- blocking copies, up and down ----------------------------------------------------------------------------------------
struct host_data {
  explicit host_data(std::int64_t size) : bytes(static_cast<std::size_t>(size)) {
    std::iota(bytes.begin(), bytes.end(), byte{1});  // zeros may be treated specially
  }
  std::vector<byte> bytes;
};
void finish(benchmark::State& state) { state.SetBytesProcessed(state.iterations() * state.range(0)); }

template <class Stream>
void copy_up(benchmark::State& state, const Stream& stream) {
  host_data host(state.range(0));
  yoke::device_allocation<byte, typename Stream::port_type> device(stream.context_of(), host.bytes.size());
  yoke::copy(host.bytes, device, stream);  // touches the memory for the first time
  for (auto _ : state) yoke::copy(host.bytes, device, stream);
  finish(state);
}
template <class Stream>
void copy_down(benchmark::State& state, const Stream& stream) {
  host_data host(state.range(0));
  const auto device = yoke::to_device(host.bytes, stream);
  for (auto _ : state) yoke::copy(device, host.bytes, stream);
  finish(state);
}
void copy_up_yoke(benchmark::State& state) { copy_up(state, machine().stream); }
void copy_up_any_port(benchmark::State& state) { copy_up(state, machine().any_stream); }
void copy_down_yoke(benchmark::State& state) { copy_down(state, machine().stream); }
void copy_down_any_port(benchmark::State& state) { copy_down(state, machine().any_stream); }

void copy_up_raw(benchmark::State& state) {
  host_data host(state.range(0));
  const cl::Buffer device(machine().clhpp_context, CL_MEM_COPY_HOST_PTR, host.bytes.size(), host.bytes.data());
  for (auto _ : state) {
    check(clEnqueueWriteBuffer(machine().raw_queue, device(), CL_TRUE, 0, host.bytes.size(), host.bytes.data(), 0,
                               nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  finish(state);
}
void copy_down_raw(benchmark::State& state) {
  host_data host(state.range(0));
  const cl::Buffer device(machine().clhpp_context, CL_MEM_COPY_HOST_PTR, host.bytes.size(), host.bytes.data());
  for (auto _ : state) {
    check(clEnqueueReadBuffer(machine().raw_queue, device(), CL_TRUE, 0, host.bytes.size(), host.bytes.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
  }
  finish(state);
}
void copy_up_clhpp(benchmark::State& state) {
  host_data host(state.range(0));
  const cl::Buffer device(machine().clhpp_context, CL_MEM_COPY_HOST_PTR, host.bytes.size(), host.bytes.data());
  for (auto _ : state) {
    machine().clhpp_queue.enqueueWriteBuffer(device, CL_TRUE, 0, host.bytes.size(), host.bytes.data());
  }
  finish(state);
}
void copy_down_clhpp(benchmark::State& state) {
  host_data host(state.range(0));
  const cl::Buffer device(machine().clhpp_context, CL_MEM_COPY_HOST_PTR, host.bytes.size(), host.bytes.data());
  for (auto _ : state) {
    machine().clhpp_queue.enqueueReadBuffer(device, CL_TRUE, 0, host.bytes.size(), host.bytes.data());
  }
  finish(state);
}
void copy_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bytes")->RangeMultiplier(16)->Range(1 << 10, 64 << 20)->UseRealTime();
}
BENCHMARK(copy_up_yoke)->Apply(copy_sizes);
BENCHMARK(copy_up_any_port)->Apply(copy_sizes);
BENCHMARK(copy_up_raw)->Apply(copy_sizes);
BENCHMARK(copy_up_clhpp)->Apply(copy_sizes);
BENCHMARK(copy_down_yoke)->Apply(copy_sizes);
BENCHMARK(copy_down_any_port)->Apply(copy_sizes);
BENCHMARK(copy_down_raw)->Apply(copy_sizes);
BENCHMARK(copy_down_clhpp)->Apply(copy_sizes);

}  // namespace
