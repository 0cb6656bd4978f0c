// SPDX-License-Identifier: MIT
// Devices, contexts and streams of a backend as those of any backend.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>
#include <support/rig.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

// A library that is compiled once: it knows no backend.
std::vector<int> squares(const yoke::stream<>& stream, int count) {
  const auto module = yoke::compile(stream.context_of(), R"(
      YOKE_KERNEL square(YOKE_GLOBAL int* to) { const int at = (int)get_global_id(0); to[at] = at * at; })");
  const auto kernel = yoke::get_kernel<void(int*)>(module, "square");
  yoke::device_allocation<int> memory(stream.context_of(), static_cast<std::size_t>(count));
  kernel(stream, yoke::launch_over(static_cast<std::size_t>(count), 1), memory);
  std::vector<int> host(static_cast<std::size_t>(count));
  yoke::copy(memory, host, stream);
  return host;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a backend's stream serves a library over streams of any backend", "[execution][any]") {
  rig state(device);
  const yoke::stream<> any = yoke::as_any(state.stream);
  CHECK(squares(any, 5) == std::vector<int>{0, 1, 4, 9, 16});
  CHECK(squares(yoke::as_any(state.stream), 3) == std::vector<int>{0, 1, 4});
  CHECK(any.device_of().name() == state.device.name());
  CHECK(any.has_timing() == state.stream.has_timing());
  CHECK(any.native_handle() == yoke::as_any(state.stream).native_handle());
  CHECK(squares(yoke::as_any(any), 2) == std::vector<int>{0, 1});  // one of any backend is itself
}

YOKE_DEVICE_TEST_CASE("a backend's context has one context of any backend while that lives", "[execution][any]") {
  rig state(device);
  std::optional<yoke::context<>> any = yoke::as_any(state.context);
  const void* const first = any->shared();
  CHECK(yoke::as_any(state.context).shared() == first);
  CHECK(*any == yoke::as_any(state.stream).context_of());
  CHECK(yoke::as_any(state.stream).context_of().shared() == first);
  CHECK(any->devices().size() == state.context.devices().size());
  CHECK(any->only_device() == yoke::as_any(state.device));
  CHECK(yoke::as_any(*any).shared() == first);
  const yoke::stream<> kept(*any);
  any.reset();
  CHECK(yoke::as_any(state.context).shared() == first);  // the stream keeps it
}

YOKE_DEVICE_TEST_CASE("what is made of any backend outlives the backend's own handles", "[execution][any]") {
  yoke::stream<> stream;
  yoke::device<> kept = yoke::as_any(device);
  {
    const backend::context context{device};
    const backend::stream own{context};
    stream = yoke::as_any(own);
  }
  CHECK(squares(stream, 4) == std::vector<int>{0, 1, 4, 9});
  CHECK(kept.name() == device.name());
  // and the other way round
  const backend::context context{device};
  const backend::stream own{context};
  { const yoke::stream<> ended = yoke::as_any(own); }
  own.synchronize();
  CHECK(squares(yoke::as_any(own), 2) == std::vector<int>{0, 1});
}

YOKE_DEVICE_TEST_CASE("work of both handles of a stream is in one order", "[execution][any]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  const yoke::stream<> any = yoke::as_any(state.stream);
  gate<Backend> held(state.stream);
  const yoke::event<> behind = any.record();
  any.flush();
  CHECK_FALSE(behind.is_done());
  held.open();
  behind.wait();
  CHECK(behind.is_done());
}

YOKE_DEVICE_TEST_CASE("threads that ask for the context of any backend get one", "[execution][any]") {
  rig state(device);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int each = 0; each < 4; ++each) {
      threads.emplace_back([&] {
        for (int k = 0; k < 20; ++k) {
          const yoke::context<> one = yoke::as_any(state.context);
          if (yoke::as_any(state.context).shared() != one.shared()) ++wrong;
        }
      });
    }
    for (auto& each : threads) each.join();
    CHECK(wrong == 0);
  }
}

YOKE_DEVICE_TEST_CASE("empty handles of a backend become none of any backend", "[execution][any]") {
  (void)device;
  CHECK_THROWS_WITH(yoke::as_any(typename Backend::stream()), ContainsSubstring("this stream is empty"));
  backend::context context{device};
  const backend::context taken = std::move(context);
  CHECK_THROWS_WITH(yoke::as_any(context), ContainsSubstring("this context is empty"));  // NOLINT
}

YOKE_OPENCL_TEST_CASE("an OpenCL sub-device lives as long as that of any backend", "[execution][any]") {
  const auto ways = ocl::get(device, ocl::info::partition_properties);
  if (ocl::get(device, ocl::info::max_compute_units) < 2 ||
      std::find(ways.begin(), ways.end(), ocl::abi::partition_equally) == ways.end()) {
    YOKE_SKIP("the device cannot be divided");
  }
  const yoke::device<> any = yoke::as_any(ocl::partition_equally(device, 1).front());
  const yoke::context<> context(any);
  CHECK(context.only_device() == any);
  CHECK(squares(yoke::stream<>(context), 3) == std::vector<int>{0, 1, 4});
}
