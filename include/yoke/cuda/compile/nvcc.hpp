// SPDX-License-Identifier: MIT
// Runs nvcc as a compiler in place of NVRTC.
#ifndef YOKE_CUDA_COMPILE_NVCC_HPP
#define YOKE_CUDA_COMPILE_NVCC_HPP

#include <yoke/cuda/compile/compile_to.hpp>

namespace yoke::inline v0_1::detail {
class kept_build;
}
namespace yoke::inline v0_1::cuda {

/// The compiler nvcc. It needs a C++ compiler for the host, and takes host headers, fatbins and options that NVRTC does
/// not have; it does not support name expressions, checks of kernels, or sources in the dialect.
///
/// It runs without a shell. Its files go to a folder in `$TMPDIR` or `/tmp`, on Windows in `%TEMP%`, and are removed,
/// unless `compile_options::keep` names a folder.
/// Thread safety: safe.
struct nvcc {
  /// "": nvcc in `$PATH`, `$CUDA_PATH/bin`, `$CUDA_HOME/bin` or, except on Windows, `/usr/local/cuda/bin`.
  std::string path{};
  std::vector<std::string> options{};  ///< for every source, after `YOKE_CUDA_OPTIONS` and before the options of a call

  /// Returns: the program's path; "" when there is none. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::string location() const;

  /// Compiles a source without GPU and driver.
  /// Throws: `compile_error` with command line, options, source and both of nvcc's streams when nvcc is missing, fails
  /// or is killed; `logic_error` for options that contradict each other or are not for nvcc; `runtime_error` for files
  /// that cannot be written; `error`.
  [[nodiscard]] YOKE_API compiled_image compile_to(image_kind kind, std::string_view source,
                                                   const compile_options& options = {},
                                                   const source_location& where = source_location::current()) const;
  /// Compiles a source for the context's device and loads it: a cubin; PTX for an `.architecture` like "compute_90"
  /// without `.code`; a fatbin if the options choose architectures.
  /// `.cache` loads a program that the same nvcc has compiled before, without running it: the same by its path, by
  /// sizes and times of its files and the host compiler's, and by its `NVCC_..._FLAGS`. If none is installed, it loads
  /// a program of any nvcc. Throws: as above; `error`. Wraps `cuLibraryLoadData`.
  [[nodiscard]] YOKE_API module compile(const context& in, std::string_view source, const compile_options& options = {},
                                        const source_location& where = source_location::current()) const;

 private:
  [[nodiscard]] build_request request(image_kind kind, std::string_view source, const compile_options& with,
                                      const source_location& where) const;
  [[nodiscard]] compiled_image run(image_kind kind, const build_request& request, const yoke::detail::kept_build& kept,
                                   const source_location& where) const;
  [[nodiscard]] module compile_through_cache(image_kind kind, const context& in, std::string_view source,
                                             const compile_options& with, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/nvcc.ipp>
#endif

#endif
