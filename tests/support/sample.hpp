// SPDX-License-Identifier: MIT
// What runs whole in `./dev check` and as a sample in `./dev test`.
#ifndef YOKE_TESTS_SUPPORT_SAMPLE_HPP
#define YOKE_TESTS_SUPPORT_SAMPLE_HPP

#include <support/devices/devices.hpp>
#include <support/faults/fault_run.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace yoke_test {

/// Whether all runs, and not only a sample: with YOKE_TEST_FAULTS=all.
inline bool runs_whole() { return default_fault_step() == 1; }

/// Returns: the numbers from `first` to `last`; in a sample the first, the last and every seventh.
inline std::vector<std::size_t> sampled(std::size_t first, std::size_t last) {
  std::vector<std::size_t> numbers;
  for (std::size_t each = first; each < last; each += default_fault_step()) numbers.push_back(each);
  if (first <= last) numbers.push_back(last);
  return numbers;
}

/// Returns: whether a device of this backend is to be tested.
inline bool has_devices_of(std::string_view backend) {
  const auto& all = test_devices<any_backend>().devices;
  return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.backend_name() == backend; });
}

/// Returns: whether a case runs on this device: in a sample only on the backend that it names, "opencl" or "cuda", if there is
/// one. For cases about what the floors below do alike on both.
template <class Port>
bool takes(const yoke::device<Port>& on, std::string_view backend) {
  return runs_whole() || on.backend_name() == backend || !has_devices_of(backend);
}

/// Shares cases whose kernels take long to compile between OpenCL and CUDA, where there are both: in a sample each takes every
/// other one, OpenCL the first and CUDA the second, so that the two take them all.
class turns {
 public:
  template <class Port>
  explicit turns(const yoke::device<Port>& on)
      : step_(runs_whole() || !has_devices_of("opencl") || !has_devices_of("cuda") ? 1 : 2),
        at_(on.backend_name() == std::string_view("opencl") ? 0 : 1) {}

  /// Returns: whether the next case is this device's.
  [[nodiscard]] bool operator()() noexcept { return at_++ % step_ == 0; }

 private:
  std::size_t step_;
  std::size_t at_;
};

}  // namespace yoke_test

#endif
