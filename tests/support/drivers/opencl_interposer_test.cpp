// SPDX-License-Identifier: MIT
// The interposer's own tests: log, each way to fail, the ledger; on a real driver, below the library.
#include <support/catch.hpp>
#include <support/drivers/opencl_interposer.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <chrono>
#include <thread>

using namespace yoke_test;
using strings = std::vector<std::string>;

#define YOKE_NEEDS_OPENCL()                                                                                            \
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason)

namespace {

constexpr abi::status out_of_memory = -4;
constexpr abi::status invalid_value = -30;
constexpr abi::status untouched = 1234;

/// An interposer with a context and a queue made through it.
struct bench {
  opencl_interposer driver{raw_opencl()};
  const abi::functions& cl = *driver.table();
  abi::device device = raw_devices().front();
  abi::context context = cl.create_context(nullptr, 1, &device, nullptr, nullptr, nullptr);
  abi::queue queue = cl.create_queue(context, device, 0, nullptr);
  std::size_t start = driver.mark();

  abi::memory buffer(abi::status* status = nullptr) {
    return cl.create_buffer(context, abi::mem_read_write, 4096, nullptr, status);
  }
  void close() {
    driver.disarm();
    cl.release_queue(queue);
    cl.release_context(context);
  }
};

}  // namespace

TEST_CASE("the interposer logs calls in order", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  const abi::memory x = b.buffer();
  const int four = 4;
  CHECK(b.cl.enqueue_fill_buffer(b.queue, x, &four, 4, 0, 4096, 0, nullptr, nullptr) == 0);
  CHECK(b.cl.finish(b.queue) == 0);
  CHECK(b.cl.release_memory(x) == 0);

  CHECK(b.driver.calls(b.start) == strings{"create_buffer", "enqueue_fill_buffer", "finish", "release_memory"});
  CHECK(b.driver.calls() ==
        strings{"create_context", "create_queue", "create_buffer", "enqueue_fill_buffer", "finish", "release_memory"});
  CHECK(b.driver.count("create_buffer") == 1);
  CHECK(b.driver.count("create_context", b.start) == 0);
  CHECK(b.driver.count_all(b.start) == 4);
  CHECK(b.driver.count_all() == 6);
  CHECK_THROWS_AS(b.driver.count("creat_buffer"), std::invalid_argument);
  b.driver.clear_log();
  CHECK(b.driver.calls().empty());
  b.close();
  CHECK(b.driver.live() == strings{});
  CHECK(b.driver.bad_releases() == strings{});
}

TEST_CASE("the interposer is safe from many threads", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&b] {
      for (int i = 0; i < 50; ++i) b.cl.release_memory(b.buffer());
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(b.driver.count("create_buffer") == 200);
  CHECK(b.driver.count_all(b.start) == 400);
  b.close();
  CHECK(b.driver.live() == strings{});
  CHECK(b.driver.bad_releases() == strings{});
}

TEST_CASE("a function with a status returns the injected code and makes no real call", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  const abi::memory x = b.buffer();
  abi::event event = nullptr;
  const int four = 4;
  b.driver.fail_call(2, fault_mode::once, invalid_value);
  CHECK(b.cl.flush(b.queue) == 0);
  CHECK_FALSE(b.driver.injected());
  CHECK(b.cl.enqueue_fill_buffer(b.queue, x, &four, 4, 0, 4096, 0, nullptr, &event) == invalid_value);
  CHECK(event == nullptr);
  CHECK(b.cl.flush(b.queue) == 0);

  REQUIRE(b.driver.injected());
  CHECK(b.driver.injected()->name == "enqueue_fill_buffer");
  CHECK(b.driver.injected()->symbol == "clEnqueueFillBuffer");
  CHECK(b.driver.injected()->code == invalid_value);
  CHECK_FALSE(b.driver.injected()->cleanup);
  CHECK(b.driver.injections().size() == 1);
  b.cl.release_memory(x);
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("a function with a trailing status sets it and returns null", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  abi::status status = untouched;
  b.driver.fail_function("create_buffer", 1, fault_mode::for_ever, out_of_memory);
  CHECK(b.buffer(&status) == nullptr);
  CHECK(status == out_of_memory);
  CHECK(b.buffer(nullptr) == nullptr);
  b.driver.disarm();

  // Two trailing statuses: only the last one is the function's own.
  abi::status binary_status = untouched;
  const unsigned char byte = 0;
  const unsigned char* binary = &byte;
  const std::size_t size = 1;
  status = untouched;
  b.driver.fail_call(1, fault_mode::once, invalid_value);
  CHECK(b.cl.create_program_with_binary(b.context, 1, &b.device, &size, &binary, &binary_status, &status) == nullptr);
  CHECK(status == invalid_value);
  CHECK(binary_status == untouched);

  const abi::memory x = b.buffer();
  status = untouched;
  b.driver.fail_function("enqueue_map_buffer", 1, fault_mode::once, out_of_memory);
  CHECK(b.cl.enqueue_map_buffer(b.queue, x, abi::yes, abi::map_read, 0, 64, 0, nullptr, nullptr, &status) == nullptr);
  CHECK(status == out_of_memory);
  b.cl.release_memory(x);
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("svm_alloc fails with null, svm_free always frees", "[support]") {
  YOKE_NEEDS_OPENCL();
  if (raw_opencl().svm_alloc == nullptr) YOKE_SKIP("the device has no SVM");
  abi::ulong capabilities = 0;
  constexpr abi::uint svm_capabilities = 0x1053;
  (void)raw_opencl().get_device_info(raw_devices().front(), svm_capabilities, sizeof capabilities, &capabilities,
                                     nullptr);
  if (capabilities == 0) YOKE_SKIP("the device has no SVM");  // to ask for some would hang Oclgrind
  bench b;
  b.driver.fail_call(1, fault_mode::once, out_of_memory);
  CHECK(b.cl.svm_alloc(b.context, abi::mem_read_write, 64, 64) == nullptr);
  REQUIRE(b.driver.injected());
  CHECK_FALSE(b.driver.injected()->reports);

  void* const p = b.cl.svm_alloc(b.context, abi::mem_read_write, 64, 64);
  REQUIRE(p != nullptr);
  CHECK(b.driver.live() == strings{"context (created by clCreateContext)", "queue (created by clCreateCommandQueue)",
                                   "svm (created by clSVMAlloc)"});
  b.driver.fail_call(1, fault_mode::once, out_of_memory);
  b.cl.svm_free(b.context, p);
  CHECK(b.driver.injections().size() == 2);
  CHECK(b.driver.injections().back().cleanup);
  CHECK(b.driver.injections().back().releases);
  CHECK(b.driver.live().size() == 2);
  CHECK(b.driver.bad_releases() == strings{});
  b.cl.svm_free(b.context, nullptr);
  CHECK(b.driver.bad_releases() == strings{});
  b.cl.svm_free(b.context, p);
  CHECK(b.driver.bad_releases() == strings{"clSVMFree of a dead svm (created by clSVMAlloc)"});

  void* q[2] = {b.cl.svm_alloc(b.context, abi::mem_read_write, 64, 64),
                b.cl.svm_alloc(b.context, abi::mem_read_write, 64, 64)};
  CHECK(b.cl.enqueue_svm_map(b.queue, abi::yes, abi::map_write, q[0], 64, 0, nullptr, nullptr) == 0);
  CHECK(b.driver.live().size() == 5);
  CHECK(b.cl.enqueue_svm_unmap(b.queue, q[0], 0, nullptr, nullptr) == 0);
  CHECK(b.driver.live().size() == 4);
  b.driver.fail_call(1, fault_mode::once, invalid_value);
  CHECK(b.cl.enqueue_svm_free(b.queue, 2, q, nullptr, nullptr, 0, nullptr, nullptr) == invalid_value);
  CHECK(b.driver.live().size() == 4);
  CHECK(b.cl.enqueue_svm_free(b.queue, 2, q, nullptr, nullptr, 0, nullptr, nullptr) == 0);
  CHECK(b.driver.live().size() == 2);
  b.cl.finish(b.queue);
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("a release that is made to fail still releases", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  const abi::memory x = b.buffer();
  CHECK(b.cl.retain_memory(x) == 0);
  CHECK(b.driver.live().back() == "memory (created by clCreateBuffer) x2");
  b.driver.fail_function("release_memory", 1, fault_mode::for_ever, invalid_value);

  const auto references = [&] {
    abi::uint count = 0;
    raw_opencl().get_memory_info(x, 0x1105, sizeof count, &count, nullptr);
    return count;
  };
  CHECK(references() == 2);
  CHECK(b.cl.release_memory(x) == invalid_value);
  CHECK(references() == 1);
  CHECK(b.cl.release_memory(x) == invalid_value);
  CHECK(b.driver.injected()->releases);
  CHECK(b.driver.injected()->cleanup);
  b.close();
  CHECK(b.driver.live() == strings{});
  CHECK(b.driver.bad_releases() == strings{});
}

TEST_CASE("a wait that is made to fail still waits", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  std::vector<char> host(4096, 'x');
  const abi::memory x = b.buffer();
  // The write waits for an event that another thread sets a little later, behind the interposer.
  const abi::event gate = b.cl.create_user_event(b.context, nullptr);
  abi::event done = nullptr;
  CHECK(b.cl.enqueue_write_buffer(b.queue, x, abi::no, 0, 4096, host.data(), 1, &gate, &done) == 0);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    raw_opencl().set_user_event_status(gate, 0);
  });
  b.driver.fail_call(1, fault_mode::for_ever, invalid_value);
  CHECK(b.cl.finish(b.queue) == invalid_value);
  abi::status state = untouched;
  CHECK(raw_opencl().get_event_info(done, abi::event_execution_status, sizeof state, &state, nullptr) == 0);
  CHECK(state == abi::event_complete);
  CHECK(b.cl.wait_for_events(1, &done) == invalid_value);
  opener.join();
  b.driver.disarm();
  b.cl.release_event(gate);
  b.cl.release_event(done);
  b.cl.release_memory(x);
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("faults strike once or for ever, one function or all, some or every thread", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  const auto flush = [&] { return b.cl.flush(b.queue); };

  SECTION("once") {
    b.driver.fail_call(2, fault_mode::once, invalid_value);
    CHECK(flush() == 0);
    CHECK(flush() == invalid_value);
    CHECK(flush() == 0);
  }
  SECTION("for ever") {
    b.driver.fail_call(2, fault_mode::for_ever, invalid_value);
    CHECK(flush() == 0);
    CHECK(flush() == invalid_value);
    CHECK(flush() == invalid_value);
    CHECK(b.driver.injections().size() == 2);
    b.driver.disarm();
    CHECK(flush() == 0);
    CHECK(b.driver.injected());
  }
  SECTION("one function") {
    b.driver.fail_function("finish", 2, fault_mode::once, invalid_value);
    CHECK(flush() == 0);
    CHECK(b.cl.finish(b.queue) == 0);
    CHECK(flush() == 0);
    CHECK(b.cl.finish(b.queue) == invalid_value);
  }
  SECTION("two faults") {
    b.driver.fail_call(1, fault_mode::once, invalid_value);
    b.driver.fail_call(3, fault_mode::once, out_of_memory);
    CHECK(flush() == invalid_value);
    CHECK(flush() == 0);
    CHECK(flush() == out_of_memory);
  }
  SECTION("excluded functions neither count nor fail, unless asked for by name") {
    b.driver.exclude("flush");
    b.driver.fail_call(1, fault_mode::once, invalid_value);
    CHECK(flush() == 0);
    CHECK(b.cl.finish(b.queue) == invalid_value);
    b.driver.fail_function("flush", 1, fault_mode::once, out_of_memory);
    CHECK(flush() == out_of_memory);
  }
  SECTION("this thread only") {
    b.driver.fail_call(1, fault_mode::for_ever, invalid_value, fault_scope::this_thread);
    abi::status there = untouched;
    std::thread([&] { there = flush(); }).join();
    CHECK(there == 0);
    CHECK(flush() == invalid_value);
  }
  SECTION("every thread") {
    b.driver.fail_call(1, fault_mode::once, invalid_value);
    abi::status there = untouched;
    std::thread([&] { there = flush(); }).join();
    CHECK(there == invalid_value);
    CHECK(flush() == 0);
  }
  CHECK_THROWS_AS(b.driver.fail_call(0, fault_mode::once, invalid_value), std::invalid_argument);
  CHECK_THROWS_AS(b.driver.fail_function("nothing", 1, fault_mode::once, invalid_value), std::invalid_argument);
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("the ledger finds leaks and double releases", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  const abi::memory x = b.buffer();
  // Made below the interposer while x lives, so that it cannot have x's address.
  const abi::memory foreign = raw_opencl().create_buffer(b.context, abi::mem_read_write, 64, nullptr, nullptr);
  raw_opencl().retain_memory(foreign);
  CHECK(b.driver.live() == strings{"context (created by clCreateContext)", "queue (created by clCreateCommandQueue)",
                                   "memory (created by clCreateBuffer)"});
  CHECK(b.cl.release_memory(x) == 0);
  CHECK(b.cl.release_memory(x) == -38);  // the driver does not see this one
  CHECK(b.driver.bad_releases() == strings{"clReleaseMemObject of a dead memory (created by clCreateBuffer)"});

  // Unknown, unless the test says that the program owns it now.
  CHECK(b.cl.release_memory(foreign) == 0);
  CHECK(b.driver.bad_releases().back() == "clReleaseMemObject of an unknown memory");
  b.driver.own(foreign);
  CHECK(b.cl.release_memory(foreign) == 0);
  CHECK(b.driver.bad_releases().size() == 2);
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("the ledger knows every kind of object", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  const std::size_t base = b.driver.live().size();
  const auto extra = [&] { return b.driver.live().size() - base; };

  SECTION("sub-buffers, mappings and their events") {
    const abi::memory x = b.buffer();
    const abi::buffer_region region{0, 64};
    const abi::memory part = b.cl.create_sub_buffer(x, 0, abi::buffer_create_region, &region, nullptr);
    REQUIRE(part != nullptr);
    CHECK(extra() == 2);
    abi::event mapped = nullptr;
    void* const view =
        b.cl.enqueue_map_buffer(b.queue, x, abi::yes, abi::map_write, 0, 64, 0, nullptr, &mapped, nullptr);
    REQUIRE(view != nullptr);
    CHECK(extra() == 4);
    CHECK(b.cl.enqueue_unmap_memory(b.queue, x, view, 0, nullptr, nullptr) == 0);
    CHECK(extra() == 3);
    CHECK(b.cl.enqueue_unmap_memory(b.queue, x, view, 0, nullptr, nullptr) == invalid_value);
    CHECK(b.driver.bad_releases() ==
          strings{"clEnqueueUnmapMemObject of a dead mapping (created by clEnqueueMapBuffer)"});
    CHECK(b.cl.release_event(mapped) == 0);
    CHECK(b.cl.release_memory(part) == 0);
    b.cl.finish(b.queue);
    CHECK(b.cl.release_memory(x) == 0);
    CHECK(extra() == 0);
  }
  SECTION("an unmap that fails ends the mapping, an unmap that never came does not") {
    const abi::memory x = b.buffer();
    void* const view =
        b.cl.enqueue_map_buffer(b.queue, x, abi::yes, abi::map_write, 0, 64, 0, nullptr, nullptr, nullptr);
    CHECK(extra() == 2);
    b.driver.fail_call(1, fault_mode::once, invalid_value);
    CHECK(b.cl.enqueue_unmap_memory(b.queue, x, view, 0, nullptr, nullptr) == invalid_value);
    CHECK(b.driver.injected()->cleanup);
    CHECK_FALSE(b.driver.injected()->releases);
    CHECK(extra() == 1);
    CHECK(b.cl.enqueue_unmap_memory(b.queue, x, view, 0, nullptr, nullptr) == 0);
    CHECK(extra() == 1);
    b.cl.finish(b.queue);
    b.cl.release_memory(x);
    CHECK(extra() == 0);
    CHECK(b.driver.bad_releases() == strings{});
  }
  SECTION("programs, kernels, clones, events of commands and of users") {
    const char* source = "__kernel void twice(__global int* x) { x[get_global_id(0)] *= 2; }";
    const abi::program program = b.cl.create_program_with_source(b.context, 1, &source, nullptr, nullptr);
    CHECK(extra() == 1);
    REQUIRE(b.cl.build_program(program, 1, &b.device, "", nullptr, nullptr) == 0);
    const abi::kernel kernel = b.cl.create_kernel(program, "twice", nullptr);
    CHECK(extra() == 2);
    const abi::memory x = b.buffer();
    CHECK(b.cl.set_kernel_arg(kernel, 0, sizeof x, &x) == 0);
    const std::size_t items = 4;
    abi::event launched = nullptr;
    CHECK(b.cl.enqueue_kernel(b.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &launched) == 0);
    CHECK(b.driver.live().back() == "event (created by clEnqueueNDRangeKernel)");
    CHECK(b.cl.enqueue_marker(b.queue, 0, nullptr, nullptr) == 0);
    CHECK(extra() == 4);
    const abi::event user = b.cl.create_user_event(b.context, nullptr);
    CHECK(extra() == 5);
    CHECK(b.cl.set_user_event_status(user, 0) == 0);
    CHECK(b.cl.wait_for_events(1, &launched) == 0);
    for (const abi::event event : {launched, user}) CHECK(b.cl.release_event(event) == 0);
    CHECK(b.cl.release_memory(x) == 0);
    CHECK(extra() == 2);
    // An answer of a query is not owned.
    abi::context owner = nullptr;
    CHECK(b.cl.get_queue_info(b.queue, abi::queue_context, sizeof owner, &owner, nullptr) == 0);
    CHECK(owner == b.context);
    CHECK(extra() == 2);
    CHECK(b.cl.release_kernel(kernel) == 0);
    CHECK(b.cl.release_program(program) == 0);
    CHECK(extra() == 0);
    CHECK(b.driver.bad_releases() == strings{});
  }
  SECTION("sub-devices, but not root devices") {
    CHECK(b.cl.retain_device(b.device) == 0);
    CHECK(b.cl.release_device(b.device) == 0);
    CHECK(b.cl.release_device(b.device) == 0);
    CHECK(extra() == 0);
    abi::device parts[2] = {b.device, b.device};
    // Two made-up parts: not every device can be split.
    b.driver.replace<&abi::functions::create_sub_devices>(
        [&](abi::device, const std::intptr_t*, abi::uint, abi::device* out, abi::uint* count) {
          if (out != nullptr) {
            out[0] = reinterpret_cast<abi::device>(&parts[0]);
            out[1] = reinterpret_cast<abi::device>(&parts[1]);
          }
          *count = 2;
          return abi::status{0};
        });
    b.driver.replace<&abi::functions::release_device>([](abi::device) { return abi::status{0}; });
    const std::intptr_t how[] = {abi::partition_equally, 1, 0};
    abi::uint made = 0;
    abi::device subs[2] = {};
    CHECK(b.cl.create_sub_devices(b.device, how, 0, nullptr, &made) == 0);
    CHECK(made == 2);
    CHECK(extra() == 0);
    CHECK(b.cl.create_sub_devices(b.device, how, 2, subs, nullptr) == 0);
    CHECK(extra() == 2);
    for (const abi::device sub : subs) CHECK(b.cl.release_device(sub) == 0);
    CHECK(extra() == 0);
    CHECK(b.cl.release_device(subs[0]) == -33);
    CHECK(b.driver.bad_releases() == strings{"clReleaseDevice of a dead sub-device (created by clCreateSubDevices)"});
  }
  b.close();
  CHECK(b.driver.live() == strings{});
}

TEST_CASE("a symbol can be missing, and a test can answer for the driver", "[support]") {
  YOKE_NEEDS_OPENCL();
  abi::functions old = raw_opencl();
  old.svm_alloc = nullptr;
  opencl_interposer driver(old);
  CHECK(driver.table()->svm_alloc == nullptr);
  CHECK(driver.table()->create_buffer != nullptr);
  CHECK(driver.table()->create_buffer != raw_opencl().create_buffer);
  driver.remove("create_buffer");
  CHECK(driver.table()->create_buffer == nullptr);
  driver.remove_newer_than(12);
  CHECK(driver.table()->clone_kernel == nullptr);
  CHECK(driver.table()->enqueue_marker != nullptr);
  CHECK_THROWS_AS(driver.remove("nothing"), std::invalid_argument);

  const abi::device device = raw_devices().front();
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device which, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        if (what != 0x105B) return driver.real().get_device_info(which, what, size, value, needed);
        const char text[] = "SPIR-V_9.9";
        if (value != nullptr) std::copy(std::begin(text), std::end(text), static_cast<char*>(value));
        if (needed != nullptr) *needed = sizeof text;
        return abi::status{0};
      });
  char text[256] = {};
  CHECK(driver.table()->get_device_info(device, 0x105B, sizeof text, text, nullptr) == 0);
  CHECK(std::string(text) == "SPIR-V_9.9");
  CHECK(driver.table()->get_device_info(device, 0x102B, sizeof text, text, nullptr) == 0);
  CHECK(std::string(text) != "SPIR-V_9.9");
  driver.fail_function("get_device_info", 1, fault_mode::once, invalid_value);
  CHECK(driver.table()->get_device_info(device, 0x105B, sizeof text, text, nullptr) == invalid_value);

  // Also where the driver has nothing.
  int memory = 0;
  driver.replace<&abi::functions::svm_alloc>(
      [&](abi::context, abi::ulong, std::size_t, abi::uint) { return static_cast<void*>(&memory); });
  CHECK(driver.table()->svm_alloc(nullptr, 0, 4, 0) == &memory);
  CHECK(driver.live() == strings{"svm (created by clSVMAlloc)"});
}

TEST_CASE("hooks run before the driver and before a fault", "[support]") {
  YOKE_NEEDS_OPENCL();
  bench b;
  int hooked = 0;
  b.driver.on_call("flush", [&] { ++hooked; });
  b.driver.fail_function("flush", 2, fault_mode::once, invalid_value);
  CHECK(b.cl.flush(b.queue) == 0);
  CHECK(b.cl.flush(b.queue) == invalid_value);
  CHECK(b.cl.finish(b.queue) == 0);
  CHECK(hooked == 2);
  b.driver.on_call("flush", nullptr);
  CHECK(b.cl.flush(b.queue) == 0);
  CHECK(hooked == 2);
  b.close();
}

TEST_CASE("one interposer lives at a time", "[support]") {
  YOKE_NEEDS_OPENCL();
  {
    opencl_interposer first(raw_opencl());
    CHECK_THROWS_AS(opencl_interposer(raw_opencl()), std::logic_error);
  }
  opencl_interposer second(raw_opencl());
  CHECK(second.calls().empty());
}
