// SPDX-License-Identifier: MIT
// Memory and events that two processes share, and events that sleep.
#include <cuda/cuda_rig.hpp>
#include <support/process/child.hpp>
#include <support/process/sent_bytes.hpp>
#include <yoke/array.hpp>

#include <cstdlib>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using yoke::errc;

YOKE_CUDA_TEST_CASE("another process uses memory and an event of this one", "[cuda][ipc][processes]") {
  const std::string name = current_test_name();
  const cu::context context{device};
  const cu::stream stream{context};
  if (is_child(name)) {
    const auto memory = sent_by<cu::ipc_memory>("YOKE_TEST_IPC_MEMORY");
    const auto handle = sent_by<cu::ipc_event>("YOKE_TEST_IPC_EVENT");
    const auto wrong = [&] { (void)cu::imported_memory<double>(context, memory); };
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, wrong),
               ContainsSubstring("the shared memory holds elements of 4 bytes, not of 8"));
    const auto changed = [&](auto&& change) {
      cu::ipc_memory other = memory;
      change(other);
      return cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::imported_memory<int>(context, other); });
    };
    CHECK_THAT(changed([](cu::ipc_memory& m) { m.size = 1U << 28; }), ContainsSubstring(" bytes in a block of "));
    CHECK_THAT(changed([](cu::ipc_memory& m) { m.offset_bytes = 1U << 30; }),
               ContainsSubstring(" bytes in a block of "));
    CHECK_THAT(changed([](cu::ipc_memory& m) { m.offset_bytes += 1; }), ContainsSubstring("no bytes of `share`"));
    CHECK_THAT(changed([](cu::ipc_memory& m) { m.size = ~std::uint64_t{0} / 4; }),
               ContainsSubstring("no bytes of `share`"));
    if (is_simulated(device)) {  // what drivers do with a block that is gone is not defined
      const auto freed = sent_by<cu::ipc_memory>("YOKE_TEST_IPC_FREED");
      CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                                 [&] { (void)cu::imported_memory<int>(context, freed); }),
                 ContainsSubstring("its process must keep the memory") &&
                     ContainsSubstring("device must be the memory's or connected to it"));
    }
    const cu::event written = cu::open_event(context, handle);
    stream.wait(written);
    cu::imported_memory<int> imported{context, memory};
    CHECK(imported.size() == 1000);
    auto values = yoke::to_host(imported.span(), stream);
    REQUIRE(values.size() == 1000);
    CHECK(values[0] == 7);
    CHECK(values[999] == 7);
    yoke::fill(imported.span(), 8, stream);
    stream.synchronize();
    imported.reset();
    CHECK_FALSE(imported);
    return;
  }
  const cu::device_allocation<int> shared{context, 1000};
  if (!shares_plain_memory(device)) {  // its blocks lie beside each other
    CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::share(shared); }),
               ContainsSubstring("cannot be opened by other processes"));
    return;
  }
  yoke::fill(const_cast<cu::device_allocation<int>&>(shared), 7, stream);
  const cu::ipc_memory freed = cu::share(cu::device_allocation<int>(context, 1000));
  const cu::ipc_memory memory = cu::share(shared);
  CHECK(memory.size == 1000);
  CHECK(memory.element_bytes == 4);
  cu::event written = cu::create_event(context, {.interprocess = true});
  stream.record_into(written);
  const cu::ipc_event handle = cu::share(written);
  CHECK_THAT(
      cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::imported_memory<int>(context, memory); }),
      ContainsSubstring("memory of this process cannot be opened in it"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::open_event(context, handle); }),
             ContainsSubstring("an event of this process cannot be opened in it"));
  const child_result child = run_child(name, {{"YOKE_TEST_IPC_MEMORY", hex(memory)},
                                              {"YOKE_TEST_IPC_EVENT", hex(handle)},
                                              {"YOKE_TEST_IPC_FREED", hex(freed)}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(yoke::to_host(shared, stream) == std::vector<int>(1000, 8));
}

YOKE_CUDA_TEST_CASE("another process sees an array in its shape", "[cuda][ipc][processes][array]") {
  const std::string name = current_test_name();
  const cu::context context{device};
  const cu::stream stream{context};
  if (is_child(name)) {
    const auto whole = sent_by<cu::ipc_memory>("YOKE_TEST_IPC_ARRAY");
    const auto part = sent_by<cu::ipc_memory>("YOKE_TEST_IPC_PART");
    const auto plain = sent_by<cu::ipc_memory>("YOKE_TEST_IPC_PLAIN");
    const cu::imported_memory<int> imported{context, whole};
    auto a = imported.view<2>(stream);
    static_assert(std::is_same_v<decltype(a), yoke::device_view<int, 2, cu::port>>);
    CHECK(a.shape() == yoke::shape<2>{3, 4});
    CHECK(a.to_host() == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::size_mismatch, [&] { (void)imported.view<1>(stream); }),
               ContainsSubstring("the shared array has 2 axes, not 1"));
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                               [&] { (void)cu::imported_memory<int>(context, plain).view<1>(stream); }),
               ContainsSubstring("the shared memory has no shape"));
    const auto refused = [&](auto&& change) {
      cu::ipc_memory other = whole;
      change(other);
      return cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::imported_memory<int>(context, other).view<2>(stream); });
    };
    CHECK_THAT(refused([](cu::ipc_memory& m) { m.extents[0] = 4; }),
               ContainsSubstring("the shape of the shared array leaves its 12 elements"));
    CHECK_THAT(refused([](cu::ipc_memory& m) { m.strides[0] = -20; }), ContainsSubstring("no bytes of `share`"));
    CHECK_THAT(refused([](cu::ipc_memory& m) { m.extents[1] = ~std::uint64_t{0}; }),
               ContainsSubstring("no bytes of `share`"));
    {
      const cu::imported_memory<int> some{context, part};
      auto backwards = some.view<2>(stream);
      CHECK(backwards.shape() == yoke::shape<2>{2, 2});
      CHECK(backwards.to_host() == std::vector<int>{11, 9, 7, 5});
      backwards *= 10;
    }
    a(0) = -1;
    stream.synchronize();
    return;
  }
  const cu::device_allocation<int> memory{context, 12};
  if (!shares_plain_memory(device)) {
    CHECK_THROWS_AS(cu::share(memory), yoke::unsupported_error);
    return;
  }
  yoke::device_array<int, 2, cu::port> a{cu::device_allocation<int>{context, 12}, yoke::shape{3, 4}, stream};
  a = yoke::arange<int>(12, stream).reshape({3, 4});
  stream.synchronize();
  const cu::ipc_memory whole = cu::share(a);
  CHECK(whole.axes == 2);
  CHECK((whole.extents[0] == 3 && whole.extents[1] == 4 && whole.strides[0] == 16 && whole.strides[1] == 4));
  const cu::ipc_memory part = cu::share(a(yoke::slice(2, 0, -1), yoke::slice(3, yoke::none, -2)));
  const child_result child = run_child(name, {{"YOKE_TEST_IPC_ARRAY", hex(whole)},
                                              {"YOKE_TEST_IPC_PART", hex(part)},
                                              {"YOKE_TEST_IPC_PLAIN", hex(cu::share(memory))}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(a.to_host() == std::vector<int>{-1, -1, -1, -1, 4, 50, 6, 70, 8, 90, 10, 110});
  const yoke::device_array ordered{cu::device_allocation<int>{context, 3, stream}, yoke::shape{3}, stream};
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::share(ordered); }),
             ContainsSubstring("make it without a stream and without a pool"));
}

YOKE_CUDA_TEST_CASE("memory of a stream's order and of no elements is not shared", "[cuda][ipc]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::device_allocation<int> ordered{context, 10, stream};
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::share(ordered); }),
             ContainsSubstring("make it without a stream and without a pool"));
  const cu::device_allocation<int> none{context, 0};
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::share(none); }),
             ContainsSubstring("memory of no elements"));
  const cu::device_allocation<int> empty;
  CHECK_THROWS_AS(cu::share(empty), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("bytes that are no handle, and an event that is not for others, are refused in words",
                    "[cuda][ipc]") {
  const cu::context context{device};
  const auto said = [](auto&& act) {
    try {
      act();
    } catch (const yoke::error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  cu::ipc_memory memory{};
  memory.element_bytes = 4;
  memory.size = 10;
  CHECK_THAT(said([&] { (void)cu::imported_memory<int>(context, memory); }),
             ContainsSubstring("memory of another process cannot be opened") && ContainsSubstring("of `share`"));
  CHECK_THAT(said([&] { (void)cu::open_event(context, cu::ipc_event{}); }),
             ContainsSubstring("an event of another process cannot be opened") && ContainsSubstring("of `share`"));
  CHECK_THAT(said([&] { (void)cu::share(cu::create_event(context)); }),
             ContainsSubstring("cannot be opened by other processes") && ContainsSubstring(".interprocess = true"));
}

YOKE_CUDA_TEST_CASE("an event is made to sleep or to be shared, and has no times", "[cuda]") {
  cuda_rig on(device);
  for (const bool blocking : {false, true}) {
    cu::event event = cu::create_event(on.context, {.blocking = blocking});
    CHECK(event.is_done());
    cu::device_allocation<int> x{on.context, 1000};
    yoke::fill(x, 4, on.stream);
    on.stream.record_into(event);
    event.wait();
    CHECK(event.is_done());
    CHECK(on.stream.is_done());
  }
  const std::vector<std::string> calls = on.driver.calls();
  static_assert(!std::is_same_v<cu::event, cu::timed_event>);
  CHECK(std::count(calls.begin(), calls.end(), std::string("event_create")) == 2);
}
