// SPDX-License-Identifier: MIT
// Finds the kernels that a preprocessed source defines, so that the compiler can be asked about each.
#ifndef YOKE_SIMULATOR_ENGINE_KERNEL_SCAN_HPP
#define YOKE_SIMULATOR_ENGINE_KERNEL_SCAN_HPP

#include <string>
#include <string_view>
#include <vector>

namespace yoke::simulator {

struct found_kernel {
  std::string scope;          ///< the namespaces around it, "a::b", or nothing
  std::string name;           ///< with template arguments where it is an explicit instantiation
  std::string parameters;     ///< as written, with their parentheses
  std::string launch_bounds;  ///< the arguments as written, or nothing
  std::string place;          ///< where its declaration begins, as a line marker says it: 12 "file.cu"
};

/// Returns: the kernels at namespace scope of `text`, which the preprocessor has been over. Templates are not among them:
/// those become kernels by explicit instantiation or by a name expression.
std::vector<found_kernel> find_kernels(std::string_view text);

}  // namespace yoke::simulator

#endif
