// SPDX-License-Identifier: MIT
// Plays CUDA's libraries for the tests of products and transforms: calculates on the host, records calls, fails on
// demand.
#ifndef YOKE_TESTS_SUPPORT_DRIVERS_FAKE_MATH_LIBRARIES_HPP
#define YOKE_TESTS_SUPPORT_DRIVERS_FAKE_MATH_LIBRARIES_HPP

#include <yoke/driver/cuda/libraries/math_libraries.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace yoke_test {

/// What the libraries were asked for.
struct fake_math_state {
  std::mutex mutex{};
  std::vector<std::string> calls{};      ///< the entries in order
  std::map<std::string, int> answers{};  ///< the code that each call of an entry returns, unless 0
  std::set<void*> handles{};             ///< and descriptors
  std::map<int, yoke::detail::library_transform> plans{};
  std::map<int, void*> work_areas{};
  std::set<void*> busy{};  ///< handles in a call
  int overlaps = 0;        ///< calls of a handle or a plan while another one ran
  int plans_made = 0;
  std::size_t workspace_bytes = 256;  ///< of each plan
  std::size_t sparse_bytes = 96;      ///< of each sparse product
  int solver_info = 0;                ///< of eigenvalues and singular values; not 0: they did not converge
  yoke::cuda::abi::cublas_compute compute{};
  int failing_captures = 0;                                        ///< how many calls in captures fail
  std::vector<std::unique_ptr<std::function<void()>>> captured{};  ///< what graphs do
  /// Returns: how often an entry was called.
  [[nodiscard]] int count(const std::string& entry);
};
[[nodiscard]] fake_math_state& fake_math();

/// Every context made while this lives uses the fake libraries, on the simulator, too.
class with_fake_math {
 public:
  with_fake_math();
  ~with_fake_math();
  with_fake_math(const with_fake_math&) = delete;
  with_fake_math& operator=(const with_fake_math&) = delete;
};

}  // namespace yoke_test

#endif
