// SPDX-License-Identifier: MIT
// The calling thread's stack of CUDA contexts, seen without the library.
#ifndef YOKE_TESTS_SUPPORT_CUDA_STACK_HPP
#define YOKE_TESTS_SUPPORT_CUDA_STACK_HPP

#include <yoke/driver/cuda/abi/functions.hpp>

#include <algorithm>
#include <vector>

namespace yoke_test {

class cuda_stack {
 public:
  using context = yoke::cuda::abi::context;

  explicit cuda_stack(const yoke::cuda::abi::functions& driver) : driver_(driver) {}

  /// Returns: what is current; null for nothing.
  [[nodiscard]] context current() const {
    context now = nullptr;
    driver_.context_get_current(&now);
    return now;
  }
  /// Effects: takes the stack down and builds it up again. Returns: the contexts, the current one last.
  [[nodiscard]] std::vector<context> contexts() const {
    std::vector<context> all;
    context each = nullptr;
    while (current() != nullptr && driver_.context_pop(&each) == 0) all.push_back(each);
    std::reverse(all.begin(), all.end());
    for (const context one : all) driver_.context_push(one);
    return all;
  }

 private:
  const yoke::cuda::abi::functions& driver_;
};

}  // namespace yoke_test

#endif
