// SPDX-License-Identifier: MIT
// The devices that a program's tests run on, by the environment.
#ifndef YOKE_TESTING_TEST_DEVICES_HPP
#define YOKE_TESTING_TEST_DEVICES_HPP

#include <yoke/execution/select.hpp>

namespace yoke::inline v0_1 {

/// Devices for tests, or why there is none.
struct test_device_list {
  std::vector<device<any_port>> devices{};
  std::string reason{};
};

/// The devices that `$YOKE_TEST_DEVICES` names, as `select_devices` reads it; else those that `$PYOPENCL_TEST` names; else all,
/// best first. `PYOPENCL_TEST` is a list of OpenCL platforms and their devices, "0:0,1;intel=i5,i7": by number, or by a part of
/// name or vendor in any case, whose first match counts; a platform without devices means all its devices.
/// Returns: an empty list, with the reason, when there is no device and none is named.
/// Throws: `unsupported_error` (`errc::no_device`) with the devices there are when something named is not there; as `devices()`.
/// Thread safety: safe while nobody changes the environment. <yoke/catch2.hpp> has test cases that run on each of them.
[[nodiscard]] YOKE_API test_device_list select_test_devices(const source_location& where = source_location::current());

namespace detail {
/// Returns: the indices into `candidates` that a text of `PYOPENCL_TEST` names, each once. Throws: as above.
YOKE_API std::vector<std::size_t> match_pyopencl_test(const std::vector<device_summary>& candidates,
                                                      const std::vector<std::string>& backends, std::string_view text,
                                                      const source_location& where);
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/testing/test_devices.ipp>
#endif

#endif
