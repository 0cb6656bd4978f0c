// SPDX-License-Identifier: MIT
// What a launch costs the host: arguments and enqueue, through yoke, any_port, the C interface and OpenCL-CLHPP.
#include "fixture.hpp"

namespace {

using bench::bursts;
using bench::check;
using bench::machine;

constexpr std::size_t block = 16;

// --- yoke: `with` is a context's port, static or chosen at run time ----------------------------------------------------
template <class Module, class Stream>
void typed_launch(benchmark::State& state, const Module& module, const Stream& stream) {
  using port = typename Module::port_type;
  yoke::device_allocation<float, port> a(stream.context_of(), 64);
  yoke::device_allocation<float, port> b(stream.context_of(), 64);
  const yoke::launch_shape shape{.grid = 1, .block = block};
  const auto finish = [&] { stream.synchronize(); };
  switch (state.range(0)) {
    case 0: {
      const auto kernel = yoke::get_kernel<bench::nullary>(module, "nullary");
      return bursts(
          state, [&] { kernel(stream, shape); }, finish);
    }
    case 1: {
      const auto kernel = yoke::get_kernel<bench::unary>(module, "unary");
      return bursts(
          state, [&] { kernel(stream, shape, a); }, finish);
    }
    case 3: {
      const auto kernel = yoke::get_kernel<bench::ternary>(module, "ternary");
      return bursts(
          state, [&] { kernel(stream, shape, a, 2.0f, 64); }, finish);
    }
    default: {
      const auto kernel = yoke::get_kernel<bench::octonary>(module, "octonary");
      return bursts(
          state, [&] { kernel(stream, shape, a, b, b, b, 1.0f, 2.0f, 3, 64); }, finish);
    }
  }
}
void launch_yoke(benchmark::State& state) { typed_launch(state, machine().module, machine().stream); }
void launch_any_port(benchmark::State& state) { typed_launch(state, machine().any_module, machine().any_stream); }

// --- the C interface ---------------------------------------------------------------------------------------------------
struct raw_kernel {
  explicit raw_kernel(const char* name) : kernel(machine().raw_kernel(name)) {}
  raw_kernel(const raw_kernel&) = delete;
  raw_kernel& operator=(const raw_kernel&) = delete;
  ~raw_kernel() { clReleaseKernel(kernel); }

  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    cl_uint index = 0;
    (check(clSetKernelArg(kernel, index++, sizeof arguments, &arguments), "clSetKernelArg"), ...);
    const std::size_t size = block;
    check(clEnqueueNDRangeKernel(machine().raw_queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }
  cl_kernel kernel;
};
struct raw_buffer {
  raw_buffer() {
    cl_int code = CL_SUCCESS;
    memory = clCreateBuffer(machine().raw_context, CL_MEM_READ_WRITE, 64 * sizeof(float), nullptr, &code);
    check(code, "clCreateBuffer");
  }
  raw_buffer(const raw_buffer&) = delete;
  raw_buffer& operator=(const raw_buffer&) = delete;
  ~raw_buffer() { clReleaseMemObject(memory); }
  cl_mem memory = nullptr;
};
void launch_raw(benchmark::State& state) {
  const raw_buffer a;
  const raw_buffer b;
  const auto finish = [] { check(clFinish(machine().raw_queue), "clFinish"); };
  switch (state.range(0)) {
    case 0: {
      const raw_kernel kernel("nullary");
      return bursts(
          state, [&] { kernel(); }, finish);
    }
    case 1: {
      const raw_kernel kernel("unary");
      return bursts(
          state, [&] { kernel(a.memory); }, finish);
    }
    case 3: {
      const raw_kernel kernel("ternary");
      return bursts(
          state, [&] { kernel(a.memory, 2.0f, 64); }, finish);
    }
    default: {
      const raw_kernel kernel("octonary");
      return bursts(
          state, [&] { kernel(a.memory, b.memory, b.memory, b.memory, 1.0f, 2.0f, 3, 64); }, finish);
    }
  }
}

// --- OpenCL-CLHPP's functor --------------------------------------------------------------------------------------------
void launch_clhpp(benchmark::State& state) {
  auto& with = machine();
  const cl::Buffer a(with.clhpp_context, CL_MEM_READ_WRITE, 64 * sizeof(float));
  const cl::Buffer b(with.clhpp_context, CL_MEM_READ_WRITE, 64 * sizeof(float));
  const cl::EnqueueArgs where(with.clhpp_queue, cl::NDRange(block), cl::NDRange(block));
  const auto finish = [&] { with.clhpp_queue.finish(); };
  switch (state.range(0)) {
    case 0: {
      cl::KernelFunctor<> kernel(with.clhpp_program, "nullary");
      return bursts(
          state, [&] { kernel(where); }, finish);
    }
    case 1: {
      cl::KernelFunctor<cl::Buffer> kernel(with.clhpp_program, "unary");
      return bursts(
          state, [&] { kernel(where, a); }, finish);
    }
    case 3: {
      cl::KernelFunctor<cl::Buffer, cl_float, cl_int> kernel(with.clhpp_program, "ternary");
      return bursts(
          state, [&] { kernel(where, a, 2.0f, 64); }, finish);
    }
    default: {
      cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl_float, cl_float, cl_int, cl_int> kernel(
          with.clhpp_program, "octonary");
      return bursts(
          state, [&] { kernel(where, a, b, b, b, 1.0f, 2.0f, 3, 64); }, finish);
    }
  }
}

void arguments(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("arguments")->Arg(0)->Arg(1)->Arg(3)->Arg(8)->UseManualTime();
}
BENCHMARK(launch_yoke)->Apply(arguments);
BENCHMARK(launch_any_port)->Apply(arguments);
BENCHMARK(launch_raw)->Apply(arguments);
BENCHMARK(launch_clhpp)->Apply(arguments);

// --- getting a kernel, with its signature compared ---------------------------------------------------------------------
void get_kernel_yoke(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(machine().module.get_kernel<bench::octonary>("octonary"));
}
void get_kernel_raw(benchmark::State& state) {
  for (auto _ : state) check(clReleaseKernel(machine().raw_kernel("octonary")), "clReleaseKernel");
}
void get_kernel_clhpp(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cl::Kernel(machine().clhpp_program, "octonary"));
}
BENCHMARK(get_kernel_yoke);
BENCHMARK(get_kernel_raw);
BENCHMARK(get_kernel_clhpp);

}  // namespace
