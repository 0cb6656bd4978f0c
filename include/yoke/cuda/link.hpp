// SPDX-License-Identifier: MIT
// Several sources, images, object files and libraries become one module.
#ifndef YOKE_CUDA_LINK_HPP
#define YOKE_CUDA_LINK_HPP

#include <yoke/cuda/compile_to.hpp>
#include <yoke/driver/cuda/link_request.hpp>
#include <yoke/driver/cuda/nvjitlink_loader.hpp>

#include <memory>

namespace yoke::inline YOKE_ABI::cuda {

/// A list of things to link. It belongs to no device: the same list can be linked for several.
///
/// What is given is kept here until the list ends, so that nothing has to outlive a call. Sources are compiled when they
/// are linked, with `-rdc=true`, as PTX; a source whose options name a real architecture ("sm_90") as a cubin; one that
/// is to be optimized by the linker as LTO-IR. LTO-IR goes to nvJitLink with all the rest, everything else to the
/// driver's own linker.
/// Thread safety: one non-const list from one thread at a time; linking it is safe.
class linker {
 public:
  /// Adds a source. `.kernels` and `.name_expressions` are known to the module that is linked.
  /// Throws: `logic_error` for a cache, which keeps no parts of programs: `link_options::cache` is for the whole; and for
  /// `.jit`, which is the link's;
  /// `std::bad_alloc`.
  YOKE_API linker& add_source(std::string source, const compile_options& options = {},
                              const source_location& where = source_location::current());
  /// Adds what a compiler made; of LTO-IR, PTX and cubins these have to be relocatable (`-rdc=true`).
  /// `name` is how messages call it. Throws: as below.
  YOKE_API linker& add(const compiled_image& image, const std::string& name,
                       const source_location& where = source_location::current());
  /// Adds the bytes of an image, an object file or a library.
  /// Throws: `logic_error` (`errc::incompatible_binary`) that names the input, for bytes that are not of that kind;
  /// `logic_error` for an unknown kind; `std::bad_alloc`.
  YOKE_API linker& add(link_kind kind, std::span<const std::byte> bytes, const std::string& name,
                       const source_location& where = source_location::current());
  /// Adds a file, which the linker reads when it links: what its name says, ".cubin", ".ptx", ".fatbin", ".o", ".a",
  /// ".ltoir"; or `kind`. PTX is also read for what it says of its kernels.
  /// Throws: `logic_error` (`errc::invalid_argument`) with the path, for a file that is missing, a folder, empty or not
  /// readable, or whose name says nothing.
  YOKE_API linker& add_file(const std::string& path, const source_location& where = source_location::current());
  YOKE_API linker& add_file(link_kind kind, const std::string& path,
                            const source_location& where = source_location::current());

  /// Returns: the number of things to link.
  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }

  /// Links for the context's device and loads the module. `build_log()` has what compilers and linker said.
  /// With `link_options::cache` a program that was linked before of the same sources, headers, images, files and options
  /// is loaded: neither a compiler nor a linker is opened. What a source's headers cannot tell its own
  /// `compile_options::header_digest` vouches for.
  ///
  /// Where a source has a `.keep`, the link leaves a folder in the first one's: "linked-0123456789abcdef", which
  /// `kept_folder()` and a `compile_error` name. In it are `inputs.txt`, a list; `options.txt`, `log.txt` and the binary,
  /// and the folders of the compilations of all sources with that `.keep`; what was given as bytes is there as `input-2.ptx`,
  /// by its place in the list.
  /// Throws: `compile_error` with the linker's log, which names the input that fails, the name that is missing or that is
  /// there twice; `compile_error` of a source; `logic_error` for a list with nothing in it, for options that cannot be
  /// passed on, and for a cache with a source that has a folder to keep its compilation in; `unsupported_error` with what was looked for, where nvJitLink is needed and not there; `error`.
  /// Wraps `cuLinkCreate`, `cuLinkAddData`, `cuLinkAddFile`, `cuLinkComplete`, `cuLinkDestroy`, `cuLibraryLoadData`;
  /// `nvJitLinkCreate`, `nvJitLinkAddData`, `nvJitLinkAddFile`, `nvJitLinkComplete`, `nvJitLinkGetLinkedCubin`.
  [[nodiscard]] YOKE_API module link(const context& in, const link_options& options = {},
                                     const source_location& where = source_location::current()) const;
  /// Links for the context's device. Returns: the image, the linker's log, and how long it took.
  /// Throws: as above; `logic_error` for a cache, which keeps modules.
  [[nodiscard]] YOKE_API linked_image link_image(const context& in, const link_options& options = {},
                                                 const source_location& where = source_location::current()) const;
  /// Links for an architecture ("sm_90"), with nvJitLink: neither a GPU nor a driver has to be there.
  /// Throws: as above; `logic_error` for an architecture that is none, or a virtual one.
  [[nodiscard]] YOKE_API linked_image link_image(const std::string& architecture, const link_options& options = {},
                                                 const source_location& where = source_location::current()) const;

 private:
  struct part {
    link_input input{};
    std::string source{};
    std::shared_ptr<const compile_options> options{};  ///< of a source; null: `input` is ready
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
  /// Returns: what a kept link's folder is called by.
  [[nodiscard]] std::string content(const link_options& options) const;
  void write_inputs(const link_request& made, const std::vector<std::string>& folders,
                    const yoke::detail::kept_build& kept, const source_location& where) const;
  template <class Link>
  [[nodiscard]] linked_image keep_image(const link_options& options, Link link, const source_location& where) const;
  std::vector<part> inputs_;
};

/// A source with a name of its own.
struct named_source {
  std::string name;  ///< how messages call it: "reduce.cu"
  std::string text;
};

/// Compiles several sources with the same options and links them into one module, through `.cache` of either options.
/// Throws: as `linker`; `logic_error` for `.name`, `.kernels` and `.name_expressions`, which are of one source: give them
/// to `linker::add_source`. Thread safety: safe.
/// Wraps `nvrtcCompileProgram`, `cuLinkCreate`, `cuLinkAddData`, `cuLinkComplete`, `cuLibraryLoadData`.
[[nodiscard]] YOKE_API module compile_all(const context& in, std::span<const named_source> sources,
                                          const compile_options& options = {}, const link_options& link = {},
                                          const source_location& where = source_location::current());

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/cuda/impl/link.ipp>
#endif

#endif
