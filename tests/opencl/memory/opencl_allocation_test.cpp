// SPDX-License-Identifier: MIT
// Device memory as OpenCL has it: limits, images, maps, retained queues.
#include <support/rig.hpp>

using namespace yoke_test;

YOKE_OPENCL_TEST_CASE("a buffer that the driver refuses for its size is a memory error without a limit", "[memory]") {
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
  CHECK_THAT(
      refusal<yoke::memory_error>(yoke::errc::out_of_memory,
                                  [&] {
                                    ocl::device_allocation<double>{on.context, 1000, on.stream};
                                  }),
      ContainsSubstring("device allocation of 8000 bytes: the device takes up to " +
                        std::to_string(ocl::get(on.device, ocl::info::max_mem_alloc_size)) + " in one allocation"));
  CHECK(on.live().empty());
}

YOKE_OPENCL_TEST_CASE("more than the device takes in one allocation is a memory error with the limit", "[memory]") {
  rig on(device);
  // NVIDIA's driver reserves nothing before the first use, and takes more than it says.
  constexpr std::uint64_t too_much = std::uint64_t{1} << 50;
  if (const abi::memory taken = raw_opencl().create_buffer(on.context.native_handle(), 0, too_much, nullptr, nullptr)) {
    CHECK(raw_opencl().release_memory(taken) == 0);
    YOKE_SKIP("the driver allocates at the first use");
  }
  const std::string limit = std::to_string(ocl::get(on.device, ocl::info::max_mem_alloc_size));
  const std::string words = " of 1125899906842624 bytes exceeds the " + limit + " that the device takes";
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

YOKE_OPENCL_TEST_CASE("a span of memory that was given up does not take another allocation's maps for its own",
                      "[memory]") {
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

YOKE_OPENCL_TEST_CASE("an image is no device allocation", "[memory]") {
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

YOKE_OPENCL_TEST_CASE("an allocation that was moved from cannot be mapped", "[memory]") {
  rig on(device);
  ocl::device_allocation<int> source{on.context, 4};
  const ocl::device_allocation<int> target = std::move(source);
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)ocl::map(source, on.stream, ocl::map_read); });
}

YOKE_OPENCL_TEST_CASE("a stream's use is recorded once", "[memory]") {
  rig on(device);
  const ocl::stream second(on.context);
  ocl::device_allocation<int> ordered{on.context, 16, on.stream};
  const std::size_t mark = on.driver.mark();
  ordered.record_use(second);
  ordered.record_use(second);     // once is enough
  ordered.record_use(on.stream);  // its own order
  CHECK(on.driver.count("retain_queue", mark) == 1);
}

YOKE_OPENCL_TEST_CASE("streams that memory was used on go before the context that it keeps", "[memory]") {
  rig on(device);
  std::size_t mark = 0;
  {
    ocl::device_allocation<int> memory;
    {
      const ocl::context context{through(on.driver, device)};
      const ocl::stream order{context};
      const ocl::stream second{context};
      memory = ocl::device_allocation<int>{context, 16, order};
      memory.record_use(second);
    }
    mark = on.driver.mark();
    REQUIRE(on.driver.count("release_context") == 0);
  }
  const std::vector<std::string> calls = on.driver.calls(mark);
  CHECK(std::count(calls.begin(), calls.end(), "release_queue") >= 1);
  REQUIRE(!calls.empty());
  CHECK(calls.back() == "release_context");
}

YOKE_OPENCL_TEST_CASE("a page-locked array that OpenCL cannot map leaves nothing", "[memory]") {
  rig on(device);
  for (const char* call : {"create_buffer", "enqueue_map_buffer", "create_queue"}) {
    INFO(call);
    on.driver.fail_function(call, 1, fault_mode::once, -4);
    refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { ocl::pagelocked_array<int>{on.context, 4}; });
    on.driver.disarm();
    CHECK(on.live().empty());
    CHECK(on.driver.live().size() == 2);  // the rig's context and stream
  }
  CHECK(ocl::pagelocked_array<int>{on.context, 4}.size() == 4);
}
