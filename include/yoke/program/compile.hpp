// SPDX-License-Identifier: MIT
// From source, binary or intermediate code to a module.
#ifndef YOKE_PROGRAM_COMPILE_HPP
#define YOKE_PROGRAM_COMPILE_HPP

#include <yoke/program/embedded_header.hpp>
#include <yoke/program/kept_build.hpp>
#include <yoke/program/math_options.hpp>
#include <yoke/program/program_builder.hpp>
#include <yoke/program/struct_record.hpp>
#include <yoke/program/types_option.hpp>

namespace yoke::inline YOKE_ABI {

/// A type as each language says it; "" where one has no such type.
struct type_spelling {
  const char* opencl_c = "";
  const char* cuda = "";     ///< in CUDA C++
  const char* dialect = "";  ///< in the portable dialect
};

/// A preprocessor definition: `{"N", 4}`, `{"T", "float"}` or `{"FAST"}`.
struct define {
  std::string name;
  std::string value;
  /// What `value` is a type's name in OpenCL C for; `specialise` fills it in. Null: `value` is for every language.
  const type_spelling* type = nullptr;

  define(std::string with_name) : name(std::move(with_name)), value("1") {}  // NOLINT: a name alone defines 1
  define(const char* with_name) : name(with_name), value("1") {}             // NOLINT
  define(std::string with_name, std::string with_value) : name(std::move(with_name)), value(std::move(with_value)) {}
  template <integer Value>
  define(std::string with_name, Value with_value) : name(std::move(with_name)), value(std::to_string(with_value)) {}
};

/// Whether the dialect's prelude goes before the source.
enum class source_language : std::uint8_t {
  automatic,  ///< portable when the text says "YOKE_" or "yoke_", else native
  portable,   ///< the dialect: the backend's prelude goes first
  native,     ///< the backend's own language, untouched
  opencl_c,   ///< OpenCL C: untouched on OpenCL, translated on CUDA (docs/opencl-c.md)
};

namespace detail {
struct opencl_c_request;
/// Effects: translates a request's source from OpenCL C, behind what it needs of the prelude.
/// Throws: `compile_error` that names the line of what cannot be translated.
YOKE_API void read_opencl_c(const opencl_c_request& request);
}  // namespace detail

/// What `compile_options::language` holds: a `source_language`, and the translation where it is to be OpenCL C.
class language_option {
 public:
  constexpr language_option() = default;
  constexpr language_option(source_language language) noexcept  // NOLINT: a language
      : language_(language), translate_(language == source_language::opencl_c ? &detail::read_opencl_c : nullptr) {}
  [[nodiscard]] constexpr operator source_language() const noexcept { return language_; }  // NOLINT

  // For `compile`.
  using translate_function = void (*)(const detail::opencl_c_request&);
  [[nodiscard]] constexpr translate_function translate() const noexcept { return translate_; }

 private:
  source_language language_ = source_language::automatic;
  translate_function translate_ = nullptr;  // so that a program without OpenCL C has no translation
};

/// How a source is compiled.
struct compile_options {
  std::vector<std::string> options{};          ///< passed on, in order
  std::vector<std::string> include_folders{};  ///< searched for `#include`
  std::vector<define> defines{};               ///< defined before the first line
  std::string standard{};  ///< always given to the compiler: "CL1.2", or "c++17" on CUDA, by default
  std::string name{};      ///< how messages call the source; by default "kernel.cl", on CUDA "kernel.cu"
  language_option language = source_language::automatic;
  const program_cache* cache = nullptr;  ///< where `compile` looks first and keeps the program; null: nowhere
  /// A digest by the caller of every header that the cache cannot follow: one that is in none of `include_folders`, or
  /// that a macro names. Empty: none; such a program is then compiled each time.
  std::vector<std::byte> header_digest{};
  /// A folder, made where it is missing, in which each compilation leaves a folder of its own with what the compiler got
  /// and gave: the source, options, log and binary. `module::kept_folder()` and a `compile_error` name it. Empty: none.
  folder_option keep{};
  /// Structs that the source shares with the host, defined before it and checked: `yoke::describe_struct<T>()`.
  types_option types{};
  math_options math{};  ///< how exact arithmetic has to be
  /// Headers that are texts: `#include` finds them by their names, before those in `.include_folders`. They go in the place
  /// of their includes before the compiler sees the source, so headers that it reads itself do not find them.
  headers_option headers{};
};

namespace detail {
/// Returns: the options that an environment variable of that name holds. Throws: `logic_error` that names it.
YOKE_API std::vector<std::string> default_options(std::string_view variable, const source_location& where);
/// Returns: the words of such a variable, as a shell splits them. Throws: `logic_error` that names it.
YOKE_API std::vector<std::string> split_options(std::string_view variable, std::string_view value,
                                                const source_location& where);
/// Returns: such words with each option's value behind its name, "-arch=sm_90" for "-arch", "sm_90".
YOKE_API std::vector<std::string> normal_options(const std::vector<std::string>& words, bool opencl);
/// Effects: removes the options that set what one of these names does, "gpu-architecture" or "std".
YOKE_API void drop_options(std::vector<std::string>& options, std::initializer_list<std::string_view> names);
/// Returns: the defaults that the caller's own options leave standing, then these. `--use_fast_math` among the own ones
/// leaves none of `--ftz`, `--prec-div`, `--prec-sqrt` and `--fmad`, which would stand above it.
YOKE_API std::vector<std::string> joined_options(const std::vector<std::string>& defaults,
                                                 const std::vector<std::string>& own);

/// Throws: `logic_error` that names an option, as what it is ("link option"), which is blank, or has a line end or a zero
/// character: compilers refuse, cut or overlook those.
YOKE_API void check_option(std::string_view what, const std::string& option, const source_location& where);

/// Throws: `logic_error` for members that intermediate code cannot have: those of a source.
YOKE_API void check_intermediate_options(const compile_options& options, const source_location& where);

/// Returns: what the port's compiler gets: prelude, defines, `#line 1`, source; options checked. `defaults` are options
/// that go before the caller's, as far as these do not set the same.
YOKE_API compile_request make_request(std::string_view prelude, const char* default_name, std::string_view source,
                                      const compile_options& options, const source_location& where,
                                      std::vector<std::string> defaults = {});

/// Returns: the module, which from now on knows the structs that it was compiled with.
template <class Port>
[[gnu::cold]] module<Port> with_types(module<Port> made, types_option types, const source_location& where) {
  made.state(where)->types = std::move(types);
  return made;
}

template <class Port>
[[gnu::cold]] std::vector<typename Port::device_handle> native_devices(const context<Port>& context,
                                                                       const source_location& where) {
  std::vector<typename Port::device_handle> natives;
  for (const device<Port>& each : context.devices(where)) natives.push_back(each.native_handle());
  return natives;
}
}  // namespace detail

/// Compiles a source for every device of a context.
///
/// The language standard is always given, because some drivers' default is not what their devices report. Messages
/// name the lines of `source`, whatever goes before it.
/// The options in `YOKE_OPENCL_OPTIONS` or `YOKE_CUDA_OPTIONS` go before the caller's, except those that set what the
/// caller sets.
/// With `.cache` a program that was compiled before is loaded: it has the same bytes, log, kernels and checks, and no
/// compiler is opened.
/// Throws: `compile_error` with log, options and source; `logic_error` for an option, define or folder that cannot be
/// passed on; `error`. Thread safety: safe. Wraps `clCreateProgramWithSource`, `clBuildProgram`.
template <class Port>
[[nodiscard, gnu::cold]] module<Port> compile(const context<Port>& context, std::string_view source,
                                              const compile_options& options = {},
                                              const source_location& where = source_location::current()) {
  const Port& port = context.port(where);
  compile_request request = detail::make_request(port.prelude(), port.source_name(), source, options, where,
                                                 detail::default_options(port.options_variable(), where));
  const auto devices = detail::native_devices(context, where);
  const detail::kept_build kept(options.keep, request, where);
  const auto by_compiler = [&] { return port.compile(context.native_handle(), devices, request, where); };
  const auto from_bytes = [&](std::span<const std::byte> bytes) {
    return port.load_binary(context.native_handle(), devices, bytes, where);
  };
  detail::plain_module_builder<Port, decltype(by_compiler), decltype(from_bytes)> builder(
      context, devices, request.lines, by_compiler, from_bytes, where);
  const auto make = [&] {
    if (options.cache == nullptr) {
      builder.compile();
      return std::move(builder.result);
    }
    const build_target target = port.target_of(devices, where);
    const detail::cached_part part{&request, &options.defines, &options.header_digest};
    detail::build_through(*options.cache, {.target = target, .parts = {&part, 1}}, builder);
    return std::move(builder.result);
  };
  // What a cache keeps is of a key that these are a part of.
  return detail::with_types(detail::make_kept(kept, make, where), options.types, where);
}

/// Loads what `module::export_binary` wrote.
/// Throws: `logic_error` (`errc::incompatible_binary`) when the bytes are damaged or were made for another device or
/// driver: the driver never sees them; `compile_error`; `error`. Thread safety: safe.
/// Wraps `clCreateProgramWithBinary`, `clBuildProgram`.
template <class Port>
[[nodiscard, gnu::cold]] module<Port> load(const context<Port>& context, std::span<const std::byte> binary,
                                           const source_location& where = source_location::current()) {
  const Port& port = context.port(where);
  const auto devices = detail::native_devices(context, where);
  auto loaded = detail::module_maker::make(
      context, {}, [&] { return port.load_binary(context.native_handle(), devices, binary, where); }, where);
  return detail::with_types(std::move(loaded), detail::structs_of_binary(binary, where), where);
}

/// Loads intermediate code: SPIR-V on OpenCL, PTX on CUDA.
/// Of `options` only `.name` and `.cache`, and on OpenCL `.options`, `.standard` and `.math`, are for such code: what is
/// compiled no more has no `.defines`, `.types` or `.include_folders`.
/// With `.cache` what the driver's compiler makes of the code is kept: the next load compiles nothing.
/// Throws: `unsupported_error` where a device takes none; `logic_error` (`errc::incompatible_binary`) for anything
/// else, and (`errc::invalid_argument`) for a member of `options` that is set and for sources alone; `compile_error`;
/// `error`. Thread safety: safe. Wraps `clCreateProgramWithIL`, `clBuildProgram`.
template <class Port>
[[nodiscard, gnu::cold]] module<Port> load_intermediate(const context<Port>& context, std::span<const std::byte> code,
                                                        const compile_options& options = {},
                                                        const source_location& where = source_location::current()) {
  const Port& port = context.port(where);
  detail::check_intermediate_options(options, where);
  compile_request request = detail::make_request({}, port.source_name(), {}, options, where);
  request.to_keep = options.cache != nullptr;
  const auto devices = detail::native_devices(context, where);
  const auto by_driver = [&] { return port.load_intermediate(context.native_handle(), devices, code, request, where); };
  const auto from_bytes = [&](std::span<const std::byte> bytes) {
    return port.load_binary(context.native_handle(), devices, bytes, where);
  };
  if (options.cache == nullptr) return detail::module_maker::make(context, request.lines, by_driver, where);
  const build_target target = port.target_of(devices, where);
  detail::plain_module_builder<Port, decltype(by_driver), decltype(from_bytes)> builder(
      context, devices, request.lines, by_driver, from_bytes, where, "the driver " + target.driver);
  const detail::cached_part parts[] = {{&request, &options.defines, &options.header_digest},
                                       {.kind = "intermediate code", .bytes = code}};
  detail::build_through(*options.cache, {.target = target, .parts = parts, .steps = "load"}, builder);
  return std::move(builder.result);
}

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/impl/compile.ipp>
#include <yoke/program/impl/default_options.ipp>
#include <yoke/program/impl/program_cache.ipp>
#endif

#endif
