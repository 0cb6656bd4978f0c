// SPDX-License-Identifier: MIT
// NVRTC as a compiler object with its own options.
#ifndef YOKE_CUDA_COMPILE_NVRTC_HPP
#define YOKE_CUDA_COMPILE_NVRTC_HPP

#include <yoke/cuda/compile/compile_to.hpp>

namespace yoke::inline v0_1::cuda {

/// Returns: the version of the newest NVRTC that was found, 12080 for 12.8. It needs no device.
/// Throws: `unsupported_error` with the places that were searched if none was found; `error`. Thread safety: safe.
/// Wraps `nvrtcVersion`.
[[nodiscard]] YOKE_API int nvrtc_version(const source_location& where = source_location::current());

/// NVRTC with options for every source, which `cuda::compile` does not have.
/// Example: `const cuda::nvrtc fast{.options = {"--use_fast_math"}}; auto module = fast.compile(ctx, source);`
/// Thread safety: safe.
struct nvrtc {
  std::vector<std::string> options{};  ///< for every source, after `YOKE_CUDA_OPTIONS` and before the options of a call

  /// `cuda::compile`, with these options before the caller's; the caller's win.
  /// Throws: as `cuda::compile`. Wraps `nvrtcCompileProgram`, `cuLibraryLoadData`.
  [[nodiscard]] YOKE_API module compile(const context& in, std::string_view source, const compile_options& with = {},
                                        const source_location& where = source_location::current()) const;
  /// `cuda::compile_to` with these options before the caller's. Throws: as `cuda::compile_to`. Wraps
  /// `nvrtcCompileProgram`.
  [[nodiscard]] YOKE_API compiled_image compile_to(image_kind kind, std::string_view source,
                                                   const compile_options& with = {},
                                                   const source_location& where = source_location::current()) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/nvrtc.ipp>
#endif

#endif
