// SPDX-License-Identifier: MIT
// From CUDA C++ to bytes, without any device: PTX, cubins, LTO-IR by NVRTC.
#ifndef YOKE_CUDA_COMPILE_COMPILE_TO_HPP
#define YOKE_CUDA_COMPILE_COMPILE_TO_HPP

#include <yoke/cuda/compile/compile.hpp>

#include <utility>

namespace yoke::inline v0_1::cuda {

/// The kinds of image that a compiler makes.
enum class image_kind : std::uint8_t {
  cubin,   ///< machine code for one architecture
  ptx,     ///< text, which the driver compiles when it loads it
  fatbin,  ///< a container of cubins and PTX; only nvcc makes it
  lto,     ///< code for a linker that optimizes (LTO-IR)
};

/// An image that a compiler made.
struct compiled_image {
  image_kind kind = image_kind::ptx;
  std::vector<std::byte> bytes{};  ///< for `load_image`, except `lto`; PTX without a terminating zero
  std::string log{};               ///< the compiler's messages
  std::string kept_folder{};       ///< the folder of `compile_options::keep`
  /// Each of `.kernels` and `.name_expressions`, with its name in the image.
  std::vector<std::pair<std::string, std::string>> names{};
};

/// Compiles a source with NVRTC, without GPU and driver.
///
/// Takes the options of `compile` except `.jit` and `.cache`. `.architecture` ("sm_90") names the architecture of a
/// cubin; without it PTX and LTO-IR are for the oldest that NVRTC knows. A cubin for a `.code` apart is made of PTX by
/// nvJitLink. Throws: `compile_error` with log, options and
/// source; `logic_error` for options that contradict each other, a fatbin, or a cubin without an architecture;
/// `unsupported_error` without NVRTC, or one without LTO-IR; `error`. Thread safety: safe. Wraps `nvrtcCompileProgram`,
/// `nvrtcGetCUBIN`, `nvrtcGetPTX`, `nvrtcGetLTOIR`.
[[nodiscard]] YOKE_API compiled_image compile_to(image_kind kind, std::string_view source,
                                                 const compile_options& options = {},
                                                 const source_location& where = source_location::current());

struct build_request;

namespace detail {
struct known_name;

/// Throws: `logic_error` unless the context's device runs machine code for a real architecture.
void check_code_runs(const std::string& code, const context& in, const source_location& where);
/// Returns: a file name's extension, ".cubin".
[[nodiscard]] const char* ending_of(image_kind kind) noexcept;
/// Throws: `logic_error` for options that only a loaded module can use, in the options of a source that becomes no
/// module.
void check_no_module(const compile_options& options, const char* cache, const char* jit, const source_location& where);
/// Returns: the request of a compilation without a device. `defaults` go before the caller's options.
/// Throws: `logic_error` for options that need a device.
[[nodiscard]] build_request request_without_device(image_kind kind, const kernel_language& language,
                                                   std::string_view source, const compile_options& options,
                                                   std::vector<std::string> defaults, const source_location& where);
/// As `compile_to`; the result also has the names with the types that the compiler compared.
[[nodiscard]] compiled_image compile_named(image_kind kind, std::string_view source, const compile_options& options,
                                           std::vector<known_name>* known, const source_location& where);
}  // namespace detail

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/compile_to.ipp>
#endif

#endif
