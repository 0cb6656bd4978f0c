// SPDX-License-Identifier: MIT
// Chooses the devices for a program's tests from the environment.
#ifndef YOKE_TESTING_TEST_DEVICES_HPP
#define YOKE_TESTING_TEST_DEVICES_HPP

#include <yoke/execution/select.hpp>

namespace yoke::inline v0_1 {

/// Devices for tests; if there are none, the reason.
struct test_device_list {
  std::vector<device<any_port>> devices{};
  std::string reason{};
};

/// The devices that `$YOKE_TEST_DEVICES` names, as `select_devices` reads it; else those that `$PYOPENCL_TEST` names;
/// else all, best first.
///
/// `PYOPENCL_TEST` lists OpenCL platforms and their devices, as in "0:0,1;intel=i5,i7". Each is a number or a part of
/// the name or vendor, in any case; the first match counts. A platform without devices means all of its devices.
/// Returns: an empty list with the reason when the machine has no device and the environment names none.
/// Throws: `unsupported_error` (`errc::no_device`) with a list of the devices when a named one is missing; as
/// `devices()`.
/// Thread safety: safe while nobody changes the environment. <yoke/catch2.hpp> has test cases that run on each device.
[[nodiscard]] YOKE_API test_device_list select_test_devices(const source_location& where = source_location::current());

namespace detail {
/// Returns: the indices into `candidates` that `text`, the value of `PYOPENCL_TEST`, names, each once. Throws: as
/// above.
YOKE_API std::vector<std::size_t> match_pyopencl_test(const std::vector<device_summary>& candidates,
                                                      const std::vector<std::string>& backends, std::string_view text,
                                                      const source_location& where);
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/testing/test_devices.ipp>
#endif

#endif
