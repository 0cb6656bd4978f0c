// SPDX-License-Identifier: MIT
// Test cases of Catch2, 2.13 or 3, that run on each device that the environment selects.
#ifndef YOKE_CATCH2_HPP
#define YOKE_CATCH2_HPP

#include <yoke/execution/with_device.hpp>
#include <yoke/testing/test_devices.hpp>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::testing {

/// The devices of `select_test_devices`, queried once. Throws: as `select_test_devices`. Thread safety: safe.
inline const test_device_list& test_devices() {
  static const test_device_list once = select_test_devices();
  return once;
}

/// The devices of a backend: "cuda", "opencl", or "" for all.
inline test_device_list test_devices_of(std::string_view backend) {
  if (backend.empty()) return test_devices();
  test_device_list found;
  for (const device<any_port>& each : test_devices().devices) {
    if (each.backend_name() == backend) found.devices.push_back(each);
  }
  found.reason = test_devices().reason;
  if (found.devices.empty() && found.reason.empty()) {
    found.reason = "none of the selected devices is of the backend ";
    found.reason.append(backend);
  }
  return found;
}

inline const device<any_port>& for_any(const device<any_port>& of) noexcept { return of; }
inline device<opencl::port> for_opencl(const device<any_port>& of) { return as_opencl(of); }
inline device<cuda::port> for_cuda(const device<any_port>& of) { return as_cuda(of); }

}  // namespace yoke::inline v0_1::testing

/// A test case. Its body gets `device`, a `yoke::device<yoke::any_port>`, and runs once for each device and each of its
/// sections. Without a device it is skipped; Catch2 2.13 has no skips: there it warns and passes.
/// Example: `YOKE_DEVICE_TEST("sums are exact", "[sum]") { yoke::context ctx{device}; ... }`
#define YOKE_DEVICE_TEST(title, tags) YOKE_DETAIL_DEVICE_TEST(__LINE__, title, tags, "", for_any)
/// As above, only on OpenCL's devices; `device` is a `yoke::opencl::device`.
#define YOKE_OPENCL_TEST(title, tags) YOKE_DETAIL_DEVICE_TEST(__LINE__, title, tags, "opencl", for_opencl)
/// As above, only on CUDA's devices; `device` is a `yoke::cuda::device`.
#define YOKE_CUDA_TEST(title, tags) YOKE_DETAIL_DEVICE_TEST(__LINE__, title, tags, "cuda", for_cuda)

#if defined(SKIP)
#define YOKE_DETAIL_SKIP(reason) SKIP(reason)
#else
#define YOKE_DETAIL_SKIP(reason)                                                                                       \
  do {                                                                                                                 \
    WARN("skipped: " << (reason));                                                                                     \
    return;                                                                                                            \
  } while (false)
#endif
#define YOKE_DETAIL_DEVICE_TEST(line, title, tags, backend, convert)                                                   \
  YOKE_DETAIL_DEVICE_TEST_OF(line, title, tags, backend, convert)
#define YOKE_DETAIL_DEVICE_TEST_OF(line, title, tags, backend, convert)                                                \
  static void yoke_test_on_device_##line(const std::remove_cvref_t<decltype(::yoke::testing::convert(                  \
                                             std::declval<const ::yoke::device<::yoke::any_port>&>()))>& device);      \
  TEST_CASE(title, tags) {                                                                                             \
    const ::yoke::test_device_list found = ::yoke::testing::test_devices_of(backend);                                  \
    if (found.devices.empty()) YOKE_DETAIL_SKIP("no device: " + found.reason);                                         \
    const std::size_t index = GENERATE_REF(Catch::Generators::range(std::size_t{0}, found.devices.size()));            \
    INFO("device " << found.devices[index].backend_name() << ": " << found.devices[index].name());                     \
    yoke_test_on_device_##line(::yoke::testing::convert(found.devices[index]));                                        \
  }                                                                                                                    \
  static void yoke_test_on_device_##line([[maybe_unused]] const std::remove_cvref_t<decltype(::yoke::testing::convert( \
                                             std::declval<const ::yoke::device<::yoke::any_port>&>()))>& device)

#endif
