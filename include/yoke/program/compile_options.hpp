// SPDX-License-Identifier: MIT
// Declares the functions that make modules, and their options; <yoke/program/compile.hpp> has the bodies.
#ifndef YOKE_PROGRAM_COMPILE_OPTIONS_HPP
#define YOKE_PROGRAM_COMPILE_OPTIONS_HPP

#include <yoke/core/config.hpp>
#include <yoke/program/module.hpp>
#include <yoke/program/source/embedded_header.hpp>
#include <yoke/program/structs/device_struct.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

/// The path of a folder, or none. Rejects `true` at compile time.
class folder_option {
 public:
  folder_option() = default;
  folder_option(std::string path) : path_(std::move(path)) {}  // NOLINT: a path
  folder_option(const char* path)                              // NOLINT: null is none
      : folder_option(std::string(path == nullptr ? "" : path)) {}
  template <class Switch>
    requires(std::is_same_v<Switch, bool> || std::is_same_v<Switch, char>)
  folder_option(Switch) {  // NOLINT
    static_assert(!std::is_same_v<Switch, Switch>, "this option names a folder, it is not a switch");
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool empty() const noexcept { return path_.empty(); }

 private:
  std::string path_;
};

struct math_spelling;

/// How exact a kernel's arithmetic is. The compiler decides about members that are not set; `compile_options::options`
/// override all.
struct math_options {
  /// All members below at their fastest, and approximate functions: `-cl-fast-relaxed-math`; `--use_fast_math` on CUDA.
  bool fast = false;
  /// Whether denormal numbers of `float` may become zero: `-cl-denorms-are-zero`; `--ftz`. OpenCL has no option for
  /// false.
  std::optional<bool> flush_denormals{};
  /// Whether a product and a sum may be rounded once (FMA): `-cl-mad-enable`, or `#pragma OPENCL FP_CONTRACT OFF`
  /// before the source; `--fmad`.
  std::optional<bool> contract{};
  /// Whether division and square root of `float` are rounded correctly: `-cl-fp32-correctly-rounded-divide-sqrt`, which
  /// a device may lack; `--prec-div` and `--prec-sqrt`. OpenCL has no option for false, its default.
  std::optional<bool> exact_division{};
  /// Assume that infinities and NaNs do not occur: `-cl-finite-math-only`; ignored by CUDA's compilers.
  bool finite_only = false;

  friend YOKE_API bool operator==(const math_options& left, const math_options& right) noexcept;
};

namespace detail {
/// Returns: the compiler options for `math` in a language's spelling. Throws: `std::bad_alloc`.
YOKE_API std::vector<std::string> math_words(const math_options& math, const math_spelling& spelling);
}  // namespace detail

class program_cache;

/// A type's name in each language; "" if the language lacks the type.
struct type_spelling {
  const char* opencl_c = "";
  const char* cuda = "";     ///< in CUDA C++
  const char* dialect = "";  ///< in the portable dialect
};

/// A preprocessor definition: `{"N", 4}`, `{"T", "float"}` or `{"FAST"}`.
struct define {
  std::string name;
  std::string value;
  /// If `value` is a type's name in OpenCL C, its names in all languages; `specialise` sets it. Null: `value` fits
  /// every language.
  const type_spelling* type = nullptr;

  define(std::string with_name) : name(std::move(with_name)), value("1") {}  // NOLINT: a name alone defines 1
  define(const char* with_name) : name(with_name), value("1") {}             // NOLINT
  define(std::string with_name, std::string with_value) : name(std::move(with_name)), value(std::move(with_value)) {}
  template <integer Value>
  define(std::string with_name, Value with_value) : name(std::move(with_name)), value(std::to_string(with_value)) {}
};

/// The language of a source.
enum class source_language : std::uint8_t {
  automatic,  ///< portable when a word of the text begins with "YOKE_" or "yoke_", else native
  portable,   ///< the dialect: the backend's prelude is put before it
  native,     ///< the backend's own language, unchanged
  opencl_c,   ///< OpenCL C: unchanged on OpenCL, translated on CUDA (docs/opencl-c.md)
};

/// How a source is compiled.
struct compile_options {
  /// Passed to the compiler in order. "-DA -DB" in one string is two options; put a value with a blank and a dash in
  /// quotes, or in `.defines`.
  std::vector<std::string> options{};
  std::vector<std::string> include_folders{};  ///< searched for `#include`
  std::vector<define> defines{};               ///< defined before the first line
  std::string standard{};  ///< always given to the compiler: "CL1.2", or "c++17" on CUDA, by default
  std::string name{};      ///< the source's name in messages; by default "kernel.cl", on CUDA "kernel.cu"
  source_language language = source_language::automatic;
  const program_cache* cache = nullptr;  ///< the cache that `compile` uses; null: none
  /// The caller's digest of every header that the cache cannot follow: headers outside of `include_folders`, and
  /// headers that a macro names. Empty: a program with such headers is compiled each time.
  std::vector<std::byte> header_digest{};
  /// A folder, made if missing, in which each compilation leaves a subfolder with source, options, log and binary.
  /// `module::kept_folder()` and a `compile_error` name the subfolder. Empty: none.
  folder_option keep{};
  /// Structs that the source shares with the host, from `yoke::describe_struct<T>()`; defined before the source and
  /// checked.
  std::vector<struct_description> types{};
  math_options math{};  ///< how exact arithmetic is
  /// Headers as texts. `#include` finds them by name, before headers in `.include_folders`. yoke inserts them before
  /// the compiler reads the source, so headers in files cannot include them.
  std::vector<embedded_header> headers{};
  /// Whether a source in the dialect is checked, before it is compiled, for words of only one backend's language.
  bool portable = true;
};

/// Compiles a source for every device of a context.
///
/// The compiler always gets a language standard: by default `CL1.2`, on CUDA `c++17`. Messages name the lines of
/// `source`. The caller's options override those in `YOKE_OPENCL_OPTIONS` or `YOKE_CUDA_OPTIONS`. With `.cache`, a
/// program that was compiled before is loaded without a compiler, with the same bytes, log, kernels and checks.
/// Throws: `compile_error` with log, options and source; `logic_error` for an option, define or folder that cannot be
/// passed on; `error`. Thread safety: safe. Wraps `clCreateProgramWithSource`, `clBuildProgram`.
template <class Port>
[[nodiscard, gnu::cold]] module<Port> compile(const context<Port>& context, std::string_view source,
                                              const compile_options& options = {},
                                              const source_location& where = source_location::current());

/// Compiles a source file.
///
/// `path` is the source's name in messages, `__FILE__` and the key of a cache, unless `.name` gives another. The
/// compiler finds headers beside the file before those in `.include_folders`.
/// Throws: `logic_error` (`errc::invalid_argument`) with the path for a file that is missing, a folder, empty or not
/// readable; as `compile`. Thread safety: safe. Wraps: as `compile`.
/// Example: `auto module = yoke::compile_file(ctx, "kernels/scale.cl");`
template <class Port>
[[nodiscard, gnu::cold]] module<Port> compile_file(const context<Port>& context, const std::string& path,
                                                   const compile_options& options = {},
                                                   const source_location& where = source_location::current());

/// Loads a binary of `module::export_binary`.
/// Throws: `logic_error` (`errc::incompatible_binary`) when the bytes are damaged or made for another device or
/// driver, before the driver sees them; `compile_error`; `error`. Thread safety: safe.
/// Wraps `clCreateProgramWithBinary`, `clBuildProgram`.
template <class Port>
[[nodiscard, gnu::cold]] module<Port> load(const context<Port>& context, std::span<const std::byte> binary,
                                           const source_location& where = source_location::current());

/// Loads intermediate code: SPIR-V on OpenCL, PTX on CUDA.
///
/// Uses the options `.name` and `.cache`, on OpenCL also `.options`, `.standard` and `.math`; the others are for
/// sources only. `.cache` keeps the driver's compiled code, so that the next load does not compile.
/// Throws: `unsupported_error` if the device lacks intermediate code; `logic_error` for other bytes
/// (`errc::incompatible_binary`) and for an option that is for sources only (`errc::invalid_argument`);
/// `compile_error`; `error`. Thread safety: safe.
/// Wraps `clCreateProgramWithIL`, `clBuildProgram`.
template <class Port>
[[nodiscard, gnu::cold]] module<Port> load_intermediate(const context<Port>& context, std::span<const std::byte> code,
                                                        const compile_options& options = {},
                                                        const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/compile_options.ipp>
#endif

#endif
