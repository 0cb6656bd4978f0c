// SPDX-License-Identifier: MIT
// Sources compiled separately, with headers as texts, and linked into a module or a library.
#ifndef YOKE_OPENCL_COMPILE_LINK_HPP
#define YOKE_OPENCL_COMPILE_LINK_HPP

#include <yoke/opencl/names.hpp>
#include <yoke/program/compile.hpp>

#include <initializer_list>

namespace yoke::inline v0_1::opencl {

using yoke::embedded_header;

namespace detail {

/// A part's name in messages, and the structs of its sources.
struct linkable_facts {
  std::string name{};
  std::vector<struct_description> types{};  ///< from `compile_options::types`
};

/// A part to link: the base of compiled programs and libraries.
template <class Derived>
class linkable_program
    : public yoke::detail::handle<Derived, yoke::detail::context_reference<port>, abi::program, linkable_facts> {
  using base = yoke::detail::handle<Derived, yoke::detail::context_reference<port>, abi::program, linkable_facts>;

 public:
  linkable_program() noexcept = default;
  /// Takes ownership of one reference to a native program in that state.
  /// Throws: `logic_error` for null, or another context's; the reference then stays the caller's. Wraps
  /// `clGetProgramInfo`.
  [[nodiscard]] static Derived adopt(const context& in, abi::program native,
                                     const source_location& where = source_location::current()) {
    check(in, native, where);
    return Derived(in, native, true, "");
  }
  /// Uses a native program without owning it; it has to outlive this. Throws: as above.
  [[nodiscard]] static Derived borrow(const context& in, abi::program native,
                                      const source_location& where = source_location::current()) {
    check(in, native, where);
    return Derived(in, native, false, "");
  }
  /// The context it was made in. Throws: `logic_error` when empty.
  [[nodiscard]] const context& context_of(const source_location& where = source_location::current()) const {
    (void)this->use(where);
    return this->parent().get();
  }
  /// Returns: the name in messages: its source's `.name` in quotes, for a library the names of its parts; "" for a
  /// native program, and when empty. Throws: nothing.
  [[nodiscard]] const std::string& name() const noexcept { return this->facts().name; }
  /// Returns: the structs that its sources share with the host; none for a native one, and when empty. Throws: nothing.
  [[nodiscard]] std::span<const struct_description> types() const noexcept { return this->facts().types; }

  static void destroy(yoke::detail::context_reference<port>& parent, abi::program native, linkable_facts&) noexcept {
    parent.report(parent.state().port.release_module(native));
  }

 protected:
  linkable_program(const context& in, abi::program native, bool owned, std::string called,
                   std::vector<struct_description> structs = {}) noexcept
      : base(in, native, owned, {std::move(called), std::move(structs)}) {}

 private:
  static void check(const context& in, abi::program native, const source_location& where) {
    if (native == nullptr) yoke::detail::throw_null_native(Derived::noun, where);
    const abi::context of = in.port(where).module_context(native, where);
    if (of != in.native_handle()) {
      yoke::detail::throw_foreign_native(Derived::noun, yoke::detail::native_value(native), "context", where);
    }
  }
};

struct program_linker;

}  // namespace detail

/// A source compiled by itself. It has no kernels to launch before it is linked. Move-only.
/// Thread safety: linking it is safe from any thread.
class compiled_program : public detail::linkable_program<compiled_program> {
 public:
  compiled_program() noexcept = default;
  static constexpr const char* noun = "compiled program";

 private:
  friend class detail::linkable_program<compiled_program>;
  friend struct detail::program_linker;
  using detail::linkable_program<compiled_program>::linkable_program;
};

/// Compiled programs linked into a library for other links. It has no kernels to launch either. Move-only.
/// Thread safety: linking it is safe from any thread.
class program_library : public detail::linkable_program<program_library> {
 public:
  program_library() noexcept = default;
  static constexpr const char* noun = "program library";

 private:
  friend class detail::linkable_program<program_library>;
  friend struct detail::program_linker;
  using detail::linkable_program<program_library>::linkable_program;
};

/// A view of one part to link: a compiled program or a library, which has to live until the call has returned. A module
/// is linked already.
class linkable {
 public:
  linkable(const compiled_program& part) noexcept  // NOLINT: lists may contain both
      : native_(part.native_handle()), name_(part.name()), types_(part.types()) {}
  linkable(const program_library& library) noexcept  // NOLINT
      : native_(library.native_handle()), name_(library.name()), types_(library.types()) {}
  [[nodiscard]] abi::program native_handle() const noexcept { return native_; }
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::span<const struct_description> types() const noexcept { return types_; }

 private:
  abi::program native_ = nullptr;
  std::string_view name_;
  std::span<const struct_description> types_;
};

/// Compiles a source by itself, for every device of a context, to be linked.
///
/// `#include "name"` finds the headers given, before those in `.include_folders`. The source declares functions of
/// other parts; functions for other parts must not be static. Messages name the lines of `source` under `.name`, and
/// those of a header under its name.
/// Throws: `compile_error` with log, options and source; `logic_error` for a header without a name or given twice, for
/// a cache (`compile_all` takes one) or `.keep`, because both are for whole programs, and as `yoke::compile`;
/// `unsupported_error` without a compiler; `error`. Thread safety: safe.
/// Wraps `clCreateProgramWithSource`, `clCompileProgram`.
[[nodiscard]] YOKE_API compiled_program compile_part(const context& in, std::string_view source,
                                                     std::span<const embedded_header> headers = {},
                                                     const compile_options& options = {},
                                                     const source_location& where = source_location::current());

/// Links compiled programs and libraries into a module. `options` are for the linker, "-cl-denorms-are-zero".
///
/// Signatures of its kernels are compared as by `yoke::compile`. If a driver loses the kernels' descriptions, the
/// library links again with `-cl-kernel-arg-info`. Structs are compared with those of the parts' `.types`, except a
/// name that two parts use for different structs.
/// Throws: `compile_error` with the linker's log, the options and the names of the parts; `logic_error` for an empty
/// list, an empty handle, a part of another context, and for options that make a library; `unsupported_error` without a
/// linker; `error`. Thread safety: safe. Wraps `clLinkProgram`.
[[nodiscard]] YOKE_API module link(const context& in, std::span<const linkable> parts,
                                   const std::vector<std::string>& options = {},
                                   const source_location& where = source_location::current());
[[nodiscard]] inline module link(const context& in, std::initializer_list<linkable> parts,
                                 const std::vector<std::string>& options = {},
                                 const source_location& where = source_location::current()) {
  return link(in, std::span<const linkable>(parts.begin(), parts.size()), options, where);
}

/// A source with its own name.
struct named_source {
  std::string name;  ///< its name in messages: "reduce.cl"
  std::string text;
};

/// Compiles several sources separately, with the same headers and options, and links them into one module.
///
/// `.cache` loads a program that was linked before from the same sources, headers and options, without compiling or
/// linking.
/// Throws: as `compile_part` and `link`; `logic_error` for `.name`, which belongs to one source. Thread safety: safe.
/// Wraps `clCreateProgramWithSource`, `clCompileProgram`, `clLinkProgram`.
[[nodiscard]] YOKE_API module compile_all(const context& in, std::span<const named_source> sources,
                                          std::span<const embedded_header> headers = {},
                                          const compile_options& options = {},
                                          const std::vector<std::string>& link_options = {},
                                          const source_location& where = source_location::current());

/// Links compiled programs and libraries into a library, with `-create-library`. With `-enable-link-options`
/// the options of a later link apply to it, too.
/// Throws: as `link`. Thread safety: safe. Wraps `clLinkProgram`.
[[nodiscard]] YOKE_API program_library link_library(const context& in, std::span<const linkable> parts,
                                                    const std::vector<std::string>& options = {},
                                                    const source_location& where = source_location::current());
[[nodiscard]] inline program_library link_library(const context& in, std::initializer_list<linkable> parts,
                                                  const std::vector<std::string>& options = {},
                                                  const source_location& where = source_location::current()) {
  return link_library(in, std::span<const linkable>(parts.begin(), parts.size()), options, where);
}

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/compile/link.ipp>
#endif

#endif
