// SPDX-License-Identifier: MIT
// Scopes that page-lock or map ranges of the program, all or none.
#include <support/rig.hpp>

#include <yoke/yoke.hpp>

#include <sstream>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

std::string address_of(const std::vector<float>& of) {
  std::ostringstream text;
  text << of.data();
  return text.str();
}

}  // namespace

YOKE_CUDA_TEST_CASE("a scope page-locks several ranges", "[cuda]") {
  rig on(device);
  std::vector<float> x = counting(1000, 1.0F);
  const std::vector<int> y = counting(500);
  std::vector<int> z(500);
  const std::size_t mark = on.driver.mark();
  cu::device_allocation<float> dx{on.context, 1000};
  cu::device_allocation<int> dy{on.context, 500};
  {
    const cu::pinned_scope pin{on.context, x, y, z};
    CHECK(on.driver.count("mem_host_register", mark) == 3);
    const auto& [px, py, pz] = pin.views();
    static_assert(std::same_as<std::remove_cvref_t<decltype(py)>, cu::registered_memory<const int>>);
    auto first = yoke::copy_async(px, dx, on.stream);
    auto second = yoke::copy_async(py, dy, on.stream);
    auto third = yoke::copy_async(dy, pz, on.stream);
    third.wait();
    CHECK(z == y);
    CHECK(on.driver.count("mem_host_unregister", mark) == 0);
  }
  CHECK(on.driver.count("mem_host_unregister", mark) == 3);
  const cu::pinned_scope again{on.context, x};  // the range is free again
  CHECK(std::get<0>(again.views()).size() == 1000);
}

YOKE_CUDA_TEST_CASE("a scope that cannot page-lock all locks none", "[cuda]") {
  rig on(device);
  std::vector<float> x(1000), y(1000), z(1000);
  std::size_t mark = on.driver.mark();
  on.driver.fail_function("mem_host_register", 2, fault_mode::once, cuda_backend::codes::out_of_memory);
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory,
                                         [&] {
                                           cu::pinned_scope{on.context, x, y, z};
                                         }),
             ContainsSubstring("cuda_pinned_scope_test.cpp:") && ContainsSubstring("4000 bytes") &&
                 ContainsSubstring(" at " + address_of(y)));
  on.driver.disarm();
  CHECK(on.driver.count("mem_host_register", mark) == 2);  // the third is not tried
  CHECK(on.driver.count("mem_host_unregister", mark) == 1);
  CHECK_THROWS_AS((cu::mapped_scope{on.context, y, x, x}), yoke::logic_error);  // the same range twice
  CHECK(on.live().empty());
  mark = on.driver.mark();
  on.driver.fail_function("mem_host_get_device_pointer", 2, fault_mode::once, cuda_backend::codes::out_of_memory);
  CHECK_THROWS_AS((cu::mapped_scope{on.context, x, y}), yoke::memory_error);
  on.driver.disarm();
  CHECK(on.driver.count("mem_host_unregister", mark) == 2);
  CHECK(on.live().empty());
}

YOKE_CUDA_TEST_CASE("a scope maps ranges for the device", "[cuda]") {
  rig on(device);
  std::vector<float> x(1000, 1.0F);
  std::vector<int> y(10, 2);
  {
    const cu::mapped_scope map{on.context, x, y};
    const auto& [dx, dy] = map.views();
    yoke::fill(dx.subspan(0, 999), 3.0F, on.stream);
    yoke::fill(dy, 4, on.stream);
    on.stream.synchronize();
  }
  CHECK(x[998] == 3.0F);
  CHECK(x[999] == 1.0F);
  CHECK(y == std::vector<int>(10, 4));
  CHECK(on.live().empty());
}
