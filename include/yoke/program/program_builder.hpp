// SPDX-License-Identifier: MIT
// What a cache has a backend do for a program.
#ifndef YOKE_PROGRAM_PROGRAM_BUILDER_HPP
#define YOKE_PROGRAM_PROGRAM_BUILDER_HPP

#include <yoke/program/kernel_signatures.hpp>
#include <yoke/program/module.hpp>

namespace yoke::inline YOKE_ABI {

struct cache_inputs;
struct compile_options;
class program_cache;

namespace detail {

struct module_maker {
  template <class Port, class Make>
  static module<Port> make(const context<Port>& context, const source_lines& source, Make function,
                           const source_location& where) {
    return module<Port>::made_by(context, source, function, where);
  }
};

/// What is kept of a compiled program.
struct built_program {
  std::string log{};
  std::vector<std::byte> signatures{};  // as `encode_signatures` writes them
  std::vector<std::byte> payload{};     // what the driver loads
};

/// Makes one module, by a compiler or from what a cache holds. All throw what their driver makes of it.
class program_builder {
 public:
  program_builder() = default;
  program_builder(const program_builder&) = delete;
  program_builder& operator=(const program_builder&) = delete;

  /// Returns: the compiler's name; without `open` only if that needs no opening. "": none, or not known.
  virtual std::string compiler(bool open) = 0;
  virtual void compile() = 0;
  /// Returns: the bytes, the log and the kernels' signatures of what was compiled.
  virtual built_program keep() = 0;
  virtual void load(std::string_view log, std::span<const std::byte> signatures,
                    std::span<const std::byte> payload) = 0;

 protected:
  ~program_builder() = default;
};

/// What a backend's programs depend on: `inputs_of` by default.
using inputs_function = cache_inputs (*)(const compile_request&, const build_target&);
/// Effects: builds through the cache that the options name. Throws: what the builder throws.
YOKE_API void build_through(const compile_options& options, const build_target& target, const compile_request& request,
                            program_builder& builder, inputs_function inputs = nullptr);
/// Logs of several devices as one text, and back. Returns: none where the text is not that of so many.
YOKE_API std::string joined_logs(const std::vector<std::string>& logs);
YOKE_API std::vector<std::string> split_logs(std::string_view text, std::size_t count);

/// Compiles by one function of a port and loads by another; both return native modules.
template <class Port, class Compile, class Load>
class module_builder final : public program_builder {
 public:
  using devices_type = std::vector<typename Port::device_handle>;
  module_builder(const context<Port>& context, const devices_type& devices, const compile_request& request,
                 Compile compile, Load load, const source_location& where)
      : context_(context), devices_(devices), request_(request), compile_(compile), load_(load), where_(where) {}

  [[gnu::cold]] std::string compiler(bool open) override {
    return context_.port(where_).compiler_of(devices_, open, where_);
  }
  [[gnu::cold]] void compile() override { result = module_maker::make(context_, request_.lines, compile_, where_); }
  [[gnu::cold]] built_program keep() override {
    built_program built;
    std::vector<std::string> logs;
    const Port& port = context_.port(where_);
    for (const auto& each : devices_) {
      logs.push_back(port.build_log(result.native_handle(), each, request_.lines, where_));
    }
    built.log = joined_logs(logs);
    built.payload = port.export_binary(result.native_handle(), where_);
    if constexpr (describing_port<Port>) {
      built.signatures = encode_signatures(port.described_kernels(result.native_handle(), where_));
    }
    return built;
  }
  [[gnu::cold]] void load(std::string_view log, std::span<const std::byte> signatures,
                          std::span<const std::byte> payload) override {
    yoke::module<Port> loaded = module_maker::make(
        context_, request_.lines, [&] { return load_(payload); }, where_);
    loaded.state(where_)->logs = split_logs(log, devices_.size());
    loaded.state(where_)->told = decode_signatures(signatures);
    result = std::move(loaded);
  }

  yoke::module<Port> result;

 private:
  const context<Port>& context_;
  const devices_type& devices_;
  const compile_request& request_;
  Compile compile_;
  Load load_;
  source_location where_;
};

}  // namespace detail
}  // namespace yoke::inline YOKE_ABI

#endif
