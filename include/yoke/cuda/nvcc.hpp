// SPDX-License-Identifier: MIT
// nvcc, the compiler that is a program, in the place of NVRTC.
#ifndef YOKE_CUDA_NVCC_HPP
#define YOKE_CUDA_NVCC_HPP

#include <yoke/cuda/compile_to.hpp>

namespace yoke::inline YOKE_ABI::detail {
class kept_build;
}
namespace yoke::inline YOKE_ABI::cuda {

/// The compiler nvcc. It wants a C++ compiler for the host beside it, and takes host headers, fatbins and all that NVRTC
/// does not; it takes no name expressions, kernels to check or sources in the dialect.
///
/// It is run without a shell. Its files go to a folder of their own in `$TMPDIR`, or `/tmp`, which is removed in any
/// case, but with `compile_options::keep` stays in that folder.
/// Thread safety: safe.
struct nvcc {
  std::string path{};  ///< "": nvcc in `$PATH`, `$CUDA_PATH/bin`, `$CUDA_HOME/bin`, `/usr/local/cuda/bin`
  std::vector<std::string> options{};  ///< for every source, behind `YOKE_CUDA_OPTIONS` and before those of a call

  /// Returns: the program that is run; "" when there is none. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::string location() const;

  /// Compiles a source, for no device: no GPU has to be there.
  /// Throws: `compile_error` with command line, options, source and both of nvcc's streams when nvcc is not there, fails
  /// or is killed; `logic_error` for options that contradict each other or are not for nvcc; `runtime_error` for files
  /// that cannot be written; `error`.
  [[nodiscard]] YOKE_API compiled_image compile_to(image_kind kind, std::string_view source,
                                                   const compile_options& options = {},
                                                   const source_location& where = source_location::current()) const;
  /// Compiles a source for the context's device and loads it: a cubin; PTX for an `.architecture` like "compute_90"; a
  /// fatbin where the options choose architectures.
  /// With `.cache` what the same nvcc has compiled before is loaded, and nvcc is not run: the same by its path, by size
  /// and time of its files and of the host compiler's, and by its `NVCC_..._FLAGS`. Where none is installed, whatever one
  /// has compiled.
  /// Throws: as above; `error`. Wraps `cuLibraryLoadData`.
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

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/cuda/impl/nvcc.ipp>
#endif

#endif
