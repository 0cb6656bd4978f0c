// SPDX-License-Identifier: MIT
// Several sources, images, object files and libraries become one module.
#ifndef YOKE_CUDA_COMPILE_LINK_HPP
#define YOKE_CUDA_COMPILE_LINK_HPP

#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/driver/cuda/compiler/nvjitlink.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/program/kept_build.hpp>

#include <memory>

namespace yoke::inline v0_1::cuda {

/// A list of parts to link. It is independent of devices: you can link the same list for several.
///
/// The list keeps copies of its parts. Linking compiles the sources with `-rdc=true`: to PTX, with a real
/// `.architecture` ("sm_90") to a cubin, with `.link_time_optimization` to LTO-IR. A list with LTO-IR goes to
/// nvJitLink, any other to the driver's own linker.
/// Thread safety: one non-const list from one thread at a time; linking it is safe.
class linker {
 public:
  /// Adds a source. The linked module knows its `.kernels` and `.name_expressions`.
  /// Throws: `logic_error` for a cache (use `link_options::cache`) and for `.jit` (use `link_options::jit`);
  /// `std::bad_alloc`.
  YOKE_API linker& add_source(std::string source, const compile_options& options = {},
                              const source_location& where = source_location::current());
  /// Adds a compiler's output; PTX and cubins have to be relocatable (`-rdc=true`). `name` is its name in messages.
  /// Throws: as below.
  YOKE_API linker& add(const compiled_image& image, const std::string& name,
                       const source_location& where = source_location::current());
  /// Adds the bytes of an image, an object file or a library.
  /// Throws: `logic_error` (`errc::incompatible_binary`) that names the input, for bytes of another kind;
  /// `logic_error` for an unknown kind; `std::bad_alloc`.
  YOKE_API linker& add(link_kind kind, std::span<const std::byte> bytes, const std::string& name,
                       const source_location& where = source_location::current());
  /// Adds a file, which the linker reads when it links. Its extension gives the kind (".cubin", ".ptx", ".fatbin",
  /// ".o", ".a", ".ltoir"), unless `kind` does. PTX also describes its kernels.
  /// Throws: `logic_error` (`errc::invalid_argument`) with the path, for a file that is missing, a folder, empty or not
  /// readable, or with another extension.
  YOKE_API linker& add_file(const std::string& path, const source_location& where = source_location::current());
  YOKE_API linker& add_file(link_kind kind, const std::string& path,
                            const source_location& where = source_location::current());

  /// Returns: the number of parts.
  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }

  /// Links for the context's device and loads the module. `build_log()` has the messages of compilers and linker.
  /// `link_options::cache` loads a program that was linked before from the same sources, headers, images, files and
  /// options, without a compiler or a linker. A source with headers that cannot be followed needs a
  /// `compile_options::header_digest`.
  ///
  /// With a source's `.keep` the link leaves a folder there, "linked-0123456789abcdef", which `kept_folder()` and a
  /// `compile_error` name. It holds `inputs.txt`, `options.txt`, `log.txt`, the binary, a folder for each compilation
  /// with that `.keep`, and inputs given as bytes, `input-2.ptx`.
  /// Throws: `compile_error` with the linker's log, which names the failing input and the missing or duplicate symbol;
  /// `compile_error` of a source; `logic_error` for an empty list, for options that cannot be passed on, and for a
  /// cache together with a source's `.keep`; `unsupported_error` with the places that were searched, if nvJitLink is
  /// needed and missing; `error`.
  /// Wraps `cuLinkCreate`, `cuLinkAddData`, `cuLinkAddFile`, `cuLinkComplete`, `cuLinkDestroy`, `cuLibraryLoadData`;
  /// `nvJitLinkCreate`, `nvJitLinkAddData`, `nvJitLinkAddFile`, `nvJitLinkComplete`, `nvJitLinkGetLinkedCubin`.
  [[nodiscard]] YOKE_API module link(const context& in, const link_options& options = {},
                                     const source_location& where = source_location::current()) const;
  /// Links for the context's device. Returns: the image, the linker's log, and how long it took.
  /// Throws: as above; `logic_error` for a cache, which keeps modules.
  [[nodiscard]] YOKE_API linked_image link_image(const context& in, const link_options& options = {},
                                                 const source_location& where = source_location::current()) const;
  /// Links for an architecture ("sm_90") with nvJitLink, without GPU and driver.
  /// Throws: as above; `logic_error` for an unknown or a virtual architecture.
  [[nodiscard]] YOKE_API linked_image link_image(const std::string& architecture, const link_options& options = {},
                                                 const source_location& where = source_location::current()) const;

 private:
  struct part {
    link_input input{};
    std::string source{};
    std::shared_ptr<const compile_options> options{};  ///< for a source; null: `input` is ready
  };
  [[nodiscard]] link_request request(const link_options& options, const std::string& architecture,
                                     const yoke::detail::kept_build& kept, std::string& compiler_log,
                                     const source_location& where) const;
  [[nodiscard]] module link_through_cache(const context& in, const link_options& options,
                                          const source_location& where) const;
  /// Returns: the module, which knows the structs of all sources.
  [[nodiscard]] module with_types_of_sources(module linked, const source_location& where) const;
  /// Returns: the `.keep` of the first source that has one.
  [[nodiscard]] folder_option keep() const;
  /// Returns: the name of a kept link's folder.
  [[nodiscard]] std::string content(const link_options& options) const;
  void write_inputs(const link_request& made, const std::vector<std::string>& folders,
                    const yoke::detail::kept_build& kept, const source_location& where) const;
  template <class Link>
  [[nodiscard]] linked_image keep_image(const link_options& options, Link link, const source_location& where) const;
  std::vector<part> inputs_;
};

/// A source with its own name.
struct named_source {
  std::string name;  ///< its name in messages: "reduce.cu"
  std::string text;
};

/// Compiles several sources with the same options and links them into one module, through `.cache` of either options.
/// Throws: as `linker`; `logic_error` for `.name`, `.kernels` and `.name_expressions`, which belong to one source: pass
/// them to `linker::add_source`. Thread safety: safe. Wraps `nvrtcCompileProgram`, `cuLinkCreate`, `cuLinkAddData`,
/// `cuLinkComplete`, `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module compile_all(const context& in, std::span<const named_source> sources,
                                          const compile_options& options = {}, const link_options& link = {},
                                          const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/link.ipp>
#endif

#endif
