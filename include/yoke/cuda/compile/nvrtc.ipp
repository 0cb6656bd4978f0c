// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/nvrtc.hpp.
#ifndef YOKE_CUDA_COMPILE_NVRTC_IPP
#define YOKE_CUDA_COMPILE_NVRTC_IPP

#include <yoke/cuda/compile/nvrtc.hpp>

#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/program/compile.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
compile_options options_behind(const std::vector<std::string>& defaults, const compile_options& with) {
  compile_options all = with;
  std::vector<std::string> own = yoke::detail::normal_options(defaults, detail::language());
  // A member of the call's options overrides a default given as an option.
  if (!with.architecture.empty() || !with.code.empty()) {
    yoke::detail::drop_options(own, {"gpu-architecture", "gpu-code"});
  }
  if (!with.standard.empty()) yoke::detail::drop_options(own, {"std"});
  own = yoke::detail::joined_options(own, yoke::detail::math_words(with.math, detail::language().math));
  all.math = {};
  all.options = yoke::detail::joined_options(own, with.options);
  return all;
}
}  // namespace detail

int nvrtc_version(const source_location& where) { return detail::default_nvrtc(where).version; }

cuda::module nvrtc::compile(const context& in, std::string_view source, const compile_options& with,
                            const source_location& where) const {
  return cuda::compile(in, source, detail::options_behind(options, with), where);
}

compiled_image nvrtc::compile_to(image_kind kind, std::string_view source, const compile_options& with,
                                 const source_location& where) const {
  return cuda::compile_to(kind, source, detail::options_behind(options, with), where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
