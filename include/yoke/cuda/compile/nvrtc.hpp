// SPDX-License-Identifier: MIT
// NVRTC as a compiler object with options of its own.
#ifndef YOKE_CUDA_COMPILE_NVRTC_HPP
#define YOKE_CUDA_COMPILE_NVRTC_HPP

#include <yoke/cuda/compile/compile_to.hpp>

namespace yoke::inline v0_1::cuda {

/// Returns: NVRTC's version, 12080 for 12.8, the newest that is found. It needs no device.
/// Throws: `unsupported_error` where there is none, with the places; `error`. Thread safety: safe. Wraps `nvrtcVersion`.
[[nodiscard]] YOKE_API int nvrtc_version(const source_location& where = source_location::current());

/// The compiler NVRTC with options for every source; `cuda::compile` has none.
/// Example: `const cuda::nvrtc fast{.options = {"--use_fast_math"}}; auto module = fast.compile(ctx, source);`
/// Thread safety: safe.
struct nvrtc {
  std::vector<std::string> options{};  ///< for every source, behind `YOKE_CUDA_OPTIONS` and before those of a call

  /// `cuda::compile`, with these options before the caller's; the caller's win.
  /// Throws: as that. Wraps `nvrtcCompileProgram`, `cuLibraryLoadData`.
  [[nodiscard]] YOKE_API module compile(const context& in, std::string_view source, const compile_options& with = {},
                                        const source_location& where = source_location::current()) const;
  /// `cuda::compile_to`, in the same way. Throws: as that. Wraps `nvrtcCompileProgram`.
  [[nodiscard]] YOKE_API compiled_image compile_to(image_kind kind, std::string_view source,
                                                   const compile_options& with = {},
                                                   const source_location& where = source_location::current()) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/nvrtc.ipp>
#endif

#endif
