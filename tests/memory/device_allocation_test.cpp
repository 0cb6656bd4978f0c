// SPDX-License-Identifier: MIT
// Owners of device memory: sizes, ownership, order, and what they cost in driver calls.
#include <support/rig.hpp>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<ocl::device_allocation<int>>);
static_assert(!std::is_copy_assignable_v<ocl::device_allocation<int>>);
static_assert(std::is_nothrow_move_constructible_v<ocl::device_allocation<int>>);
static_assert(std::is_nothrow_move_assignable_v<ocl::device_allocation<int>>);

YOKE_DEVICE_TEST_CASE("an allocation takes its size as any integer", "[memory]") {
  rig on(device);
  const auto size_of = [&](auto count) { return backend::device_allocation<int>{on.context, count}.size(); };
  CHECK(size_of(static_cast<signed char>(5)) == 5);
  CHECK(size_of(static_cast<unsigned char>(200)) == 200);
  CHECK(size_of(short{7}) == 7);
  CHECK(size_of(static_cast<unsigned short>(7)) == 7);
  CHECK(size_of(7) == 7);
  CHECK(size_of(7U) == 7);
  CHECK(size_of(7L) == 7);
  CHECK(size_of(7UL) == 7);
  CHECK(size_of(7LL) == 7);
  const backend::device_allocation<double> doubles{on.context, 12};
  CHECK(doubles.size_bytes() == 96);
  CHECK(Backend::bytes_of(doubles.native_handle()) == 96);
  CHECK(doubles.context_of() == on.context);
}

YOKE_DEVICE_TEST_CASE("a size that cannot be is refused before the driver is asked", "[memory]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](auto count) {
    const std::string plain = refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] {
      backend::device_allocation<int>{on.context, count};
    });
    const std::string ordered = refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] {
      backend::device_allocation<int>{on.context, count, on.stream};
    });
    CHECK(plain.substr(0, plain.find(" (at")) == ordered.substr(0, ordered.find(" (at")));
    return plain;
  };
  CHECK_THAT(refused(-1), ContainsSubstring("element count is -1"));
  CHECK_THAT(refused(std::int64_t{-1} << 62), ContainsSubstring("element count is -4611686018427387904"));
  CHECK_THAT(refused(~std::size_t{0}), ContainsSubstring("times 4 bytes exceeds the address space"));
  CHECK_THAT(refused(std::size_t{1} << 61), ContainsSubstring("element count 2305843009213693952 times 4 bytes"));
  CHECK_THAT(refused(-1), ContainsSubstring("device_allocation_test.cpp:"));
  CHECK(on.driver.count(calls::allocate, mark) + on.driver.count(calls::allocate_ordered, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a driver without memory is a memory error with the bytes", "[memory]") {
  rig on(device);
  const auto refused = [&](const char* call, auto allocate) {
    on.driver.fail_function(call, 1, fault_mode::once, codes::out_of_memory);
    CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory, allocate),
               ContainsSubstring("device allocation of 8000 bytes") && ContainsSubstring(Backend::symbol(call)));
    on.driver.disarm();
  };
  refused(calls::allocate, [&] { backend::device_allocation<double>{on.context, 1000}; });
  refused(calls::allocate_ordered, [&] { backend::device_allocation<double>{on.context, 1000, on.stream}; });
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("no elements cost no driver call", "[memory]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  {
    backend::device_allocation<float> nothing{on.context, 0};
    CHECK(nothing.empty());
    CHECK(nothing.native_handle() == native_memory{});
    CHECK_FALSE(static_cast<bool>(nothing));
    CHECK(nothing.span().empty());
    CHECK(nothing.subspan(0, 0).empty());
    std::vector<float> host;
    yoke::copy(nothing, host, on.stream);
    yoke::copy(host, nothing, on.stream);
    yoke::fill(nothing, 1.0F, on.stream);
    backend::device_allocation<float> moved = std::move(nothing);
    moved.reset();
  }
  CHECK(on.driver.count_all(mark) == 0);
  {
    const backend::device_allocation<float> ordered{on.context, 0, on.stream};  // keeps the stream's native queue
    CHECK(ordered.empty());
  }
  CHECK(on.driver.count(calls::allocate_ordered, mark) == 0);
  CHECK(on.enqueued(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("an allocation is released once, whoever holds it", "[memory]") {
  rig on(device);
  {
    backend::device_allocation<int> a{on.context, 8};
    const native_memory native = a.native_handle();
    backend::device_allocation<int> b = std::move(a);
    CHECK(b.native_handle() == native);
    CHECK(b.size() == 8);
    CHECK(a.size() == 0);
    CHECK(a.native_handle() == native_memory{});

    backend::device_allocation<int> c{on.context, 3};
    const std::size_t mark = on.driver.mark();
    c = std::move(b);  // releases its own first
    CHECK(on.driver.count(calls::free, mark) == 1);
    CHECK(c.native_handle() == native);
    CHECK(c.size() == 8);
    auto& self = c;
    c = std::move(self);
    CHECK(c.native_handle() == native);

    backend::device_allocation<int> d{on.context, 5, on.stream};
    const native_memory other = d.native_handle();
    swap(c, d);
    CHECK(c.native_handle() == other);
    CHECK(c.size() == 5);
    CHECK(d.size() == 8);
    c.swap(d);
    CHECK(c.native_handle() == native);
    c.reset();
    CHECK(c.size() == 0);
    CHECK_FALSE(static_cast<bool>(c));
    c.reset();
    CHECK(on.live().size() == 1);
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("an allocation that was moved from or released says so", "[memory]") {
  rig on(device);
  backend::device_allocation<int> source{on.context, 4};
  backend::device_allocation<int> target = std::move(source);
  std::vector<int> host(0);
  const std::size_t mark = on.driver.mark();
  const auto says_empty = [&](auto act) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, act), ContainsSubstring("is empty (moved from"));
  };
  says_empty([&] { (void)source.span(); });
  says_empty([&] { (void)source.subspan(0, 0); });
  says_empty([&] { source.record_use(on.stream); });
  says_empty([&] { yoke::copy(source, host, on.stream); });
  says_empty([&] { yoke::copy(host, source, on.stream); });
  says_empty([&] { yoke::fill(source, 1, on.stream); });
  says_empty([] { backend::device_allocation<int>{backend::context::none(), 1}; });
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("stream-ordered memory that was released is adopted with a stream", "[memory]") {
  rig on(device);
  {
    backend::device_allocation<int> made{on.context, 16, on.stream};
    yoke::fill(made, 7, on.stream);
    const native_memory native = made.release();
    CHECK(on.live().size() == 1);
    refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] {
      (void)backend::device_allocation<int>::adopt(on.context, native, 17, on.stream);
    });
    refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
      (void)backend::device_allocation<int>::adopt(on.context, native, 16, backend::stream{});
    });
    const backend::context elsewhere = Backend::another_context(on.device);
    const backend::stream theirs{elsewhere};
    refusal<yoke::logic_error>(yoke::errc::wrong_context,
                               [&] { (void)backend::device_allocation<int>::adopt(on.context, native, 16, theirs); });
    auto adopted = backend::device_allocation<int>::adopt(on.context, native, 16, on.stream);
    CHECK(adopted.size() == 16);
    CHECK(adopted.release() == native);
    adopted = backend::device_allocation<int>::adopt(on.context, native, 16, on.stream);
    CHECK(download(adopted, on.stream) == std::vector<int>(16, 7));
  }
  on.stream.synchronize();
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("native memory is adopted, borrowed and given up", "[memory]") {
  rig on(device);
  const native_memory native = backend::device_allocation<int>{on.context, 16}.release();
  {
    auto borrowed = backend::device_allocation<int>::borrow(on.context, native, 16);
    CHECK(borrowed.size() == 16);
    yoke::fill(borrowed, 7, on.stream);
  }
  CHECK(on.live().size() == 1);
  SECTION("released by its adopter") {
    auto adopted = backend::device_allocation<int>::adopt(on.context, native, 16);
    CHECK(download(adopted, on.stream) == std::vector<int>(16, 7));
  }
  SECTION("given up and released by hand") {
    auto adopted = backend::device_allocation<int>::adopt(on.context, native, 10);
    CHECK(adopted.size() == 10);
    CHECK(adopted.release() == native);
    CHECK(adopted.size() == 0);
    CHECK_FALSE(static_cast<bool>(adopted));
    CHECK(on.live().size() == 1);
    CHECK(Backend::free(*on.driver.table(), native));
  }
  SECTION("refused where it is too small, null or a count is wrong; then it stays the caller's") {
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                   [&] { (void)backend::device_allocation<int>::adopt(on.context, native, 17); }),
        ContainsSubstring("native memory of 64 bytes cannot hold 17 elements of 4 bytes"));
    refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                               [&] { (void)backend::device_allocation<double>::borrow(on.context, native, 9); });
    refusal<yoke::logic_error>(yoke::errc::out_of_range,
                               [&] { (void)backend::device_allocation<int>::adopt(on.context, native, -1); });
    CHECK_THAT(refusal<yoke::logic_error>(
                   yoke::errc::invalid_argument,
                   [&] { (void)backend::device_allocation<int>::adopt(on.context, native_memory{}, 1); }),
               ContainsSubstring("the native memory is null"));
    CHECK(on.live().size() == 1);
    const backend::context elsewhere = Backend::another_context(on.device);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                          [&] { (void)backend::device_allocation<int>::borrow(elsewhere, native, 1); }),
               ContainsSubstring("the native memory " + native_text(native) + " is of another context"));
    CHECK(Backend::free(*on.driver.table(), native));
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("an ordered allocation keeps its stream and the streams that use it alive", "[memory]") {
  rig on(device);
  const std::size_t before = on.alive();
  {
    backend::device_allocation<int> ordered;
    {
      const backend::stream first(on.context);
      const backend::stream second(on.context);
      ordered = backend::device_allocation<int>{on.context, 16, first};
      yoke::fill(ordered, 3, first);
      second.wait(first.record());
      yoke::fill(ordered, 4, second);
      ordered.record_use(second);
      ordered.record_use(second);  // once is enough
      ordered.record_use(first);   // its own order
      second.synchronize();
    }
    CHECK(on.alive() == before + 3);  // the memory and both streams
    CHECK(download(ordered, on.stream) == std::vector<int>(16, 4));
  }
  CHECK(on.alive() == before);
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a plain allocation has no use to record", "[memory]") {
  rig on(device);
  backend::device_allocation<int> plain{on.context, 16};
  const std::size_t before = on.alive();
  {
    const backend::stream second(on.context);
    yoke::fill(plain, 4, second);
    const std::size_t mark = on.driver.mark();
    plain.record_use(second);
    CHECK(on.driver.count_all(mark) == 0);
    second.synchronize();
  }
  CHECK(on.alive() == before);  // it keeps no stream
  CHECK(download(plain, on.stream) == std::vector<int>(16, 4));
  const backend::context elsewhere = Backend::another_context(on.device);
  const backend::stream foreign(elsewhere);
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { plain.record_use(foreign); });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { plain.record_use(backend::stream{}); });
}

YOKE_DEVICE_TEST_CASE("memory of another stream's order is freed behind every recorded use", "[memory]") {
  const backend::context context{device};
  const backend::stream first{context}, second{context};
  std::vector<int> host(1 << 20);
  for (int i = 0; i < 20; ++i) {
    backend::device_allocation<int> memory{context, host.size(), first};
    yoke::fill(memory, i, first);
    second.wait(first.record());
    memory.record_use(second);
    yoke::copy(memory, host, second);
    CHECK(host.back() == i);
  }
}

YOKE_DEVICE_TEST_CASE("an allocation knows streams and contexts that are not its own", "[memory]") {
  rig on(device);
  const backend::context other = Backend::another_context(on.device);
  const backend::stream foreign(other);
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] {
    backend::device_allocation<int>{on.context, 4, foreign};
  });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
    backend::device_allocation<int>{on.context, 4, backend::stream{}};
  });
  backend::device_allocation<int> mine{on.context, 4};
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { mine.record_use(foreign); });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { mine.record_use(backend::stream{}); });
}

YOKE_DEVICE_TEST_CASE("an allocation outlives its context's and stream's handles", "[memory]") {
  interposer driver(Backend::driver());
  {
    backend::device_allocation<int> memory;
    {
      const backend::context context(through(driver, device));
      const backend::stream stream(context);
      memory = yoke::to_device(counting(9), stream);
    }
    const backend::stream later(memory.context_of());
    CHECK(download(memory, later) == counting(9));
  }
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("a release that fails goes to the handler once, and nothing is retried", "[memory]") {
  rig on(device);
  cleanup_recorder recorder;
  {
    backend::device_allocation<int> memory{on.context, 4};
    on.driver.fail_function(calls::free, 1, fault_mode::once, codes::invalid_handle);
  }
  const auto failures = cleanup_recorder::take();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].call == Backend::symbol(calls::free));
  CHECK(failures[0].code == codes::invalid_handle);
  CHECK(on.live().empty());
}

YOKE_ANY_DEVICE_TEST_CASE("an allocation of any backend", "[memory]") {
  const yoke::context context(device);
  const yoke::stream stream{context};
  yoke::device_allocation<int> memory{context, 16};
  yoke::fill(memory, 5, stream);
  std::vector<int> host(16);
  yoke::copy(memory, host, stream);
  CHECK(host == std::vector<int>(16, 5));
  auto uploaded = yoke::to_device(counting(16), stream);
  yoke::copy(uploaded, memory, stream);
  yoke::copy(memory, host, stream);
  CHECK(host == counting(16));
}

YOKE_DEVICE_TEST_CASE("a span of memory that was given up outlives the handle", "[memory]") {
  rig on(device);
  const std::vector<int> values = counting(4);
  backend::device_span<int> span;
  native_memory native{};
  {
    backend::device_allocation<int> memory{on.context, 4};
    yoke::copy(values, memory, on.stream);
    span = memory.span();
    native = memory.release();
  }
  CHECK(download(span, on.stream) == values);
  CHECK(Backend::free(*on.driver.table(), native));
}

YOKE_DEVICE_TEST_CASE("an allocation is made with the elements of a host range", "[memory]") {
  rig on(device);
  const std::vector<int> host = counting(100);
  {
    const backend::device_allocation<int> memory{on.context, host, on.stream};
    CHECK(download(memory, on.stream) == host);
    const yoke::device_allocation deduced{on.context, host, on.stream};
    static_assert(std::same_as<decltype(deduced), const backend::device_allocation<int>>);
    CHECK(download(deduced, on.stream) == host);
    backend::pagelocked_array<int> locked{on.context, 3};
    std::iota(locked.begin(), locked.end(), 5);
    const yoke::device_allocation of_locked{on.context, locked, on.stream};
    CHECK(download(of_locked, on.stream) == std::vector<int>{5, 6, 7});
    const int plain[] = {1, 2};
    const yoke::device_allocation of_array{on.context, plain, on.stream};
    CHECK(of_array.size() == 2);
    CHECK(yoke::device_allocation{on.context, std::vector<int>{}, on.stream}.empty());
  }
  CHECK(on.live().empty());
  const backend::context elsewhere = Backend::another_context(on.device);
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { yoke::device_allocation{elsewhere, host, on.stream}; });
  on.driver.fail_function(std::same_as<port, ocl::port> ? "enqueue_write_buffer" : "memcpy_htod_async", 1,
                          fault_mode::once, codes::invalid_handle);
  CHECK_THROWS_AS((yoke::device_allocation{on.context, host, on.stream}), yoke::error);
  CHECK(on.live().empty());  // what the copy could not fill is freed
}
