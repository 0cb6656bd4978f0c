// SPDX-License-Identifier: MIT
// One device for all: yoke's handles, the C interface's and OpenCL-CLHPP's side by side, over the same kernels.
#ifndef YOKE_BENCHMARKS_FIXTURE_HPP
#define YOKE_BENCHMARKS_FIXTURE_HPP

#define CL_TARGET_OPENCL_VERSION 300
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <benchmark/benchmark.h>

#include <CL/opencl.hpp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <yoke/yoke.hpp>

namespace bench {

/// Kernels of 0, 1, 3 and 8 parameters that do next to nothing, so that the host's part shows.
inline constexpr const char* source = R"(
YOKE_KERNEL nullary(void) {}
YOKE_KERNEL unary(YOKE_GLOBAL float* a) { if (get_global_id(0) == 0) a[0] = 1; }
YOKE_KERNEL ternary(YOKE_GLOBAL float* a, float x, int n) { if ((int)get_global_id(0) >= n) a[0] = x; }
YOKE_KERNEL octonary(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c,
                     YOKE_GLOBAL const float* d, float x, float y, int m, int n) {
  if ((int)get_global_id(0) >= m + n) a[0] = b[0] + c[0] + d[0] + x + y;
}
)";
using nullary = void();
using unary = void(float*);
using ternary = void(float*, float, int);
using octonary = void(float*, const float*, const float*, const float*, float, float, int, int);

/// Effects: ends the program when a raw call failed: a benchmark of failing calls would mislead.
inline void check(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s returned %d\n", call, code);
  std::exit(EXIT_FAILURE);
}

/// Everything over the device that `yoke::context` would take.
struct fixture {
  yoke::device<yoke::any_port> device = yoke::choose_device().chosen;

  yoke::context<yoke::any_port> any_context{device};
  yoke::stream<yoke::any_port> any_stream{any_context};
  yoke::module<yoke::any_port> any_module = yoke::compile(any_context, source);

  yoke::opencl::context context{yoke::as_opencl(device)};
  yoke::opencl::stream stream{context};
  yoke::opencl::module module = yoke::compile(context, source);

  // The same objects, seen by the other two.
  cl_context raw_context = reinterpret_cast<cl_context>(context.native_handle());
  cl_command_queue raw_queue = reinterpret_cast<cl_command_queue>(stream.native_handle());
  cl_program raw_program = reinterpret_cast<cl_program>(module.native_handle());
  cl::Context clhpp_context{raw_context, true};
  cl::CommandQueue clhpp_queue{raw_queue, true};
  cl::Program clhpp_program{raw_program, true};

  [[nodiscard]] cl_kernel raw_kernel(const char* name) const {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(raw_program, name, &code);
    check(code, "clCreateKernel");
    return kernel;
  }
};

/// Returns: the one fixture, made at the first call.
inline fixture& machine() {
  static auto* const only = new fixture;  // never freed: drivers may be gone when statics end
  return *only;
}

/// Returns: the processor time that this thread has used. What else the machine does leaves it alone.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Effects: measures what `operation` costs the calling thread, in bursts; `finish` empties the queue between bursts,
/// outside the time.
template <class Operation, class Finish>
void bursts(benchmark::State& state, Operation operation, Finish finish) {
  constexpr int burst = 50;
  operation();
  finish();
  while (state.KeepRunningBatch(burst)) {
    const double start = thread_seconds();
    for (int i = 0; i < burst; ++i) operation();
    state.SetIterationTime(thread_seconds() - start);
    finish();
  }
}

}  // namespace bench

#endif
