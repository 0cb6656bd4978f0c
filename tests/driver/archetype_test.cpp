// SPDX-License-Identifier: MIT
// All generic code over the archetype port: whatever it needs beyond the concepts does not compile.
#include <support/catch.hpp>
#include <support/drivers/archetype_port.hpp>

#include <yoke/execution/execution.hpp>
#include <yoke/memory/memory.hpp>
#include <yoke/program/program.hpp>

#include <atomic>
#include <numeric>

using yoke_test::archetype_driver;
using archetype = yoke_test::archetype_port;
using ordered_port = yoke_test::out_of_order_archetype_port;
using signature = void(float*, const float*, yoke::local<int>, yoke::constant<float>, int, float);

// Every member function, also those no test calls.
template class yoke::device<archetype>;
#if !defined(__clang__) || __clang_major__ >= 16  // older ones instantiate the constructor whose constraint fails
template class yoke::context<archetype>;
#endif
template class yoke::stream<archetype>;
template class yoke::event<archetype>;
template class yoke::timed_event<archetype>;
template class yoke::wait_list<archetype>;
template class yoke::transfer<archetype>;
template class yoke::copy_list<archetype>;
template class yoke::module<archetype>;
template class yoke::kernel<signature, archetype>;
template class yoke::device_allocation<float, archetype>;
template class yoke::device_span<float, archetype>;
template class yoke::device_span<const float, archetype>;
template class yoke::pagelocked_array<float, archetype>;
template class yoke::out_of_order_stream<ordered_port>;
template class yoke::stream<ordered_port>;

namespace {

struct fixture {
  archetype_driver driver;
  yoke::context<archetype> context{yoke::device<archetype>{archetype{driver}, 0}};
  yoke::stream<archetype> stream{context, {.timing = true}};
};

std::vector<float> counting(std::size_t n) {
  std::vector<float> list(n);
  std::iota(list.begin(), list.end(), 1.0f);
  return list;
}

}  // namespace

TEST_CASE("the archetype's devices, contexts, streams and events", "[driver]") {
  archetype_driver driver;
  {
    const archetype with{driver};
    const yoke::device<archetype> first{with, 0}, second{with, 1};
    CHECK(second.name() == "archetype 2");
    CHECK_FALSE(first == second);
    CHECK_THROWS_AS((yoke::device<archetype>{with, 2}), yoke::logic_error);
    CHECK(yoke::detail::select_from(with, "archetype 2", {}).front() == second);
    const yoke::context<archetype> context{std::vector{first, second}};
    const yoke::stream<archetype> stream{context, second, {.timing = true}};
    const yoke::stream other{context, first};
    CHECK(stream.device_of() == second);
    const yoke::event<archetype> point = stream.record();
    const yoke::timed_event<archetype> start = stream.record_timed();
    other.wait({point, start});
    const yoke::event<archetype> both = other.record({point, start});
    CHECK(both.is_done());
    CHECK(stream.record_timed().time_since(start) == std::chrono::nanoseconds{7});
    CHECK(start.times().ended == std::chrono::nanoseconds{0});
    CHECK(stream.is_done());
    stream.synchronize();
    std::atomic<int> called{0};
    both.on_complete([&](yoke::event_status) { ++called; });
    while (called == 0) {
    }
    with.retain_device(first.native_handle(), {});
    const auto sub = yoke::device<archetype>::adopt(with, first.native_handle());
    const auto borrowed = yoke::context<archetype>::borrow(with, context.native_handle());
    CHECK(borrowed == context);
    CHECK(driver.count("wait_in_stream") == 1);
  }
  CHECK(driver.alive() == 0);
}

TEST_CASE("the archetype's memory, in every direction and shape", "[driver]") {
  fixture f;
  {
    const std::vector<float> host = counting(24);
    yoke::device_allocation<float, archetype> plain{f.context, 24}, ordered{f.context, 24, f.stream};
    yoke::pagelocked_array<float, archetype> locked{f.context, 24};
    std::vector<float> back(24);
    yoke::copy(host, plain, f.stream);
    yoke::copy(plain, ordered, f.stream);
    yoke::copy(ordered, locked, f.stream);
    yoke::copy(locked, plain.span(), f.stream);
    yoke::copy(std::as_const(plain).span(), back, f.stream);
    CHECK(back == host);
    yoke::copy_async(locked, ordered, f.stream).wait();
    yoke::copy_async(ordered, plain, f.stream).detach();
    yoke::copy_list list{f.context};
    list.add(locked, ordered);
    list.add(ordered, plain);
    CHECK(list.size() == 2);
    yoke::enqueue_copy(list, f.stream);
    yoke::copy(list, f.stream);
    yoke::copy_async(list, f.stream).wait();
    yoke::set_staging(f.context,
                      {.from_bytes = 1, .block_bytes = 16, .threads = 2});  // the backend does not ask for it
    yoke::copy(host, plain, f.stream);
    const yoke::transfer<archetype> in_flight = yoke::copy_async(plain.subspan(0, 24), locked, f.stream);
    CHECK(in_flight.is_done());
  }
  CHECK(f.driver.alive() == 2);  // the context and the stream
}

TEST_CASE("the archetype's strided copies and fills", "[driver]") {
  fixture f;
  std::vector<float> host = counting(24), back(24, 0.0f);
  yoke::device_allocation<float, archetype> a{f.context, 24}, b{f.context, 24};
  yoke::fill(a, 9.0f, f.stream);
  yoke::fill(b, 0.0f, f.stream);
  const yoke::box_layout box{.width = 2, .height = 2, .depth = 2, .row_pitch = 4, .slice_pitch = 12, .offset = 1};
  yoke::copy(yoke::strided(host, box), yoke::strided(a, box), f.stream);
  yoke::copy(yoke::strided(a, box), yoke::strided(b, box), f.stream);
  yoke::copy(yoke::strided(b, box), yoke::strided(back, box), f.stream);
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t x = i % 4, y = i / 4 % 3;
    const bool inside = x >= 1 && x <= 2 && y <= 1;
    CHECK(back[i] == (inside ? host[i] : 0.0f));
  }
  yoke::fill(yoke::strided(a, box), -1.0f, f.stream);
  yoke::copy(a, back, f.stream);
  CHECK(std::count(back.begin(), back.end(), -1.0f) == 8);
  CHECK(std::count(back.begin(), back.end(), 9.0f) == 16);
  auto made = yoke::to_device(host, f.stream);
  made.record_use(yoke::stream<archetype>{f.context});
  CHECK(made.size() == 24);
}

TEST_CASE("the archetype's modules and kernels, with every kind of parameter", "[driver]") {
  using enum yoke::argument_kind;
  fixture f;
  {
    const auto module = yoke::compile(f.context, "source", {.defines = {{"N", 4}}});
    CHECK(module.kernel_names() == std::vector<std::string>{"k"});
    CHECK(module.build_log() == "log");
    const auto again = yoke::load(f.context, module.export_binary());
    const auto third = yoke::load_intermediate(f.context, module.export_binary());
    const auto kernel = yoke::get_kernel<signature>(module, "k");
    CHECK(kernel.checked() == yoke::signature_check::names);
    CHECK(kernel.limits().max_block == 32);
    yoke::device_allocation<float, archetype> a{f.context, 4};
    const yoke::device_allocation<float, archetype> b{f.context, 4};
    std::vector<float> host(4);
    kernel(f.stream, {.grid = 1, .block = 4}, a, b, yoke::local<int>(4), b, 7, 1.5f);
    CHECK(f.driver.argument_kinds == std::vector{memory, memory, local, memory, value, value});
    kernel(f.stream, yoke::launch_over(4, 4), yoke::in_out(host), yoke::in(host), yoke::local<int>(0), a.span(), 7u, 1);
    kernel(f.stream, yoke::launch_over(4, 4), yoke::out(host), nullptr, yoke::local<int>(1), nullptr, 7, 1.5f);
    const auto first = kernel.enqueue(f.stream, {.grid = 1, .block = 4}, a, b, yoke::local<int>(1), b, 1, 1.0f);
    const auto second =
        kernel.enqueue(f.stream, {.grid = 1, .block = 4}, a, b, yoke::local<int>(1), b, 1, 1.0f, {.after = first});
    CHECK(f.driver.waited_for == 1);
    CHECK(f.driver.launches == 5);
    (void)kernel.enqueue(f.stream, yoke::launch_over(0), a, b, yoke::local<int>(1), b, 1, 1.0f,
                         {.after = {first, second}});
    CHECK(f.driver.launches == 5);
    CHECK_THROWS_AS(kernel(f.stream, {.grid = 0, .block = 4}, a, b, yoke::local<int>(1), b, 1, 1.0f),
                    yoke::launch_error);
    f.driver.describes_kernels = false;
    CHECK(module.get_kernel<signature>("k").checked() == yoke::signature_check::sizes);
  }
  CHECK(f.driver.alive() == 2);
}

TEST_CASE("the archetype with out-of-order streams", "[driver]") {
  archetype_driver driver;
  {
    const yoke::context<ordered_port> context{yoke::device<ordered_port>{ordered_port{driver}, 0}};
    const yoke::out_of_order_stream<ordered_port> stream{context};
    const yoke::event<ordered_port> point = stream.record();
    const yoke::event<ordered_port> all = stream.barrier({point});
    CHECK(all.is_done());
    const auto kernel = yoke::compile(context, "source").get_kernel<signature>("k");
    (void)kernel.enqueue(stream, {.grid = 1, .block = 4}, nullptr, nullptr, yoke::local<int>(1), nullptr, 1, 1.0f,
                         {.after = all});
    CHECK(driver.launches == 1);
    const auto adopted = yoke::stream<ordered_port>::borrow(context, stream.native_handle());
    CHECK(adopted.native_handle() == stream.native_handle());
  }
  CHECK(driver.alive() == 0);
}
