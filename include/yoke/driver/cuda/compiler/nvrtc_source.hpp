// SPDX-License-Identifier: MIT
// One compilation by NVRTC, from text and options to an image and names.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVRTC_SOURCE_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVRTC_SOURCE_HPP

#include <yoke/driver/cuda/compiler/functions.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/invoke.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// An NVRTC program owned by a scope.
class nvrtc_source {
 public:
  nvrtc_source(const abi::nvrtc_functions& nvrtc, const std::string& text, const std::string& name,
               const source_location& where)
      : nvrtc_(nvrtc), where_(where) {
    check(nvrtc.create_program(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr), "nvrtcCreateProgram");
  }
  nvrtc_source(const nvrtc_source&) = delete;
  nvrtc_source& operator=(const nvrtc_source&) = delete;
  ~nvrtc_source() { (void)nvrtc_.destroy_program(&program_); }

  void add_expression(const std::string& expression) const {
    check(nvrtc_.add_name_expression(program_, expression.c_str()), "nvrtcAddNameExpression");
  }
  [[nodiscard, gnu::cold]] abi::nvrtc_status compile(const std::vector<std::string>& options) const {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& each : options) pointers.push_back(each.c_str());
    return nvrtc_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  [[nodiscard, gnu::cold]] std::string lowered(const std::string& expression) const {
    const char* name = nullptr;
    check(nvrtc_.get_lowered_name(program_, expression.c_str(), &name), "nvrtcGetLoweredName");
    return name == nullptr ? "" : name;
  }
  [[nodiscard, gnu::cold]] std::string log() const {
    std::size_t size = 0;
    if (nvrtc_.get_program_log_size(program_, &size) != 0 || size == 0) return "";
    std::string text(size, '\0');
    if (nvrtc_.get_program_log(program_, text.data()) != 0) return "";
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }
  /// Returns: the cubin; empty for a virtual architecture.
  [[nodiscard, gnu::cold]] std::vector<std::byte> cubin() const {
    std::size_t size = 0;
    std::vector<std::byte> image;
    if (nvrtc_.get_cubin_size(program_, &size) != 0 || size == 0) return image;
    image.resize(size);
    check(nvrtc_.get_cubin(program_, reinterpret_cast<char*>(image.data())), "nvrtcGetCUBIN");
    return image;
  }
  /// Returns: the LTO-IR. Requires: this NVRTC has the calls and the option.
  [[nodiscard, gnu::cold]] std::vector<std::byte> ltoir() const {
    std::size_t size = 0;
    check(nvrtc_.get_ltoir_size(program_, &size), "nvrtcGetLTOIRSize");
    std::vector<std::byte> code(size);
    if (size != 0) check(nvrtc_.get_ltoir(program_, reinterpret_cast<char*>(code.data())), "nvrtcGetLTOIR");
    return code;
  }
  /// Returns: the PTX with a terminating zero. If an option suppressed it: empty, or an error if `needed`.
  [[nodiscard, gnu::cold]] std::vector<std::byte> ptx(bool needed) const {
    std::size_t size = 0;
    std::vector<std::byte> text;
    const abi::nvrtc_status status = nvrtc_.get_ptx_size(program_, &size);
    if (needed) check(status, "nvrtcGetPTXSize");
    if (status != 0) return text;
    text.resize(size);
    check(nvrtc_.get_ptx(program_, reinterpret_cast<char*>(text.data())), "nvrtcGetPTX");
    return text;
  }

 private:
  void check(abi::nvrtc_status status, const char* call) const {
    if (status != 0) throw_nvrtc_failure(status, call, "", where_);
  }
  const abi::nvrtc_functions& nvrtc_;
  source_location where_;
  abi::nvrtc_program program_ = nullptr;
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif
