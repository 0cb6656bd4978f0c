// SPDX-License-Identifier: MIT
// The port that is chosen at run time gives what its backend gives, by one call more and no other.
#include <support/devices.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_convertible_v<yoke::any_port::memory_handle, yoke::any_port::event_handle>);
static_assert(!std::is_convertible_v<yoke::any_port::memory_handle, void*>);
static_assert(std::is_convertible_v<ocl::port, yoke::any_port> && !std::is_convertible_v<yoke::any_port, ocl::port>);

namespace {

constexpr const char* source = "__kernel void add(__global int* a, int n) { a[get_global_id(0)] += n; }";

/// What a program of handles, copies and launches does, on any port.
template <class Port>
std::vector<int> program_over(const Port& port, typename Port::device_handle native) {
  const yoke::context<Port> context{yoke::device<Port>::borrow(port, native)};
  const yoke::stream<Port> stream{context, {.timing = true}}, second{context};
  yoke::device_allocation<int, Port> memory{context, 8}, other{context, 8, stream};
  yoke::pagelocked_array<int, Port> locked{context, 8};
  yoke::fill(memory, 1, stream);
  const auto module = yoke::compile(context, source);
  const auto add = yoke::get_kernel<void(int*, int)>(module, "add");
  add(stream, {.grid = 2, .block = 4}, memory, 5);
  yoke::copy(memory, other, stream);
  const yoke::event<Port> point = stream.record();
  second.wait(point);
  const auto done = add.enqueue(second, {.grid = 1, .block = 4}, other, 10, {.after = point});
  done.wait();
  yoke::copy_async(other, locked, second).wait();
  std::vector<int> host(8, 0);
  yoke::copy(yoke::strided(other, {.width = 2, .height = 2, .row_pitch = 4}),
             yoke::strided(host, {.width = 2, .height = 2, .row_pitch = 4}), second);
  host.insert(host.end(), locked.begin(), locked.end());
  const auto start = stream.record_timed();
  CHECK(stream.record_timed().time_since(start).count() >= 0);
  const auto loaded = yoke::load(context, module.export_binary());
  CHECK(loaded.kernel_names() == module.kernel_names());
  CHECK(add.limits().max_block >= 8);
  return host;
}

}  // namespace

YOKE_OPENCL_TEST_CASE("the port chosen at run time makes the backend's driver calls and no other", "[driver]") {
  const std::vector<int> expected{16, 16, 0, 0, 6, 6, 0, 0, 16, 16, 16, 16, 6, 6, 6, 6};
  std::vector<std::string> direct, chosen;
  {
    opencl_interposer driver(raw_opencl());
    CHECK(program_over(ocl::port{driver.table()}, device.native_handle()) == expected);
    direct = driver.calls();
    CHECK(driver.live().empty());
  }
  {
    opencl_interposer driver(raw_opencl());
    yoke::any_port::device_handle native;
    native.value = device.native_handle();
    CHECK(program_over(yoke::any_port{ocl::port{driver.table()}}, native) == expected);
    chosen = driver.calls();
    CHECK(driver.live().empty());
    CHECK(driver.bad_releases().empty());
  }
  for (auto* calls : {&direct, &chosen}) {
    // Only where the event waited for was not done yet.
    std::erase(*calls, "flush");
    std::erase(*calls, "get_event_info");
  }
  CHECK(direct == chosen);
}

YOKE_OPENCL_TEST_CASE("the port chosen at run time passes errors on as they are", "[driver]") {
  opencl_interposer driver(raw_opencl());
  const ocl::port own{driver.table()};
  const yoke::any_port any{own};
  CHECK(any.backend_name() == std::string("opencl"));
  CHECK(any.driver() == driver.table());
  CHECK(any.error_code(-4) == own.error_code(-4));
  CHECK(any == yoke::any_port{own});
  CHECK_FALSE(any == yoke::any_port{ocl::port{}});
  yoke::any_port::device_handle native;
  native.value = device.native_handle();
  const yoke::context<> context{yoke::device<>::borrow(any, native)};
  driver.fail_function("create_buffer", 1, fault_mode::once, -4);
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    const yoke::device_allocation<int> memory{context, 4};
    FAIL("the failure was swallowed");
  } catch (const yoke::memory_error& e) {
    CHECK(e.call() == std::string("clCreateBuffer"));
    CHECK(e.code().value() == -4);
    CHECK(e.where().line() == line);
  }
}

YOKE_OPENCL_TEST_CASE("wait lists of any length pass through the port chosen at run time", "[driver]") {
  const yoke::any_port any{ocl::port{}};
  yoke::any_port::device_handle native;
  native.value = device.native_handle();
  const yoke::context<> context{yoke::device<>::borrow(any, native)};
  const yoke::stream<> stream{context};
  std::vector<yoke::event<>> events;
  for (int i = 0; i < 20; ++i) events.push_back(stream.record());
  stream.wait(events);
  stream.record(events).wait();
  CHECK(events.back().is_done());
}

TEST_CASE("the ports at hand, and why others are not", "[driver]") {
  std::string reasons;
  const std::vector<yoke::any_port> ports = yoke::detail::available_ports(reasons);
  const bool has_opencl = std::any_of(ports.begin(), ports.end(), [](const yoke::any_port& each) {
    return each.backend_name() == std::string("opencl");
  });
  CHECK(has_opencl == ocl::available().available);
  CHECK((has_opencl || !reasons.empty()));
}
