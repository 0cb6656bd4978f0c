// SPDX-License-Identifier: MIT
// CUDA's memory: what the driver says when there is not enough, and which native memory becomes an allocation.
#include <cuda/cuda_rig.hpp>

#include <yoke/cuda/cuda.hpp>
#include <yoke/image.hpp>

using namespace yoke_test;

YOKE_CUDA_TEST_CASE("an allocation that CUDA cannot give says how large it was", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const std::size_t total = cu::memory_of(context).total_bytes;
  const auto check = [&](auto act) {
    try {
      act();
      FAIL_CHECK("allocated");
    } catch (const yoke::memory_error& e) {
      CHECK(e.code() == yoke::errc::out_of_memory);
      CHECK_THAT(e.what(), ContainsSubstring("device allocation of 70368744177664 bytes: ") &&
                               ContainsSubstring(" of the device's " + std::to_string(total) + " bytes are free"));
    }
  };
  check([&] { (void)cu::device_allocation<char>{context, std::size_t{1} << 46}; });
  check([&] { (void)cu::device_allocation<char>{context, std::size_t{1} << 46, stream}; });
  stream.synchronize();
}

YOKE_CUDA_TEST_CASE("every kind of memory that does not fit is named with its shape, its bytes and the free ones",
                    "[cuda]") {
  cuda_rig on(device);
  const std::size_t total = cu::memory_of(on.context).total_bytes;
  const auto before = on.driver.live();
  const std::string told = " of the device's " + std::to_string(total) + " bytes are free";
  const auto check = [&](const char* function, const std::string& text, bool tells_free, const auto& act) {
    on.driver.fail_function(function, 1, fault_mode::once, 2);
    const std::string what = cuda_refusal<yoke::memory_error>(yoke::errc::out_of_memory, act);
    CHECK_THAT(what, ContainsSubstring(text) && ContainsSubstring("CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK((what.find(told) != std::string::npos) == tells_free);
    on.driver.disarm();
  };
  using pixel = yoke::unorm<std::uint8_t, 4>;
  check("array_create", "a 2D image of 640 x 480 of unorm8 x 4, 1228800 bytes: ", true, [&] {
    cu::image<pixel, 2>(on.context, {640, 480});
  });
  check("array_create", "a 3D image of 8 x 4 x 2 of float32, 256 bytes: ", true, [&] {
    cu::image<float, 3>(on.context, {8, 4, 2});
  });
  check("array_create", "a 1D layered image of 8, 3 layers of float32 x 4, 384 bytes: ", true,
        [&] { cu::layered_image<yoke::float4, 1>(on.context, 8, 3); });
  check("array_create", "an array of 9 x 4 of unsigned8, 36 bytes: ", true,
        [&] { cu::array<std::uint8_t>(on.context, {.width = 9, .height = 4}); });
  check("array_create", "a cubemap of 4 x 4, 2 cubes of float32, 768 bytes: ", true,
        [&] { cu::array<float>(on.context, {.width = 4, .height = 4, .layers = 2, .cubemap = true}); });
  check("mipmapped_array_create", "a mipmap of 3 levels of an array of 8 x 5 x 4 of float32, 712 bytes: ", true,
        [&] { cu::mipmapped_array<float>(on.context, {.width = 8, .height = 5, .depth = 4}, 3); });
  check("mipmapped_array_create", "a mipmap of 2 levels of an array of 4 x 4, 3 layers of float32, 240 bytes: ", true,
        [&] { cu::mipmapped_array<float>(on.context, {.width = 4, .height = 4, .layers = 3}, 2); });
  check("mem_alloc_managed", "managed allocation of 100 bytes: ", true,
        [&] { cu::managed_allocation<int>(on.context, 25); });
  check("mem_alloc_pitch", "device allocation of 3 rows of 20 bytes: ", true,
        [&] { cu::pitched_allocation<int>(on.context, 5, 3); });
  // The driver tells nothing of the host's memory.
  check("mem_host_alloc", "page-locked allocation of 16 bytes", false,
        [&] { cu::pagelocked_array<int>(on.context, 4); });
  check("mem_host_alloc", "page-locked allocation of 16 bytes", false,
        [&] { cu::pagelocked_array<int>(on.context, 4, {.write_combined = true}); });
  check("mem_host_register", "64 bytes of the program's own memory", false, [&] {
    std::vector<int> own(16);
    cu::registered_memory<int>(on.context, own);
  });
  CHECK(on.driver.live() == before);
}

YOKE_CUDA_TEST_CASE("an address that the driver does not know is named when it is refused", "[cuda]") {
  const cu::context context{device};
  try {
    (void)cu::device_allocation<int>::borrow(context, 0xdead000, 1);
    FAIL_CHECK("took it");
  } catch (const yoke::logic_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("the native memory 0xdead000 is not known to the driver "
                                           "[cuPointerGetAttribute: CUDA_ERROR_INVALID_VALUE (1)]"));
  }
}

YOKE_CUDA_TEST_CASE("memory is adopted as what it is, and borrowed as either", "[cuda]") {
  cuda_rig on(device);
  const auto refused = [](yoke::errc condition, auto act) { return cuda_refusal<yoke::logic_error>(condition, act); };
  {
    const cuda_abi::device_pointer ordered = cu::device_allocation<int>{on.context, 8, on.stream}.release();
    const cuda_abi::device_pointer plain = cu::device_allocation<int>{on.context, 8}.release();
    CHECK_THAT(
        refused(yoke::errc::invalid_argument, [&] { (void)cu::device_allocation<int>::adopt(on.context, ordered, 8); }),
        ContainsSubstring("is stream-ordered memory, which is freed in a stream's order: adopt it with a stream"));
    CHECK_THAT(refused(yoke::errc::invalid_argument,
                       [&] { (void)cu::device_allocation<int>::adopt(on.context, plain, 8, on.stream); }),
               ContainsSubstring("is no stream-ordered memory: adopt it without a stream"));
    CHECK(cu::device_allocation<int>::borrow(on.context, ordered, 8).size() == 8);
    CHECK(cu::device_allocation<int>::borrow(on.context, plain, 8).size() == 8);
    CHECK(on.driver.count("mem_free") == 0);
    CHECK(on.driver.count("mem_free_async") == 0);
    (void)cu::device_allocation<int>::adopt(on.context, ordered, 8, on.stream);
    CHECK(on.driver.count("mem_free_async") == 1);
    (void)cu::device_allocation<int>::adopt(on.context, plain, 8);
    CHECK(on.driver.count("mem_free") == 1);
  }
  on.stream.synchronize();
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("an address inside a block is borrowed where elements may lie, and not adopted", "[cuda]") {
  cuda_rig on(device);
  const auto refused = [](yoke::errc condition, auto act) { return cuda_refusal<yoke::logic_error>(condition, act); };
  cu::device_allocation<int> memory{on.context, 4};
  cu::device_allocation<int> ordered{on.context, 4, on.stream};
  yoke::copy(std::vector<int>{1, 2, 3, 4}, memory, on.stream);
  const cuda_abi::device_pointer base = memory.native_handle();
  CHECK_THAT(
      refused(yoke::errc::invalid_argument, [&] { (void)cu::device_allocation<int>::adopt(on.context, base + 4, 1); }),
      ContainsSubstring("lies 4 bytes inside a block, which only its first address frees: borrow it"));
  CHECK_THAT(
      refused(yoke::errc::invalid_argument,
              [&] { (void)cu::device_allocation<char>::adopt(on.context, ordered.native_handle() + 9, 1, on.stream); }),
      ContainsSubstring("lies 9 bytes inside a block"));
  const auto inside = cu::device_allocation<int>::borrow(on.context, base + 4, 3);
  std::vector<int> out(3);
  yoke::copy(inside, out, on.stream);
  CHECK(out == std::vector<int>{2, 3, 4});
  CHECK_THAT(
      refused(yoke::errc::misaligned, [&] { (void)cu::device_allocation<int>::borrow(on.context, base + 2, 1); }),
      ContainsSubstring("is no multiple of 4 bytes, as elements of this type need"));
  CHECK_THAT(
      refused(yoke::errc::misaligned, [&] { (void)cu::device_allocation<double>::adopt(on.context, base + 4, 1); }),
      ContainsSubstring("is no multiple of 8 bytes"));
  CHECK(cu::device_allocation<char>::borrow(on.context, base + 3, 13).size() == 13);
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("a copy or fill that CUDA refuses names the side, its address and its bytes", "[cuda]") {
  if (!is_simulated(device)) return;  // what a GPU's driver makes of freed memory is not defined
  cuda_rig on(device);
  const auto refused = [](auto act) { return cuda_refusal<yoke::logic_error>(yoke::errc::invalid_argument, act); };
  const auto at = [](const auto& memory) { return " at 0x" + yoke::detail::hex_digits(memory.native_handle()); };
  const std::string ending = ": an argument is outside what the call accepts";
  cu::device_allocation<int> kept{on.context, 10};
  cu::device_allocation<int> freed{on.context, 10};
  const auto gone = freed.span();
  const std::string where_kept = at(kept);
  const std::string where_freed = at(freed);
  const cuda_abi::device_pointer freed_address = freed.native_handle();
  std::vector<int> host(10);
  yoke::fill(kept, 3, on.stream);
  yoke::copy(kept, freed, on.stream);
  yoke::copy(freed, host, on.stream);
  CHECK(on.driver.count("pointer_get_attribute") == 0);  // asked of nothing that went well
  freed.reset();
  const std::string source = "source of 40 bytes" + where_freed + " is no device memory, or was freed";
  const std::string destination =
      "destination of 40 bytes" + where_freed + " is no device memory, or was freed" + ending;
  CHECK_THAT(refused([&] { yoke::copy(gone, host, on.stream); }),
             ContainsSubstring(source + ", destination of 40 bytes at 0x") && ContainsSubstring(ending) &&
                 ContainsSubstring("[cuMemcpyDtoHAsync: CUDA_ERROR_INVALID_VALUE (1)]"));
  CHECK_THAT(refused([&] { yoke::copy(host, gone, on.stream); }), ContainsSubstring(destination));
  CHECK_THAT(refused([&] { yoke::copy(gone, kept, on.stream); }),
             ContainsSubstring(source + ", destination of 40 bytes" + where_kept + ending));
  CHECK_THAT(refused([&] { yoke::copy(kept, gone, on.stream); }),
             ContainsSubstring("source of 40 bytes" + where_kept + ", " + destination));
  for (const int value : {0, 1, 0x10001})  // by bytes, by words
    CHECK_THAT(refused([&] { yoke::fill(gone, value, on.stream); }), ContainsSubstring(destination));
  const auto done = yoke::completion<cuda_abi::event>::blocking();
  const auto here = yoke::source_location::current();
  const cuda_abi::stream stream = on.stream.native_handle();
  const auto box = [&] {  // 2 rows of 8 bytes, 16 apart
    on.context.port().read_box(stream, freed_address, {0, 16, 32}, host.data(), {0, 8, 16}, {8, 2, 1}, done, here);
  };
  CHECK_THAT(refused(box), ContainsSubstring("source of 24 bytes" + where_freed +
                                             " is no device memory, or was freed, "
                                             "destination of 16 bytes at 0x"));
  const auto beyond = [&] { on.context.port().read(stream, kept.native_handle(), 8, host.data(), 40, done, here); };
  CHECK_THAT(refused(beyond), ContainsSubstring(" goes beyond its block, which ends after 32 bytes, destination "
                                                "of 40 bytes at 0x"));
  on.stream.synchronize();
}
