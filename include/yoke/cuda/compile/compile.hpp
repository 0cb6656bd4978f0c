// SPDX-License-Identifier: MIT
// From CUDA C++, cubins, PTX and fatbins to a module, with all options of CUDA's compilers.
#ifndef YOKE_CUDA_COMPILE_COMPILE_HPP
#define YOKE_CUDA_COMPILE_COMPILE_HPP

#include <yoke/cuda/names.hpp>
#include <yoke/driver/cuda/compiler/jit_options.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/program/kernel/signature.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

/// How a source is compiled for CUDA: `yoke::compile_options`, and the further options of NVRTC and the driver.
struct compile_options {
  std::vector<std::string> options{};          ///< passed on, in order
  std::vector<std::string> include_folders{};  ///< searched for `#include`
  std::vector<define> defines{};               ///< defined before the first line
  std::string standard{};                      ///< always given to the compiler: "c++17" by default
  std::string name{};                          ///< the source's name in messages; "kernel.cu" by default
  source_language language = source_language::automatic;
  std::vector<typed_kernel> kernels{};          ///< compared by the compiler: `yoke::typed<void(float*, int)>("f")`
  std::vector<std::string> name_expressions{};  ///< instantiated and kept: "f<float, 4>", "&ns::variable"
  std::string architecture{};                   ///< "sm_90", "compute_90"; the device's by default
  /// The real architecture of the machine code, "sm_90", apart from the virtual one in `.architecture`, "compute_80",
  /// whose instructions the source may use. "": one architecture is both.
  std::string code{};
  jit_options jit{};                        ///< used when the driver compiles PTX from NVRTC
  const program_cache* cache = nullptr;     ///< as in `yoke::compile_options`
  std::vector<std::byte> header_digest{};   ///< as in `yoke::compile_options`
  folder_option keep{};                     ///< as in `yoke::compile_options`
  std::vector<struct_description> types{};  ///< as in `yoke::compile_options`
  math_options math{};                      ///< as in `yoke::compile_options`
  std::vector<embedded_header> headers{};   ///< as in `yoke::compile_options`
  bool portable = true;                     ///< as in `yoke::compile_options`
};

/// Compiles a source for the context's device.
///
/// NVRTC itself compares a kernel among `.kernels` with its signature, also overloads, template instances and `extern
/// "C"`; `get_kernel` with that name and signature then has `checked() == signature_check::types`. For a type without a
/// name (a struct without a `device_type_name`) the other checks apply. `.name_expressions` makes instances of
/// templates; `get_kernel` and `get_global` then take the same text. For a device that NVRTC does not know yet, it
/// makes PTX, which the driver compiles; so it does for `.code`, by the driver's compiler.
/// Throws: `compile_error` with log, options and source; `logic_error` for a kernel with another signature
/// (`errc::signature_mismatch`), which shows both, for options that cannot be passed on or contradict each other, and
/// for a `.code` that the device does not run;
/// `unsupported_error` without NVRTC; `error`. Thread safety: safe.
/// Wraps `nvrtcCompileProgram`, `nvrtcAddNameExpression`, `nvrtcGetLoweredName`, `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module compile(const context& in, std::string_view source, const compile_options& options = {},
                                      const source_location& where = source_location::current());

/// The same for a source file, as `yoke::compile_file`.
[[nodiscard]] YOKE_API module compile_file(const context& in, const std::string& path,
                                           const compile_options& options = {},
                                           const source_location& where = source_location::current());

/// Loads a cubin, PTX or a fatbin. Refuses a truncated image itself, because the driver is not told the size; the
/// driver may still refuse a damaged one. `module.build_log()` has the messages of the driver's compiler.
/// Throws: `logic_error` (`errc::incompatible_binary`) for bytes that are not a complete image; `compile_error` with
/// the driver's log for PTX that it refuses; `error`. Thread safety: safe. Wraps `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module load_image(const context& in, std::span<const std::byte> image,
                                         const jit_options& jit = {},
                                         const source_location& where = source_location::current());
/// Loads a cubin, PTX or a fatbin from a file.
/// Throws: `logic_error` (`errc::invalid_argument`) with the path for a file that is missing, a folder, empty or not
/// readable; as above, with the path. Thread safety: safe. Wraps `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module load_file(const context& in, const std::string& path, const jit_options& jit = {},
                                        const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
// The library defines these.
extern template YOKE_API cuda::module compile(const cuda::context&, std::string_view, const compile_options&,
                                              const source_location&);
extern template YOKE_API cuda::module compile_file(const cuda::context&, const std::string&, const compile_options&,
                                                   const source_location&);
extern template YOKE_API cuda::module load(const cuda::context&, std::span<const std::byte>, const source_location&);
extern template YOKE_API cuda::module load_intermediate(const cuda::context&, std::span<const std::byte>,
                                                        const compile_options&, const source_location&);
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/compile.ipp>
#endif

#endif
