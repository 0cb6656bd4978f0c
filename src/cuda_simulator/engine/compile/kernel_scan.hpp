// SPDX-License-Identifier: MIT
// Finds the kernels that a preprocessed source defines, so that the compiler can be asked about each.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_KERNEL_SCAN_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_KERNEL_SCAN_HPP

#include <string>
#include <string_view>
#include <vector>

namespace yoke::simulator {

struct found_kernel {
  std::string scope{};          ///< the namespaces around it, "a::b", or nothing
  std::string qualifier{};      ///< the namespaces that stand before its name, or nothing
  std::string base_name{};      ///< without qualifier and template arguments
  std::string name{};           ///< with both, as written
  std::string parameters{};     ///< as written, with their parentheses and without default arguments
  std::string launch_bounds{};  ///< the arguments as written, or nothing
  std::string place{};          ///< where its declaration begins, as in a line marker: 12 "file.cu"
  bool is_instance = false;     ///< of a template: an explicit instantiation or specialisation
  bool is_overloaded = false;   ///< there may be other functions of that name
};

struct refused_declaration {
  std::string place;  ///< 12 "file.cu"
  std::string words;
};

struct kernel_scan {
  std::vector<found_kernel> kernels{};
  std::vector<refused_declaration>
      refusals{};  ///< kernels in wrong places, unreadable kernels, and initialised __shared__ variables
};

/// Returns: the kernels at namespace scope of `text`, which the preprocessor has been over. Templates are not among
/// them: those become kernels by explicit instantiation or specialisation, or by a name expression. A kernel that is
/// not found is refused, so that none is lost silently.
kernel_scan find_kernels(std::string_view text);

}  // namespace yoke::simulator

#endif
