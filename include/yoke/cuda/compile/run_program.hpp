// SPDX-License-Identifier: MIT
// Runs a program without a shell and collects its output; makes a folder for its files.
#ifndef YOKE_CUDA_COMPILE_RUN_PROGRAM_HPP
#define YOKE_CUDA_COMPILE_RUN_PROGRAM_HPP

#include <yoke/core/error.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// How a program ended.
struct program_result {
  std::string failure{};  ///< "" if it ended with status 0; else the reason: "ended with status 1"
  std::string standard_output{};
  std::string standard_error{};
};

/// Returns: the variables of this process, "NAME=value" each.
[[nodiscard]] std::vector<std::string> process_variables();
/// Returns: the variables, with another folder for temporary files.
[[nodiscard]] std::vector<std::string> variables_with_folder(std::vector<std::string> variables,
                                                             const std::string& folder);

/// Effects: runs a program, by its path, with these words and environment, and waits for it.
[[nodiscard]] program_result run_program(std::vector<std::string> words, std::vector<std::string> environment);

/// A folder for a scope, removed with its content; or a kept folder.
class work_folder {
 public:
  /// Effects: makes a folder in the system's folder for temporary files, `$TMPDIR` or `/tmp`, that only its user can
  /// access; takes `kept` instead when it is not empty.
  /// Throws: `runtime_error` with the folder that cannot be made.
  work_folder(const std::string& kept, const source_location& where);
  work_folder(const work_folder&) = delete;
  work_folder& operator=(const work_folder&) = delete;
  ~work_folder();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  bool removed_;
};

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/run_program.ipp>
#endif

#endif
