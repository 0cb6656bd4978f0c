// SPDX-License-Identifier: MIT
// The CUDA devices the tests run on: all, or those that $YOKE_TEST_DEVICES names; and test cases that run on each.
#ifndef YOKE_TESTS_SUPPORT_CUDA_DEVICES_HPP
#define YOKE_TESTS_SUPPORT_CUDA_DEVICES_HPP

#include <support/devices.hpp>

#include <yoke/cuda/cuda.hpp>

namespace yoke_test {

using cuda_device = yoke::cuda::device;

/// Returns: the selected CUDA devices.
inline const selection<cuda_device>& cuda_test_devices() {
  static const selection<cuda_device> once = [] {
    selection<cuda_device> found;
    const yoke::availability cuda = yoke::cuda::available();
    if (!cuda) {
      found.reason = cuda.reason;
      return found;
    }
    try {
      found.devices = yoke::cuda::select_devices(test_specification());
    } catch (const yoke::unsupported_error& e) {
      found.reason = e.what();
    }
    return found;
  }();
  return once;
}

}  // namespace yoke_test

// A test case whose body gets `device`, and runs once for each selected CUDA device.
#define YOKE_CUDA_TEST_CASE(title, tags)                                                                               \
  YOKE_TEST_ON_DEVICES(YOKE_TEST_UNIQUE(__LINE__), ::yoke_test::cuda_device, ::yoke_test::cuda_test_devices(), title,  \
                       tags)

#endif
