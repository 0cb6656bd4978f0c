// SPDX-License-Identifier: MIT
// Where the time of a program goes: its calls, its kernels and its copies, as a table and as a file for ui.perfetto.dev.
// usage: traced_steps [FILE [ELEMENTS]]; without a file, or YOKE_TRACE, the program runs as it would without a trace.
#include <yoke/trace.hpp>
#include <yoke/yoke.hpp>

#include <fmt/core.h>

#include <chrono>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  yoke::trace trace{{.path = argc > 1 ? argv[1] : ""}};  // before anything else of yoke

  const yoke::context ctx;
  const yoke::stream stream{ctx};
  const auto module = yoke::compile(ctx, R"(
    YOKE_KERNEL advance(YOKE_GLOBAL float* x, float by) { x[get_global_id(0)] += by; })");
  const auto advance = module.get_kernel<void(float*, float)>("advance");
  const std::size_t count = argc > 2 ? std::stoul(argv[2]) : 1 << 14;
  constexpr int steps = 10, launches = 100;
  yoke::device_allocation<float> x{ctx, count};
  std::vector<float> host(count);
  yoke::fill(x, 0.0f, stream);
  std::chrono::nanoseconds enqueued{};
  for (int i = 0; i < steps; ++i) {
    const yoke::trace_scope scope{"step"};  // a bar above what it calls
    const auto begin = std::chrono::steady_clock::now();
    for (int j = 0; j < launches; ++j) advance(stream, yoke::launch_over(count), x, 0.5f);
    enqueued += std::chrono::steady_clock::now() - begin;
    yoke::copy(x, host, stream);
  }
  fmt::print("{} ns for each launch\n", enqueued.count() / (steps * launches));
  if (trace) {
    trace.finish();  // or the destructor does it
    fmt::print("{}", trace.table());
  }
  const bool right = host.back() == 0.5f * steps * launches;
  fmt::print("traced_steps: {}\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
