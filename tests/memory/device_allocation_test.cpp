// SPDX-License-Identifier: MIT
// Owners of device memory: sizes, ownership, order, and what they cost in driver calls.
#include <memory/rig.hpp>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<ocl::device_allocation<int>>);
static_assert(!std::is_copy_assignable_v<ocl::device_allocation<int>>);
static_assert(std::is_nothrow_move_constructible_v<ocl::device_allocation<int>>);
static_assert(std::is_nothrow_move_assignable_v<ocl::device_allocation<int>>);

YOKE_DEVICE_TEST_CASE("an allocation takes its size as any integer", "[memory]") {
  rig on(device);
  const auto size_of = [&](auto count) { return ocl::device_allocation<int>{on.context, count}.size(); };
  CHECK(size_of(static_cast<signed char>(5)) == 5);
  CHECK(size_of(static_cast<unsigned char>(200)) == 200);
  CHECK(size_of(short{7}) == 7);
  CHECK(size_of(static_cast<unsigned short>(7)) == 7);
  CHECK(size_of(7) == 7);
  CHECK(size_of(7U) == 7);
  CHECK(size_of(7L) == 7);
  CHECK(size_of(7UL) == 7);
  CHECK(size_of(7LL) == 7);
  const ocl::device_allocation<double> doubles{on.context, 12};
  CHECK(doubles.size_bytes() == 96);
  std::size_t bytes = 0;
  REQUIRE(raw_opencl().get_memory_info(doubles.native_handle(), 0x1102, sizeof bytes, &bytes, nullptr) == 0);
  CHECK(bytes == 96);
  CHECK(doubles.context_of() == on.context);
}

YOKE_DEVICE_TEST_CASE("a size that cannot be is refused before the driver is asked", "[memory]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](auto count) {
    const std::string plain = refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] {
      ocl::device_allocation<int>{on.context, count};
    });
    const std::string ordered = refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] {
      ocl::device_allocation<int>{on.context, count, on.stream};
    });
    CHECK(plain.substr(0, plain.find(" (at")) == ordered.substr(0, ordered.find(" (at")));
    return plain;
  };
  CHECK_THAT(refused(-1), ContainsSubstring("element count is -1"));
  CHECK_THAT(refused(std::int64_t{-1} << 62), ContainsSubstring("element count is -4611686018427387904"));
  CHECK_THAT(refused(~std::size_t{0}), ContainsSubstring("times 4 bytes exceeds the address space"));
  CHECK_THAT(refused(std::size_t{1} << 61), ContainsSubstring("element count 2305843009213693952 times 4 bytes"));
  CHECK_THAT(refused(-1), ContainsSubstring("device_allocation_test.cpp:"));
  CHECK(on.driver.count("create_buffer", mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a driver without memory is a memory error with the bytes", "[memory]") {
  rig on(device);
  on.driver.replace<&abi::functions::create_buffer>(
      [](abi::context, abi::ulong, std::size_t, void*, abi::status* status) -> abi::memory {
        *status = -61;
        return nullptr;
      });
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory,
                                         [&] {
                                           ocl::device_allocation<double>{on.context, 1000};
                                         }),
             ContainsSubstring("device allocation of 8000 bytes") && !ContainsSubstring("exceeds"));
  on.driver.replace<&abi::functions::create_buffer>(
      [](abi::context, abi::ulong, std::size_t, void*, abi::status* status) -> abi::memory {
        *status = -4;
        return nullptr;
      });
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory,
                                         [&] {
                                           ocl::device_allocation<double>{on.context, 1000, on.stream};
                                         }),
             ContainsSubstring("device allocation of 8000 bytes"));
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("no elements cost no driver call", "[memory]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  {
    ocl::device_allocation<float> nothing{on.context, 0};
    CHECK(nothing.empty());
    CHECK(nothing.native_handle() == nullptr);
    CHECK_FALSE(static_cast<bool>(nothing));
    CHECK(nothing.span().empty());
    CHECK(nothing.subspan(0, 0).empty());
    std::vector<float> host;
    yoke::copy(nothing, host, on.stream);
    yoke::copy(host, nothing, on.stream);
    yoke::fill(nothing, 1.0F, on.stream);
    ocl::device_allocation<float> moved = std::move(nothing);
    moved.reset();
  }
  CHECK(on.driver.count_all(mark) == 0);
  {
    const ocl::device_allocation<float> ordered{on.context, 0, on.stream};  // keeps the stream's native queue
    CHECK(ordered.empty());
  }
  CHECK(on.driver.count("create_buffer", mark) == 0);
  CHECK(on.enqueued(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("an allocation is released once, whoever holds it", "[memory]") {
  rig on(device);
  {
    ocl::device_allocation<int> a{on.context, 8};
    const abi::memory native = a.native_handle();
    ocl::device_allocation<int> b = std::move(a);
    CHECK(b.native_handle() == native);
    CHECK(b.size() == 8);
    CHECK(a.size() == 0);
    CHECK(a.native_handle() == nullptr);

    ocl::device_allocation<int> c{on.context, 3};
    const std::size_t mark = on.driver.mark();
    c = std::move(b);  // releases its own first
    CHECK(on.driver.count("release_memory", mark) == 1);
    CHECK(c.native_handle() == native);
    CHECK(c.size() == 8);
    auto& self = c;
    c = std::move(self);
    CHECK(c.native_handle() == native);

    ocl::device_allocation<int> d{on.context, 5, on.stream};
    const abi::memory other = d.native_handle();
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
  ocl::device_allocation<int> source{on.context, 4};
  ocl::device_allocation<int> target = std::move(source);
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
  says_empty([&] { (void)ocl::map(source, on.stream, ocl::map_read); });
  says_empty([] { ocl::device_allocation<int>{ocl::context::none(), 1}; });
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("native memory is adopted, borrowed and given up", "[memory]") {
  rig on(device);
  abi::status status = 0;
  const auto& cl = *on.driver.table();
  const abi::memory native = cl.create_buffer(on.context.native_handle(), 1, 64, nullptr, &status);
  REQUIRE(status == 0);
  {
    auto borrowed = ocl::device_allocation<int>::borrow(on.context, native, 16);
    CHECK(borrowed.size() == 16);
    yoke::fill(borrowed, 7, on.stream);
  }
  CHECK(on.live().size() == 1);
  SECTION("released by its adopter") {
    auto adopted = ocl::device_allocation<int>::adopt(on.context, native, 16);
    CHECK(download(adopted, on.stream) == std::vector<int>(16, 7));
  }
  SECTION("given up and released by hand") {
    auto adopted = ocl::device_allocation<int>::adopt(on.context, native, 10);
    CHECK(adopted.size() == 10);
    CHECK(adopted.release() == native);
    CHECK(adopted.size() == 0);
    CHECK_FALSE(static_cast<bool>(adopted));
    CHECK(on.live().size() == 1);
    CHECK(cl.release_memory(native) == 0);
  }
  SECTION("refused where it is too small, null or a count is wrong; then it stays the caller's") {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                          [&] { (void)ocl::device_allocation<int>::adopt(on.context, native, 17); }),
               ContainsSubstring("native memory of 64 bytes cannot hold 17 elements of 4 bytes"));
    refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                               [&] { (void)ocl::device_allocation<double>::borrow(on.context, native, 9); });
    refusal<yoke::logic_error>(yoke::errc::out_of_range,
                               [&] { (void)ocl::device_allocation<int>::adopt(on.context, native, -1); });
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)ocl::device_allocation<int>::adopt(on.context, nullptr, 1); }),
               ContainsSubstring("the native memory is null"));
    CHECK(on.live().size() == 1);
    CHECK(cl.release_memory(native) == 0);
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("an ordered allocation keeps its queue and the queues that use it alive", "[memory]") {
  rig on(device);
  const std::size_t before = on.driver.live().size();
  {
    ocl::device_allocation<int> ordered;
    {
      ocl::stream first(on.context);
      ocl::stream second(on.context);
      ordered = ocl::device_allocation<int>{on.context, 16, first};
      yoke::fill(ordered, 3, first);
      second.wait(first.record());
      yoke::fill(ordered, 4, second);
      const std::size_t mark = on.driver.mark();
      ordered.record_use(second);
      ordered.record_use(second);  // once is enough
      ordered.record_use(first);   // its own order
      CHECK(on.driver.count("retain_queue", mark) == 1);
      second.synchronize();
    }
    CHECK(on.driver.live().size() == before + 3);  // the memory and both queues
    CHECK(download(ordered, on.stream) == std::vector<int>(16, 4));
  }
  CHECK(on.driver.live().size() == before);
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("an allocation knows streams and contexts that are not its own", "[memory]") {
  rig on(device);
  const ocl::context other(on.device);
  const ocl::stream foreign(other);
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { ocl::device_allocation<int>{on.context, 4, foreign}; });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
    ocl::device_allocation<int>{on.context, 4, ocl::stream{}};
  });
  ocl::device_allocation<int> mine{on.context, 4};
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { mine.record_use(foreign); });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { mine.record_use(ocl::stream{}); });
}

YOKE_DEVICE_TEST_CASE("an allocation outlives its context's and stream's handles", "[memory]") {
  opencl_interposer driver(raw_opencl());
  {
    ocl::device_allocation<int> memory;
    {
      const ocl::context context(through(driver, device));
      const ocl::stream stream(context);
      memory = yoke::to_device(counting(9), stream);
    }
    const ocl::stream later(memory.context_of());
    CHECK(download(memory, later) == counting(9));
  }
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("a release that fails goes to the handler once, and nothing is retried", "[memory]") {
  rig on(device);
  cleanup_recorder recorder;
  {
    ocl::device_allocation<int> memory{on.context, 4};
    on.driver.fail_function("release_memory", 1, fault_mode::once, -38);
  }
  const auto failures = cleanup_recorder::take();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].call == "clReleaseMemObject");
  CHECK(failures[0].code == -38);
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

YOKE_DEVICE_TEST_CASE("more than the device takes in one allocation is a memory error with the limit", "[memory]") {
  rig on(device);
  // NVIDIA's driver reserves nothing before the first use, and takes more than it says.
  if (device.summary().platform.find("NVIDIA") != std::string::npos) YOKE_SKIP("the driver allocates at the first use");
  const std::string limit = std::to_string(ocl::get(on.device, ocl::info::max_mem_alloc_size));
  const std::string words = " of 1125899906842624 bytes exceeds the " + limit + " that the device takes";
  constexpr std::uint64_t too_much = std::uint64_t{1} << 50;
  const auto refused = [&](auto allocate) { return refusal<yoke::memory_error>(yoke::errc::out_of_memory, allocate); };
  CHECK_THAT(refused([&] {
               ocl::device_allocation<char>{on.context, too_much};
             }),
             ContainsSubstring("device allocation" + words) && ContainsSubstring("clCreateBuffer"));
  CHECK_THAT(refused([&] {
               ocl::device_allocation<char>{on.context, too_much, on.stream};
             }),
             ContainsSubstring("device allocation" + words));
  CHECK_THAT(refused([&] {
               ocl::pagelocked_array<char>{on.context, too_much};
             }),
             ContainsSubstring("page-locked allocation" + words));
  if (on.device.port().svm(on.device.native_handle(), {}).coarse) {
    CHECK_THAT(refused([&] {
                 ocl::svm_allocation<char, ocl::svm::coarse>{on.context, too_much, on.stream};
               }),
               ContainsSubstring("SVM allocation") && ContainsSubstring(words) && ContainsSubstring("clSVMAlloc"));
  }
  // A driver that does not tell its limit still has its failure told.
  on.driver.fail_function("get_context_info", 1, fault_mode::for_ever, -5);
  CHECK_THAT(refused([&] {
               ocl::device_allocation<char>{on.context, too_much};
             }),
             ContainsSubstring("device allocation of 1125899906842624 bytes") && !ContainsSubstring("exceeds"));
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("a span of memory that was given up outlives the handle", "[memory]") {
  rig on(device);
  const std::vector<int> values = counting(4);
  ocl::device_span<int> span;
  abi::memory native = nullptr;
  {
    ocl::device_allocation<int> memory{on.context, 4};
    yoke::copy(values, memory, on.stream);
    span = memory.span();
    native = memory.release();
  }
  CHECK(download(span, on.stream) == values);
  // Nor does it take another allocation's views for its own.
  std::vector<ocl::device_allocation<int>> others;
  std::vector<ocl::mapped_view<int>> views;
  for (int i = 0; i < 4; ++i) {
    views.push_back(ocl::map(others.emplace_back(on.context, 4), on.stream, ocl::map_write));
  }
  CHECK(download(span, on.stream) == values);
  CHECK(on.driver.table()->release_memory(native) == 0);
}

YOKE_DEVICE_TEST_CASE("an image is no device allocation", "[memory]") {
  rig on(device);
  // The library makes no images yet: a buffer that calls itself one stands for it.
  ocl::device_allocation<int> memory{on.context, 4};
  on.driver.replace<&abi::functions::get_memory_info>(
      [&](abi::memory of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        const abi::status status = on.driver.real().get_memory_info(of, what, bytes, out, size);
        if (what == abi::mem_type && out != nullptr) *static_cast<abi::uint*>(out) = 0x10F1;
        return status;
      });
  for (const bool owned : {true, false}) {
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                   [&] {
                                     if (owned) {
                                       (void)ocl::device_allocation<int>::adopt(on.context, memory.native_handle(), 4);
                                     } else {
                                       (void)ocl::device_allocation<int>::borrow(on.context, memory.native_handle(), 4);
                                     }
                                   }),
        ContainsSubstring("the native memory is an image or a pipe, not a buffer"));
  }
}
