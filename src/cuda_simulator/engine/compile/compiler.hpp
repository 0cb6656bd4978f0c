// SPDX-License-Identifier: MIT
// Compiles CUDA C++ text into an image that this machine's CPU runs.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_COMPILER_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_COMPILER_HPP

#include <string>
#include <utility>
#include <vector>

namespace yoke::simulator {

struct compile_request {
  std::string source;
  std::string file_name = "default_program";
  std::vector<std::string> options;                          ///< as NVRTC takes them
  std::vector<std::pair<std::string, std::string>> headers;  ///< the names they are included by, and their texts
  std::vector<std::string> name_expressions;
  int compute_capability = 90;  ///< for __CUDA_ARCH__ where the options name no architecture
  int cuda_version = 13000;     ///< for __CUDACC_VER_MAJOR__ and __CUDACC_VER_MINOR__
};

enum class compile_status { success, invalid_option, compile_error, no_compiler, internal_error };

struct compile_result {
  compile_status status = compile_status::internal_error;
  std::string image;                                               ///< input of image::load
  std::string ptx;                                                 ///< as `image`, with parameters as in PTX
  std::string lto;                                                 ///< for a linker, where the options ask for it
  std::string log;                                                 ///< messages as "file(line): error: text"
  std::vector<std::pair<std::string, std::string>> lowered_names;  ///< of the name expressions, in their order
};

/// Effects: runs the host compiler: $YOKE_SIMULATOR_COMPILER, else the one that built the engine, else c++ in PATH.
/// Returns: the image, or why there is none. Throws: std::bad_alloc.
/// Thread safety: any number of threads at once.
compile_result compile(const compile_request& request);

}  // namespace yoke::simulator

#endif
