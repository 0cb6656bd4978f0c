// SPDX-License-Identifier: MIT
// What CUDA's operations ask of the driver: how many calls, nothing left current; and each call made to fail in turn.
#include <cuda/cuda_rig.hpp>
#include <support/fault_loop.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;
using names = std::vector<std::string>;

namespace {

cuda_device through(const cuda_interposer& driver, const cuda_device& device) {
  return cuda_device::borrow(cu::port{driver.table()}, device.native_handle());
}

constexpr const char* source = R"(
  YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (a && i < 8) a[i] += n; })";

/// A context, a stream and a kernel from before the fault.
struct kept {
  cu::context context;
  cu::stream stream;
  cu::kernel<void(int*, int)> add;
  kept(cuda_interposer& driver, const cuda_device& device, std::span<const std::byte> binary)
      : context(through(driver, device)),
        stream(context),
        add(yoke::load(context, binary).get_kernel<void(int*, int)>("add")) {}
};

template <class Act>
void loop(const char* name, const cuda_device& device, Act act, std::vector<absorbed_fault> absorbed = {},
          bool repeat = true) {
  fault_loop_options options;
  options.absorbed = std::move(absorbed);
  // "Invalid value" is how an older driver says that it does not know an attribute: cuda_device_info_test has that.
  options.excluded = {"device_get_attribute"};
  options.repeat = repeat;
  options.codes = {{2, "out of memory"}, {1, "invalid value"}, {700, "sticky fatal"}, {801, "not supported"}};
  const cu::context stays(device);  // or each run would make the device's context anew, which takes long
  const auto binary = yoke::compile(stays, source).export_binary();
  run_fault_loop<cuda_interposer>(
      name, *device.port().table(), [&](cuda_interposer& driver) { return kept(driver, device, binary); },
      [&](cuda_interposer&, kept& state) { act(state); },
      [](cuda_interposer&, kept& state) {
        std::vector<int> values(8, 1);
        state.add(state.stream, yoke::launch_over(8), yoke::in_out(values), 2);
        CHECK(values == std::vector<int>(8, 3));
      },
      options);
}

}  // namespace

YOKE_CUDA_TEST_CASE("a CUDA launch is one call, a copy one, an ordered allocation and its free two", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    const auto add = yoke::compile(context, source).get_kernel<void(int*, int)>("add");
    cu::device_allocation<int> memory{context, 8};
    cu::pagelocked_array<int> host{context, 8};
    yoke::fill(memory, 0, stream);
    const auto since = [&](auto act) {
      const std::size_t mark = driver.mark();
      act();
      return driver.calls(mark);
    };
    CHECK(since([&] { add(stream, yoke::launch_over(8), memory, 1); }) == names{"launch_kernel"});
    CHECK(since([&] { yoke::fill(memory, 7, stream); }) == names{"memset_d32_async"});
    {
      const std::size_t mark = driver.mark();
      auto transfer = yoke::copy_async(memory, host, stream);
      CHECK(driver.count("memcpy_dtoh_async", mark) == 1);
      CHECK(driver.count("stream_synchronize", mark) == 0);
      transfer.wait();
    }
    CHECK(since([&] {
            const cu::device_allocation<int> ordered{context, 8, stream};
          }) == names{"mem_alloc_async", "mem_free_async"});
    stream.synchronize();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("no CUDA operation leaves the thread's contexts changed", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  cu::abi::context before = nullptr;
  REQUIRE(driver.real().context_get_current(&before) == 0);
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    const cu::device_allocation<int> memory{context, 8};
    const cu::pagelocked_array<int> host{context, 8};
    const auto module = yoke::compile(context, source);
    (void)module.get_kernel<void(int*, int)>("add").limits();
    stream.record_timed().wait();
    CHECK_THROWS_AS(yoke::compile(context, "this is no program"), yoke::compile_error);
    CHECK_THROWS_AS((cu::device_allocation<char>{context, std::size_t{1} << 46}), yoke::memory_error);
  }
  cu::abi::context after = nullptr;
  REQUIRE(driver.real().context_get_current(&after) == 0);
  CHECK(after == before);
  CHECK(driver.count("context_push") == driver.count("context_pop"));
  CHECK(driver.count("context_push") > 0);
  CHECK(driver.count("context_set_current") == 0);
  CHECK(driver.live().empty());
}

YOKE_CUDA_TEST_CASE("faults with CUDA's contexts, streams and events", "[cuda][fault]") {
  loop("CUDA execution", device, [](kept& state) {
    const cu::context again{state.context.only_device()};
    const cu::stream second{again};
    const cu::event first = state.stream.record();
    second.wait(first);
    const cu::timed_event start = second.record_timed();
    const cu::timed_event stop = second.record_timed();
    (void)stop.time_since(start);
    (void)stop.is_done();
    second.synchronize();
    const cu::stream borrowed = cu::stream::borrow(again, second.native_handle());
  });
}

YOKE_CUDA_TEST_CASE("faults with CUDA's memory", "[cuda][fault]") {
  loop("CUDA memory", device, [](kept& state) {
    cu::device_allocation<int> plain{state.context, 8}, ordered{state.context, 8, state.stream};
    cu::pagelocked_array<int> host{state.context, 8};
    std::fill(host.begin(), host.end(), 5);
    yoke::copy_async(host, plain, state.stream).wait();
    yoke::copy(plain, ordered, state.stream);
    std::vector<int> back(8);
    yoke::copy(ordered, back, state.stream);
    yoke::fill(plain, 3, state.stream);
  });
}

YOKE_CUDA_TEST_CASE("faults while freeing behind other streams", "[cuda][fault]") {
  const char* const why = "in a destructor: reported, and the other stream is waited for instead";
  loop("CUDA free behind others", device,
       [](kept& state) {
         const cu::stream other{state.context};
         cu::device_allocation<int> ordered{state.context, 8, state.stream};
         ordered.record_use(other);
       },
       {{"stream_get_context", why},
        {"context_get_current", why},
        {"context_push", why},
        {"event_create", why},
        {"event_record", why},
        {"stream_wait_event", why},
        {"stream_synchronize", why}});
}

const std::vector<absorbed_fault> weaker_checks{
    {"kernel_get_param_info", "invalid value is how the driver ends the list of parameters"},
    {"kernel_get_name", "a name that is not known leaves the check by sizes"}};

YOKE_CUDA_TEST_CASE("faults with CUDA's launches", "[cuda][fault]") {
  loop(
      "CUDA launches", device,
      [](kept& state) {
        (void)state.add.limits();
        std::vector<int> values(8, 1);
        state.add(state.stream, yoke::launch_over(8), yoke::in_out(values), 2);
        const auto memory = yoke::to_device(values, state.stream);
        const cu::event done = state.add.enqueue(state.stream, yoke::launch_over(8), nullptr, 2);
        done.wait();
      },
      weaker_checks);
}

YOKE_CUDA_TEST_CASE("faults with CUDA's programs", "[cuda][fault]") {
  loop(
      "CUDA programs", device,
      [](kept& state) {
        const auto module = yoke::compile(state.context, source);
        (void)module.get_kernel<void(int*, int)>("add");
      },
      weaker_checks, false);
}

YOKE_CUDA_TEST_CASE("faults with CUDA's launch attributes, shared memory and occupancy", "[cuda][fault]") {
  loop(
      "CUDA launch attributes", device,
      [](kept& state) {
        state.add(state.stream, {.grid = 1, .block = 8, .local_bytes = 60 * 1024}, nullptr, 1);
        state.add(state.stream, {.grid = 1, .block = 8, .cooperative = true, .priority = 0}, nullptr, 1);
        cu::set(state.add, cu::kernel_info::shared_carveout, 50);
        cu::set_cache(state.add, cu::cache_preference::prefer_shared);
        (void)cu::get(state.add, cu::kernel_info::registers);
        (void)cu::active_blocks(state.add, 64);
        (void)cu::best_block(state.add, [](int) { return 16; });
        (void)cu::available_local_bytes(state.add, 1, 64);
        state.stream.synchronize();
      },
      weaker_checks);
}

YOKE_CUDA_TEST_CASE("faults with CUDA's images and variables", "[cuda][fault]") {
  const cu::context stays(device);
  const auto image = raw_image(yoke::compile(stays, R"(
    extern "C" { __device__ int variable[4]; }
    extern "C" __global__ void use(int* a) { a[0] = variable[3]; })"));
  loop(
      "CUDA images", device,
      [&](kept& state) {
        const auto module = cu::load_image(state.context, image);
        const auto variable = cu::get_global<int>(module, "variable");
        yoke::fill(variable, 7, state.stream);
        std::vector<int> out(1);
        module.get_kernel<void(int*)>("use")(state.stream, {.grid = 1}, yoke::out(out));
      },
      weaker_checks);
}
