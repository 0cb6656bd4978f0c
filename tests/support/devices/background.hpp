// SPDX-License-Identifier: MIT
// Drivers that tests know by name, and what tests that hold commands back need of one.
#ifndef YOKE_TESTS_SUPPORT_BACKGROUND_HPP
#define YOKE_TESTS_SUPPORT_BACKGROUND_HPP

#include <support/devices/devices.hpp>

namespace yoke_test {
/// Whether a device is Oclgrind's, an interpreter.
template <class Port>
bool is_oclgrind(const yoke::device<Port>& device) {
  return device.summary().platform.find("Oclgrind") != std::string::npos;
}
/// Whether a device is one of PoCL's.
template <class Port>
bool is_pocl(const yoke::device<Port>& device) {
  return device.summary().platform.find("Portable Computing Language") != std::string::npos;
}
/// Whether a device is a GPU behind NVIDIA's OpenCL.
template <class Port>
bool is_nvidia_opencl(const yoke::device<Port>& device) {
  return device.summary().platform.find("NVIDIA CUDA") != std::string::npos;
}
/// Whether a device is that of Intel's runtime for CPUs.
template <class Port>
bool is_intel_cpu(const yoke::device<Port>& device) {
  return device.summary().platform.find("Intel(R) OpenCL") != std::string::npos;
}
/// Whether clFlush returns although a command has to wait. Oclgrind runs commands within it, on the caller's thread, so
/// that flushing a command that the same thread lets go later never returns.
template <class Port>
bool runs_in_background(const yoke::device<Port>& device) {
  return !is_oclgrind(device);
}
}  // namespace yoke_test

// Leaves the test on such a driver.
#define YOKE_TEST_NEEDS_BACKGROUND()                                                                                   \
  if (!::yoke_test::runs_in_background(device)) YOKE_SKIP("the driver runs commands on the caller's thread")

#endif
