// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/nvcc_facts.hpp.
#ifndef YOKE_CUDA_COMPILE_NVCC_FACTS_IPP
#define YOKE_CUDA_COMPILE_NVCC_FACTS_IPP

#include <yoke/cuda/compile/nvcc_facts.hpp>

#include <yoke/core/native_path.hpp>
#include <yoke/core/sha256.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/cuda/compile/cache_inputs.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>

namespace yoke::inline v0_1::cuda::detail {

std::string program_in_path(const std::string& name) {
  const char* const given = yoke::detail::trusted_variable("PATH");
  const std::string_view folders = given == nullptr ? "" : given;
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(yoke::detail::path_separator, begin), folders.size());
    std::string path = yoke::detail::text(folders.substr(begin, end - begin), "/", name);
    begin = end + 1;
    if (!path.ends_with(yoke::detail::program_ending)) path += yoke::detail::program_ending;
    if (yoke::detail::is_absolute_path(path) && path.size() > name.size() + 1 && yoke::detail::is_program(path))
      return path;
  }
  return "";
}

/// The host compilers that nvcc uses by default.
#if defined(_WIN32)
inline constexpr const char* host_compilers[] = {"cl"};
#else
inline constexpr const char* host_compilers[] = {"gcc", "g++"};
#endif

/// Environment variables with options that nvcc puts before and after all others.
inline constexpr const char* nvcc_flags[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};

/// Returns: the value of a variable; "" if it is not set.
std::string variable_text(const char* name) {
#if defined(_WIN32)
  const char* const given = yoke::detail::trusted_variable(name);
#else
  const char* const given = std::getenv(name);  // nvcc reads it in the same way
#endif
  return given == nullptr ? "" : given;
}

cache_inputs nvcc_inputs(const compile_request& request, const build_target& target) {
  cache_inputs inputs = cache_inputs_of(request, target);
  for (const char* const each : nvcc_flags) inputs.options.push_back(std::string(each) + "=" + variable_text(each));
  return inputs;
}

/// Returns: " 13.0.48" from a toolkit's list of versions; "" if the list has none.
std::string version_in_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view before = "\"version\"";
  const std::size_t part = all.find("\"cuda_nvcc\"");
  const std::size_t key = part == std::string::npos ? part : all.find(before, part);
  const std::size_t begin = key == std::string::npos ? key : all.find('"', key + before.size());
  if (begin == std::string::npos) return "";
  const std::size_t end = all.find_first_not_of("0123456789.", begin + 1);
  return end == std::string::npos || all[end] != '"' ? "" : " " + all.substr(begin + 1, end - begin - 1);
}

nvcc_facts::nvcc_facts(const std::string& program, const std::vector<std::string>& options) {
  std::string host = variable_text("NVCC_CCBIN");
  std::vector<std::string> all = options;
  for (const char* const each : nvcc_flags) {
    const std::string words = variable_text(each);
    if (!words.empty()) all.push_back(words);
  }
  for (const std::string& each : all) take(each, host);
  for (const char* const each : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    if (!variable_text(each).empty()) problem_ = std::string(each) + " names folders of the host compiler's";
  }
  if (program.empty()) return;
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(yoke::detail::native_path(program), failure);
  if (failure) return;
  const std::filesystem::path bin = real.parent_path();
  const std::filesystem::path top = bin.parent_path();
  add_file(real);
  for (const char* const each : {"bin/nvcc.profile", "bin/cudafe++", "bin/ptxas", "bin/fatbinary", "nvvm/bin/cicc",
                                 "nvvm/libdevice/libdevice.10.bc", "version.json"}) {
    add_file(top / each);
  }
  add_host(host);
  add_folders(top);
  name_ = "nvcc" + version_in_file(top / "version.json") + " ";
  const auto digest = yoke::detail::sha256(std::as_bytes(std::span{identity_.data(), identity_.size()}));
  // Stored data must not contain a path, only a digest that identifies it.
  for (std::size_t i = 0; i < 8; ++i) name_ += yoke::detail::hex_digits(std::to_integer<unsigned>(digest[i]), 2);
}

void nvcc_facts::take(const std::string& option, std::string& host) {
  const std::size_t value = option.find('=');
  std::string_view key = std::string_view(option).substr(0, value);
  key.remove_prefix((std::min)(key.find_first_not_of('-'), key.size()));
  if (value != std::string::npos && (key == "ccbin" || key == "compiler-bindir")) {
    host = option.substr(value + 1);
  } else if (value != std::string::npos && (key == "Xcompiler" || key == "compiler-options")) {
    for (std::size_t begin = value + 1; begin <= option.size();) {
      const std::size_t end = (std::min)(option.find(',', begin), option.size());
      options_.push_back(option.substr(begin, end - begin));
      begin = end + 1;
    }
  } else {
    options_.push_back(option);
  }
}

void nvcc_facts::add_file(const std::filesystem::path& path) {
  const std::string text = yoke::detail::path_text(path);
  identity_ += text + '\0' + yoke::detail::facts_of_file(text) + "\n";
}

void nvcc_facts::add_host(const std::string& given) {
  std::error_code failure;
  for (const char* const each : host_compilers) {
    std::string path = given;
    if (given.empty()) {
      path = program_in_path(each);
    } else if (std::filesystem::is_directory(yoke::detail::native_path(given), failure)) {
      path = given + "/" + each;
    } else if (given.find_first_of(yoke::detail::path_steps) == std::string::npos) {
      path = program_in_path(given);
    }
    const std::filesystem::path named = yoke::detail::native_path(path);
    const std::filesystem::path real = std::filesystem::canonical(named, failure);
    add_file(failure ? named : real);
  }
}

void nvcc_facts::add_folders(const std::filesystem::path& top) {
  std::vector<std::filesystem::path> found{top / "include"};
  std::error_code failure;
  for (auto each = std::filesystem::directory_iterator(top / "targets", failure);
       !failure && each != std::filesystem::directory_iterator(); each.increment(failure)) {
    found.push_back(each->path() / "include");
  }
  std::sort(found.begin(), found.end());
  for (const std::filesystem::path& each : found) {
    for (const std::filesystem::path& folder : {each, each / "cccl"}) {
      if (std::filesystem::is_directory(folder, failure)) folders_.push_back(yoke::detail::path_text(folder));
    }
  }
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
