// SPDX-License-Identifier: MIT
// CUDA's memory: what the driver says when there is not enough.
#include <support/devices.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

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
