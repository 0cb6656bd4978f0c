// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/language.hpp.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_LANGUAGE_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_LANGUAGE_IPP

#include <yoke/driver/cuda/program/language.hpp>

#include <yoke/core/environment.hpp>
#include <yoke/language/cuda_prelude.hpp>
#include <yoke/language/language.hpp>
#include <yoke/language/opencl_c_prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace yoke::inline v0_1::cuda::detail {

const char* image_ending(std::span<const std::byte> image) noexcept {
  const std::string_view content(reinterpret_cast<const char*>(image.data()), image.size());
  if (content.substr(0, 4).ends_with("ELF")) return ".cubin";
  const bool is_text = content.find('\0') == std::string_view::npos;
  return is_text && content.find(".version ") != std::string_view::npos ? ".ptx" : ".bin";
}

const kernel_language& language() noexcept {
  static constexpr kernel_language cuda_cxx{
      .name = "CUDA C++",
      .backend = "CUDA",
      .source_name = "kernel.cu",
      .prelude = prelude_text,
      .opencl_c_prelude = opencl_c_prelude_text,
      .types = type_names::cuda,
      .cxx = true,
      .translates_opencl_c = true,
      .blocks_progress = true,
      .sure_block = 1024,
      .coalesces = true,
      .options_variable = "YOKE_CUDA_OPTIONS",
      .options = &environment::cuda_options,
      .valued_options =
          "-std --std -arch --gpu-architecture -code --gpu-code -gencode --generate-code -maxrregcount --maxrregcount "
          "-Xptxas --ptxas-options -Xcompiler --compiler-options -ccbin --compiler-bindir",
      .math = {.fast = "--use_fast_math",
               .flush_denormals = {"--ftz=true", "--ftz=false"},
               .contract = {"--fmad=true", "--fmad=false"},
               .exact_division = {"--prec-div=true --prec-sqrt=true", "--prec-div=false --prec-sqrt=false"}},
      .condition_source =
          "extern \"C\" __device__ __cudart_builtin__ void cudaGraphSetConditional(unsigned long long condition, "
          "unsigned "
          "int value);\n"
          "extern \"C\" __global__ void yoke_g_condition(unsigned long long condition, const unsigned int* value) {\n"
          "  cudaGraphSetConditional(condition, *value);\n"
          "}\n",
      .own_include = "\n#include <cuda_",
      .binary_ending = &image_ending,
  };
  return cuda_cxx;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
