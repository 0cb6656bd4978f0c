// SPDX-License-Identifier: MIT
// What the code before a driver's call does to the time that the call takes: copies of 4 KiB within a device by six contestants, four of
// which make the same raw call. It shares nothing with ./dev bench.
// g++ -std=c++20 -O2 -DYOKE_HEADER_ONLY -I<yoke>/include -I<opencl headers> probe_callers_code.cpp -o probe_callers_code -lOpenCL -ldl -pthread
// ./probe_callers_code cuda [ROUNDS]    or a part of the name of an OpenCL platform in the place of "cuda"
//
// A round is a burst of 20 calls by each contestant, in a random order, behind a busy kernel, after two calls that warm up, each with the
// stack at a random place. Printed: the median of what a burst took, and that of its difference to the mean of the round's two bare
// loops, with 1.96 standard errors of the medians of batches of as many rounds as there are batches.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>

#include <yoke/yoke.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int calls = 20;
constexpr std::size_t bytes = 4096;
constexpr std::size_t contestants = 6;
using times = std::array<double, contestants>;
std::mt19937 randomness(std::random_device{}());

double nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
[[gnu::noinline, noreturn]] void refused() { std::abort(); }

struct alignas(64) cell {
  long value = 0;
};
std::array<volatile cell, 6> cells;
/// Six loads and branches that nothing depends on.
[[gnu::always_inline]] inline void look_around() {
  for (const volatile cell& each : cells) {
    if (each.value != 0) refused();
  }
}

template <class Call>
[[gnu::noinline]] void repeat(Call call, int count) {
  for (int i = 0; i < count; ++i) call();
}
/// Returns: what a call took of a burst whose stack begins at a random place of a page.
template <class Call>
[[gnu::noinline]] double burst(Call call) {
  void* const room = __builtin_alloca(16 * (randomness() % 256));
  asm volatile("" : : "r"(room) : "memory");
  int few = 2;
  asm("" : "+r"(few));  // which the compiler makes no other code for
  repeat(call, few);
  const double start = nanoseconds();
  repeat(call, calls);
  return (nanoseconds() - start) / calls;
}

struct contestant {
  const char* name;
  std::function<double()> run;
};
/// The raw call in two bare loops, from a function, behind six loads; yoke's, and that from a function. Each is code of its own.
template <class First, class Second, class Third, class Fourth, class Yoke, class YokeAgain>
std::array<contestant, contestants> all(First first, Second second, Third third, Fourth fourth, Yoke yoke,
                                        YokeAgain again) {
  return {{{"raw", [=] { return burst(first); }},
           {"raw, again", [=] { return burst(second); }},
           {"raw, not inlined",
            [=] {
              return burst([=] {
                [&]() __attribute__((noinline)) { third(); }
                ();
              });
            }},
           {"raw, behind six loads", [=] { return burst([=] { look_around(), fourth(); }); }},
           {"yoke", [=] { return burst(yoke); }},
           {"yoke, not inlined", [=] {
              return burst([=] {
                [&]() __attribute__((noinline)) { again(); }
                ();
              });
            }}}};
}

template <class Port>
struct world {
  yoke::context<Port> context;
  yoke::stream<Port> stream{context};
  yoke::module<Port> module = yoke::compile(context, R"(
YOKE_KERNEL spin(YOKE_GLOBAL float* a, int n) {
  float x = a[0];
  for (int i = 0; i < n; ++i) x = x * 0.999f + 0.5f;
  if (get_global_id(0) == 0) a[0] = x;
})");
  yoke::kernel<void(float*, int), Port> spin = yoke::get_kernel<void(float*, int)>(module, "spin");
  yoke::device_allocation<float, Port> a = yoke::to_device(std::vector<float>(64, 1.0f), stream);
  yoke::device_allocation<unsigned char, Port> from{context, bytes};
  yoke::device_allocation<unsigned char, Port> to{context, bytes};
  int turns = 1000;
  double busy_for = 0;

  explicit world(const yoke::device<Port>& device) : context(device) {
    for (; busy_for < 1.5e6; turns += turns / 2) {
      busy_for = 1e12;
      for (int i = 0; i < 5; ++i) {
        const double start = nanoseconds();
        busy();
        stream.synchronize();
        busy_for = std::min(busy_for, nanoseconds() - start);
      }
    }
  }
  void busy() { spin(stream, {.grid = 1, .block = 32}, a, turns); }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}
void report(const std::array<contestant, contestants>& of, const std::vector<times>& rounds) {
  const auto batch = static_cast<std::size_t>(std::sqrt(static_cast<double>(rounds.size())));
  for (std::size_t i = 0; i < contestants; ++i) {
    std::vector<double> spent, beside, batches;
    for (const times& round : rounds) {
      spent.push_back(round[i]);
      beside.push_back(round[i] - (round[0] + round[1]) / 2);
    }
    for (auto at = beside.begin(); beside.end() - at >= static_cast<std::ptrdiff_t>(batch);) {
      const auto next = at + static_cast<std::ptrdiff_t>(batch);
      batches.push_back(median({at, next}));
      at = next;
    }
    const auto count = static_cast<double>(batches.size());
    double mean = 0, squares = 0;
    for (const double each : batches) mean += each / count;
    for (const double each : batches) squares += (each - mean) * (each - mean);
    std::printf("%-22s %8.1f ns   %+7.1f +- %.1f\n", of[i].name, median(spent), median(beside),
                1.96 * std::sqrt(squares) / count);
  }
}

template <class Port>
void play(world<Port>& with, const std::array<contestant, contestants>& of, std::size_t rounds) {
  std::vector<times> done;
  std::array<std::size_t, contestants> order{0, 1, 2, 3, 4, 5};
  std::size_t late = 0;
  while (done.size() < rounds) {
    const double began = nanoseconds();
    with.busy();
    (void)of[randomness() % contestants].run();  // what comes first behind an empty queue finds little at hand
    for (int turn = 0; turn < 64 && done.size() < rounds; ++turn) {
      std::shuffle(order.begin(), order.end(), randomness);
      times now{};
      for (const std::size_t i : order) now[i] = of[i].run();
      if (nanoseconds() - began > with.busy_for) {
        ++late;
        break;
      }
      done.push_back(now);
    }
    with.stream.synchronize();
  }
  std::printf("%zu rounds, %zu that the queue ran dry in were left out\n", done.size(), late);
  report(of, done);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string where = count > 1 ? arguments[1] : "";
  const std::size_t rounds = count > 2 ? static_cast<std::size_t>(std::atol(arguments[2])) : 10000;
  if (where.empty() || rounds < 100) {
    std::fprintf(stderr, "usage: %s cuda|PLATFORM [ROUNDS, of which 100 are the least]\n", arguments[0]);
    return 2;
  }
  if (where == "cuda") {
    world<yoke::cuda::port> with(yoke::cuda::devices().at(0));
    const auto& driver = *with.context.port().table();
    if (driver.context_set_current(with.context.native_handle()) != 0) refused();
    const auto stream = with.stream.native_handle();
    const auto from = with.from.native_handle(), to = with.to.native_handle();
    const auto copy = driver.memcpy_dtod_async;
#define RAW                                                                                                            \
  [=] {                                                                                                                \
    if (copy(to, from, bytes, stream) != 0) refused();                                                                 \
  }
#define YOKE [&with] { yoke::enqueue_copy(with.from, with.to, with.stream); }
    play(with, all(RAW, RAW, RAW, RAW, YOKE, YOKE), rounds);
#undef RAW
    return 0;
  }
  for (const yoke::opencl::device& each : yoke::opencl::devices()) {
    if (each.summary().platform.find(where) == std::string::npos) continue;
    world<yoke::opencl::port> with(each);
    auto* const queue = reinterpret_cast<cl_command_queue>(with.stream.native_handle());
    auto* const from = reinterpret_cast<cl_mem>(with.from.native_handle());
    auto* const to = reinterpret_cast<cl_mem>(with.to.native_handle());
#define RAW                                                                                                            \
  [=] {                                                                                                                \
    if (clEnqueueCopyBuffer(queue, from, to, 0, 0, bytes, 0, nullptr, nullptr) != 0) refused();                        \
  }
    play(with, all(RAW, RAW, RAW, RAW, YOKE, YOKE), rounds);
    return 0;
  }
  std::fprintf(stderr, "no OpenCL platform has %s in its name\n", where.c_str());
  return 1;
}
