// SPDX-License-Identifier: MIT
// How one nvcc is told from another, and where it looks for headers, found without running it.
#ifndef YOKE_CUDA_COMPILE_NVCC_FACTS_HPP
#define YOKE_CUDA_COMPILE_NVCC_FACTS_HPP

#include <yoke/program/cache/cache_key.hpp>
#include <yoke/program/cache/program_cache.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: the program of that name in `$PATH`; "" when there is none.
[[nodiscard]] std::string program_in_path(const std::string& name);

/// Returns: what a cache's key takes from a request for nvcc, which has wishes in variables too.
[[nodiscard]] cache_inputs nvcc_inputs(const compile_request& request, const build_target& target);

/// An nvcc with its toolkit and its compiler for the host, as far as their files tell.
class nvcc_facts {
 public:
  /// `program` is nvcc's path, or "" where there is none.
  nvcc_facts(const std::string& program, const std::vector<std::string>& options);

  /// Returns: "nvcc 13.0.48 0123456789abcdef"; "" where there is none.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Returns: the options that may tell of headers.
  [[nodiscard]] const std::vector<std::string>& options() const noexcept { return options_; }
  /// Returns: the toolkit's folders of headers.
  [[nodiscard]] const std::vector<std::string>& folders() const noexcept { return folders_; }
  /// Returns: why there may be headers elsewhere; "" when there is no reason.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  /// Effects: takes the host compiler out of an option, and options for it apart.
  void take(const std::string& option, std::string& host);
  void add_file(const std::filesystem::path& path);
  void add_host(const std::string& given);
  void add_folders(const std::filesystem::path& top);

  std::string identity_;
  std::string name_;
  std::vector<std::string> options_;
  std::vector<std::string> folders_;
  std::string problem_;
};

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/nvcc_facts.ipp>
#endif

#endif
