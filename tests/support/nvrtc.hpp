// SPDX-License-Identifier: MIT
// Compiles a text with the real NVRTC, for programs that look at kernels where there is no GPU.
#ifndef YOKE_TESTS_SUPPORT_NVRTC_HPP
#define YOKE_TESTS_SUPPORT_NVRTC_HPP

#include <yoke/driver/cuda/compiler/nvrtc.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace yoke_test {

struct nvrtc_result {
  bool compiled = false;
  std::string log{};
  std::string ptx{};
  /// Returns: whether a kernel of this name, plain or mangled, is in the PTX.
  [[nodiscard]] bool has_kernel(const std::string& name) const {
    if (ptx.find(".entry " + name + "(") != std::string::npos) return true;
    const std::string last = name.substr(name.rfind(':') + 1);
    for (std::size_t at = 0; (at = ptx.find(".entry _Z", at)) != std::string::npos; ++at) {
      const std::string symbol = ptx.substr(at, ptx.find('(', at) - at);
      if (symbol.find(std::to_string(last.size()) + last) != std::string::npos) return true;
    }
    return false;
  }
};

inline nvrtc_result compile_with(const yoke::cuda::abi::nvrtc_functions& nvrtc, const std::string& name,
                                 const std::string& text, const std::vector<std::string>& options) {
  std::vector<const char*> words;
  for (const std::string& each : options) words.push_back(each.c_str());
  nvrtc_result result;
  yoke::cuda::abi::nvrtc_program program = nullptr;
  if (nvrtc.create_program(&program, text.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr) != 0) return result;
  result.compiled = nvrtc.compile_program(program, static_cast<int>(words.size()), words.data()) == 0;
  std::size_t size = 0;
  if (nvrtc.get_program_log_size(program, &size) == 0 && size > 1) {
    result.log.resize(size);
    (void)nvrtc.get_program_log(program, result.log.data());
    result.log.pop_back();  // the zero at its end
  }
  if (result.compiled && nvrtc.get_ptx_size(program, &size) == 0 && size > 1) {
    result.ptx.resize(size);
    (void)nvrtc.get_ptx(program, result.ptx.data());
  }
  (void)nvrtc.destroy_program(&program);
  return result;
}

}  // namespace yoke_test

#endif
