// SPDX-License-Identifier: MIT
// CUDA's memory: what the driver says when there is not enough, and which native memory becomes an allocation.
#include <cuda/cuda_rig.hpp>

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
