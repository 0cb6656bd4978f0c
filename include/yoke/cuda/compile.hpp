// SPDX-License-Identifier: MIT
// From CUDA C++, cubins, PTX and fatbins to a module, with all that CUDA's compilers can be told.
#ifndef YOKE_CUDA_COMPILE_HPP
#define YOKE_CUDA_COMPILE_HPP

#include <yoke/cuda/names.hpp>
#include <yoke/driver/cuda/jit_options.hpp>
#include <yoke/program/typed.hpp>

#include <string>

namespace yoke::inline YOKE_ABI::cuda {

/// How a source is compiled for CUDA: `yoke::compile_options`, and what NVRTC and the driver take beyond it.
struct compile_options {
  std::vector<std::string> options{};          ///< passed on, in order
  std::vector<std::string> include_folders{};  ///< searched for `#include`
  std::vector<define> defines{};               ///< defined before the first line
  std::string standard{};                      ///< always given to the compiler: "c++17" by default
  std::string name{};                          ///< how messages call the source; "kernel.cu" by default
  language_option language = source_language::automatic;
  std::vector<typed_kernel> kernels{};          ///< compared by the compiler: `yoke::typed<void(float*, int)>("f")`
  std::vector<std::string> name_expressions{};  ///< made and kept: "f<float, 4>", "&ns::variable"
  std::string architecture{};                   ///< "sm_90", "compute_90"; the device's by default
  jit_options jit{};                            ///< where the driver compiles what NVRTC left as PTX
  const program_cache* cache = nullptr;         ///< as in `yoke::compile_options`
  std::vector<std::byte> header_digest{};       ///< as there
  folder_option keep{};                         ///< and this
  types_option types{};                         ///< and these
  math_options math{};                          ///< and this
  headers_option headers{};                     ///< and these
};

/// Compiles a source for the context's device.
///
/// A kernel among `.kernels` is compared by NVRTC itself with the signature given, overloads, template instances and
/// `extern "C"` too; `get_kernel` with that name and signature then says `checked() == signature_check::types`. A type
/// that the library cannot spell (a struct without a `device_type_name`) leaves it to the other checks.
/// `.name_expressions` makes instances of templates, which `get_kernel` and `get_global` then take by the same words.
/// Where NVRTC does not know the device yet, it makes PTX, which the driver compiles.
/// Throws: `compile_error` with log, options and source; `logic_error` for a kernel whose signature is another
/// (`errc::signature_mismatch`), shown beside the one asked for, and for options that cannot be passed on or contradict
/// each other; `unsupported_error` without NVRTC; `error`. Thread safety: safe.
/// Wraps `nvrtcCompileProgram`, `nvrtcAddNameExpression`, `nvrtcGetLoweredName`, `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module compile(const context& in, std::string_view source, const compile_options& options = {},
                                      const source_location& where = source_location::current());

/// The same of a source that is a file: as `yoke::compile_file`.
[[nodiscard]] YOKE_API module compile_file(const context& in, const std::string& path,
                                           const compile_options& options = {},
                                           const source_location& where = source_location::current());

/// Loads a cubin, PTX or a fatbin.
/// The bytes are looked at before the driver sees them, because it is given no size: a damaged image may still be
/// refused by the driver, a cut one is refused here. `module.build_log()` has what the driver's compiler said.
/// Throws: `logic_error` (`errc::incompatible_binary`) for bytes that are no whole image; `compile_error` with the
/// driver's log for PTX that it refuses; `error`. Thread safety: safe. Wraps `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module load_image(const context& in, std::span<const std::byte> image,
                                         const jit_options& jit = {},
                                         const source_location& where = source_location::current());
/// The same of a file.
/// Throws: `logic_error` (`errc::invalid_argument`) with the path for a file that is missing, a folder, empty or not
/// readable; as above, with the path. Thread safety: safe. Wraps `cuLibraryLoadData`: `cuLibraryLoadFromFile` would read
/// the file a second time.
[[nodiscard]] YOKE_API module load_file(const context& in, const std::string& path, const jit_options& jit = {},
                                        const source_location& where = source_location::current());

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/cuda/impl/compile.ipp>
#else
namespace yoke::inline YOKE_ABI {
// The library has these, so that a program of CUDA alone need not read their bodies.
extern template YOKE_API cuda::module compile(const cuda::context&, std::string_view, const compile_options&,
                                              const source_location&);
extern template YOKE_API cuda::module compile_file(const cuda::context&, const std::string&, const compile_options&,
                                                   const source_location&);
extern template YOKE_API cuda::module load(const cuda::context&, std::span<const std::byte>, const source_location&);
extern template YOKE_API cuda::module load_intermediate(const cuda::context&, std::span<const std::byte>,
                                                        const compile_options&, const source_location&);
}  // namespace yoke::inline YOKE_ABI
#endif

#endif
