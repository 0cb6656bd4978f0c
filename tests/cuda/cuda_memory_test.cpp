// SPDX-License-Identifier: MIT
// CUDA's memory: what the driver says when there is not enough.
#include <support/devices.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

YOKE_CUDA_TEST_CASE("an allocation that CUDA cannot give says how large it was", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const auto check = [](auto act) {
    try {
      act();
      FAIL_CHECK("allocated");
    } catch (const yoke::memory_error& e) {
      CHECK(e.code() == yoke::errc::out_of_memory);
      CHECK_THAT(e.what(), ContainsSubstring("device allocation of 70368744177664 bytes"));
    }
  };
  check([&] { (void)cu::device_allocation<char>{context, std::size_t{1} << 46}; });
  check([&] { (void)cu::device_allocation<char>{context, std::size_t{1} << 46, stream}; });
  stream.synchronize();
}
