// SPDX-License-Identifier: MIT
// The interface through which the cache makes a backend compile or load a program.
#ifndef YOKE_PROGRAM_CACHE_PROGRAM_BUILDER_HPP
#define YOKE_PROGRAM_CACHE_PROGRAM_BUILDER_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/module.hpp>

namespace yoke::inline v0_1 {

struct cache_inputs;
struct define;
class program_cache;

namespace detail {

struct module_maker {
  template <class Port, class Make>
  static module<Port> make(const context<Port>& context, const source_lines& source, Make function,
                           const source_location& where) {
    return module<Port>::made_by(context, source, function, where);
  }
};

/// The parts of a compiled program that a cache keeps.
struct built_program {
  std::vector<std::string> logs{};      // one for each device
  std::vector<typed_kernel> kernels{};  // as the driver describes them
  std::vector<std::byte> payload{};     // the bytes that the driver loads
};

/// Makes one module, by compiling or from a cache's bytes. All functions throw the driver's errors.
class program_builder {
 public:
  explicit program_builder(std::size_t devices) noexcept : device_count(devices) {}
  program_builder(const program_builder&) = delete;
  program_builder& operator=(const program_builder&) = delete;

  /// Returns: the compiler's name; "" if there is none, or if the name requires opening the compiler and `open` is
  /// false.
  virtual std::string compiler(bool open) = 0;
  virtual void compile() = 0;
  /// Returns: the bytes, the logs and the kernels' signatures of the compiled program.
  virtual built_program keep() = 0;
  virtual void load(std::vector<std::string> logs, std::vector<typed_kernel> kernels,
                    std::span<const std::byte> payload) = 0;

  const std::size_t device_count;

 protected:
  ~program_builder() = default;
};

/// Computes the inputs of a backend's source; `inputs_of` by default.
using inputs_function = cache_inputs (*)(const compile_request&, const build_target&);

/// One input of a program: a source, bytes, or a file.
struct cached_part {
  const compile_request* source = nullptr;                                    ///< null: bytes or a file
  const std::vector<define>* defines = nullptr;                               ///< the source's definitions
  const std::vector<std::byte>* header_digest = nullptr;                      ///< the caller's digest of its headers
  const std::vector<std::pair<std::string, std::string>>* headers = nullptr;  ///< header texts by name
  std::string kind{};                                                         ///< the kind of bytes or of a file
  std::string name{};                                                         ///< the path of a file
  std::span<const std::byte> bytes{};                                         ///< empty: the file's content counts
  const std::vector<std::string>* options = nullptr;  ///< options that name header folders, if not the source's own
  std::string problem{};                              ///< why the library may not see all headers of the source
};

/// The inputs of a cached program, for its key.
struct cached_program {
  const build_target& target;
  std::span<const cached_part> parts{};
  std::string steps{};               ///< how the parts are combined: "link"; "": one source is compiled
  std::vector<std::string> words{};  ///< the options of these steps
  inputs_function inputs = nullptr;
  std::vector<std::string> own_folders{};  ///< the compiler's own header folders, searched last
  bool standard_headers = false;           ///< whether the C++ standard's headers belong to the compiler
};

/// Effects: makes the builder load the program from the cache, else compile it. Throws: as the builder.
YOKE_API void build_through(const program_cache& cache, const cached_program& program, program_builder& builder);
/// Joins the logs of several devices to one text, and splits it. `split_logs` returns none unless the text has `count`
/// logs.
YOKE_API std::string joined_logs(const std::vector<std::string>& logs);
YOKE_API std::vector<std::string> split_logs(std::string_view text, std::size_t count);

/// Compiles with one function and loads with another; both return native modules. `by` is the compiler's name if the
/// port does not know it.
template <class Port, class Compile, class Load>
class module_builder : public program_builder {
 public:
  using devices_type = std::vector<typename Port::device_handle>;
  module_builder(const context<Port>& context, const devices_type& devices, const source_lines& lines, Compile compile,
                 Load load, const source_location& where, std::string by = {})
      : program_builder(devices.size()),
        context_(context),
        devices_(devices),
        lines_(lines),
        compile_(compile),
        load_(load),
        where_(where),
        by_(std::move(by)) {}

  [[gnu::cold]] std::string compiler(bool open) override {
    return by_.empty() ? context_.port(where_).compiler_of(devices_, open, where_) : by_;
  }
  [[gnu::cold]] void compile() override { result = module_maker::make(context_, lines_, compile_, where_); }
  [[gnu::cold]] built_program keep() override {
    built_program built;
    const Port& port = context_.port(where_);
    for (const auto& each : context_.devices(where_)) built.logs.push_back(result.build_log(each, where_));
    built.payload = port.export_binary(result.native_handle(), where_);
    built.kernels = port_traits<Port>::described_kernels(port, result.native_handle(), where_);
    return built;
  }
  [[gnu::cold]] void load(std::vector<std::string> logs, std::vector<typed_kernel> kernels,
                          std::span<const std::byte> payload) override {
    yoke::module<Port> loaded = module_maker::make(
        context_, lines_, [&] { return load_(payload); }, where_);
    loaded.state(where_)->logs = std::move(logs);
    loaded.state(where_)->stored_kernels = std::move(kernels);
    result = std::move(loaded);
  }

  yoke::module<Port> result;

 protected:
  ~module_builder() = default;
  const context<Port>& context_;
  const devices_type& devices_;
  const source_lines& lines_;
  Compile compile_;
  Load load_;
  source_location where_;
  std::string by_;
};

/// A `module_builder` that can be created.
template <class Port, class Compile, class Load>
class plain_module_builder final : public module_builder<Port, Compile, Load> {
 public:
  using module_builder<Port, Compile, Load>::module_builder;
};

}  // namespace detail
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/program_cache.hpp>
#endif

#endif
