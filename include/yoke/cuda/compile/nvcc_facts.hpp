// SPDX-License-Identifier: MIT
// Identifies an nvcc, and its header folders, without running it.
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

/// Returns: the parts of a request for nvcc that belong to a cache key, including environment variables with options.
[[nodiscard]] cache_inputs nvcc_inputs(const compile_request& request, const build_target& target);

/// The facts about an nvcc, its toolkit and its host compiler, as far as their files tell.
class nvcc_facts {
 public:
  /// `program` is nvcc's path; "" without nvcc.
  nvcc_facts(const std::string& program, const std::vector<std::string>& options);

  /// Returns: "nvcc 13.0.48 0123456789abcdef"; "" without nvcc.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Returns: the options that may affect the search for headers.
  [[nodiscard]] const std::vector<std::string>& options() const noexcept { return options_; }
  /// Returns: the toolkit's folders of headers.
  [[nodiscard]] const std::vector<std::string>& folders() const noexcept { return folders_; }
  /// Returns: why headers may also come from elsewhere; "" if they cannot.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  /// Effects: extracts the host compiler from an option, and splits options for it.
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
