// SPDX-License-Identifier: MIT
// The port that is chosen at run time gives what its backend gives, by one call more and no other.
#include <support/devices/devices.hpp>

#include <cstring>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_convertible_v<yoke::any_port::memory_handle, yoke::any_port::event_handle>);
static_assert(!std::is_convertible_v<yoke::any_port::memory_handle, void*>);
static_assert(std::is_convertible_v<ocl::port, yoke::any_port> && !std::is_convertible_v<yoke::any_port, ocl::port>);

// An event of CUDA is one point in time: what it does not know does not compile, whichever backend is chosen.
template <class Event>
concept has_four_times = requires(const Event event) { event.times(); };
static_assert(has_four_times<ocl::timed_event>);
static_assert(!has_four_times<yoke::cuda::timed_event> && !has_four_times<yoke::timed_event<>>);

namespace {

constexpr const char* source = "YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { a[get_global_id(0)] += n; }";

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
  const auto first = add.enqueue_timed(stream, {.grid = 1, .block = 4}, memory, 0);
  const auto last = add.enqueue_timed(stream, {.grid = 1, .block = 4}, memory, 0, {.after = first});
  const auto nothing = add.enqueue_timed(stream, yoke::launch_over(0), memory, 0, {.after = last});
  CHECK(last.time_since(first).count() >= 0);
  CHECK(nothing.time_since(last).count() >= 0);
  const auto loaded = yoke::load(context, module.export_binary());
  CHECK(loaded.kernel_names() == module.kernel_names());
  CHECK(add.limits().max_block >= 8);
  return host;
}

/// Returns: the device behind a port chosen at run time over the same driver.
template <class Port>
yoke::device<> chosen_at_run_time(const yoke::device<Port>& device) {
  const yoke::any_port any{device.port()};
  const auto natives = device.port().devices({});
  const auto at = std::find(natives.begin(), natives.end(), device.native_handle()) - natives.begin();
  return yoke::device<>::borrow(any, any.devices({})[static_cast<std::size_t>(at)]);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("the port chosen at run time makes the backend's driver calls and no other", "[driver]") {
  const std::vector<int> expected{16, 16, 0, 0, 6, 6, 0, 0, 16, 16, 16, 16, 6, 6, 6, 6};
  const auto calls_of = [&](auto run) {
    interposer driver(Backend::driver());
    const std::size_t mark = run(through(driver, device), driver);
    std::vector<std::string> all = driver.calls(mark);
    std::erase(all, "flush");  // only where the event waited for was not done yet
    std::erase(all, "get_event_info");
    CHECK(driver.live().empty());
    CHECK(driver.bad_releases().empty());
    return all;
  };
  const auto direct = calls_of([&](const auto& on, auto& driver) {
    const std::size_t mark = driver.mark();
    CHECK(program_over(on.port(), on.native_handle()) == expected);
    return mark;
  });
  const auto chosen = calls_of([&](const auto& on, auto& driver) {
    const yoke::device<> any = chosen_at_run_time(on);
    const std::size_t mark = driver.mark();
    CHECK(program_over(any.port(), any.native_handle()) == expected);
    return mark;
  });
  CHECK(direct == chosen);
  CHECK_FALSE(direct.empty());
}

YOKE_DEVICE_TEST_CASE("a stream chosen at run time records times if it was made with .timing, on every backend",
                      "[driver]") {
  interposer driver(Backend::driver());
  const yoke::context<> context{chosen_at_run_time(through(driver, device))};
  const yoke::stream<> timed{context, {.timing = true}}, plain{context};
  CHECK(timed.has_timing());
  CHECK_FALSE(plain.has_timing());
  yoke::device_allocation<int> memory{context, 4};
  const auto add = yoke::compile(context, source).get_kernel<void(int*, int)>("add");
  const std::size_t mark = driver.mark();
  const auto refused = [&](auto act) {
    try {
      act();
      FAIL_CHECK("was not refused");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::invalid_argument);
      CHECK_THAT(e.what(), ContainsSubstring("this stream was made without .timing: timed events need one made as "
                                             "stream{ctx, {.timing = true}}"));
    }
  };
  yoke::timed_event<> point;
  refused([&] { (void)plain.record_timed(); });
  refused([&] { plain.record_into(point); });
  refused([&] { (void)add.enqueue_timed(plain, yoke::launch_over(4, 4), memory, 1); });
  refused([&] { (void)add.enqueue_timed(plain, yoke::launch_over(0), memory, 1); });
  CHECK(driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("an event without times that passes for a timed one is refused in the same words", "[driver]") {
  const yoke::context<> context{chosen_at_run_time(device)};
  const yoke::stream<> timed{context, {.timing = true}}, plain{context};
  const yoke::timed_event<> start = timed.record_timed();
  const yoke::event<> untimed = plain.record();
  const auto pretended = yoke::timed_event<>::borrow(context, untimed.native_handle());
  CHECK_THROWS_WITH(pretended.time_since(start),
                    ContainsSubstring("the native event carries no times: it was recorded without timing"));
}

YOKE_DEVICE_TEST_CASE("the port chosen at run time passes errors on as they are", "[driver]") {
  interposer driver(Backend::driver());
  const port own{driver.table()};
  const yoke::any_port any{own};
  CHECK(any.backend_name() == std::string(Backend::name));
  CHECK(any.driver() == driver.table());
  CHECK(any.memory_is_address() == std::integral<typename port::memory_handle>);
  CHECK(any.error_code(codes::out_of_memory) == own.error_code(codes::out_of_memory));
  CHECK(any == yoke::any_port{own});
  CHECK_FALSE(any == yoke::any_port{port{}});
  const yoke::context<> context{chosen_at_run_time(through(driver, device))};
  driver.fail_function(calls::allocate, 1, fault_mode::once, codes::out_of_memory);
  unsigned line = 0;
  try {
    line = yoke::source_location::current().line() + 1;
    const yoke::device_allocation<int> memory{context, 4};
    FAIL("the failure was swallowed");
  } catch (const yoke::memory_error& e) {
    CHECK(e.call() == std::string(Backend::symbol(calls::allocate)));
    CHECK(e.code().value() == codes::out_of_memory);
    CHECK(e.where().line() == line);
  }
}

YOKE_DEVICE_TEST_CASE("wait lists of any length pass through the port chosen at run time", "[driver]") {
  const yoke::context<> context{chosen_at_run_time(device)};
  const yoke::stream<> stream{context};
  std::vector<yoke::event<>> events;
  for (int i = 0; i < 20; ++i) events.push_back(stream.record());
  stream.wait(events);
  stream.record(events).wait();
  CHECK(events.back().is_done());
}

YOKE_DEVICE_TEST_CASE("streams chosen at run time wait for events of other contexts as their backend does",
                      "[driver]") {
  interposer driver(Backend::driver());
  const yoke::any_port any{port{driver.table()}};
  const yoke::context<> context{chosen_at_run_time(through(driver, device))};
  const backend::context second = Backend::another_context(through(driver, device));
  yoke::any_port::context_handle native{};
  const auto handle = second.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  const yoke::context<> other = yoke::context<>::borrow(any, native);
  const yoke::stream<> stream{context}, foreign{other};
  const yoke::event<> own = stream.record(), theirs = foreign.record();
  CHECK(any.waits_across_contexts() == std::same_as<port, yoke::cuda::port>);
  const auto is_refused = [&](const yoke::wait_list<>& list) {
    const std::size_t mark = driver.mark();
    try {
      stream.wait(list);
      return false;
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::wrong_context);
      CHECK(driver.count_all(mark) == 0);
      return true;
    }
  };
  CHECK(is_refused(theirs) != any.waits_across_contexts());
  CHECK(is_refused({own, theirs}) != any.waits_across_contexts());
  CHECK_FALSE(is_refused({own, own}));

  // Another driver's events are none, whatever the backend.
  const yoke::stream<> stranger{yoke::context<>{chosen_at_run_time(device)}};
  const yoke::event<> unknown = stranger.record();
  CHECK(is_refused({unknown, theirs}));
  CHECK(is_refused({theirs, unknown}));
  stream.synchronize();
}

TEST_CASE("the ports at hand, and why others are not", "[driver]") {
  std::string reasons;
  const std::vector<yoke::any_port> ports = yoke::detail::available_ports(reasons);
  const auto has = [&](const std::string& name) {
    return std::any_of(ports.begin(), ports.end(), [&](const auto& each) { return each.backend_name() == name; });
  };
  CHECK(has("opencl") == ocl::available().available);
  CHECK(has("cuda") == yoke::cuda::available().available);
  CHECK(((has("opencl") && has("cuda")) || !reasons.empty()));
}
