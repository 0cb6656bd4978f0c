// SPDX-License-Identifier: MIT
// Compiles or loads source, binary or intermediate code to a module, on any backend.
#ifndef YOKE_PROGRAM_COMPILE_HPP
#define YOKE_PROGRAM_COMPILE_HPP

#include <yoke/core/file.hpp>
#include <yoke/core/system.hpp>
#include <yoke/driver/compile_request.hpp>
#include <yoke/program/cache/program_builder.hpp>
#include <yoke/program/compile_options.hpp>
#include <yoke/program/default_options.hpp>
#include <yoke/program/kept_build.hpp>
#include <yoke/program/source_request.hpp>
#include <yoke/program/structs/device_struct.hpp>
#include <yoke/program/structs/struct_record.hpp>

namespace yoke::inline v0_1 {

namespace detail {
/// A source file and its options.
template <class Options>
struct source_file {
  source_file(const std::string& path, const Options& with, const source_location& where)
      : bytes(file_bytes("source file", path, where)), options(with) {
    if (options.name.empty()) options.name = path;
    const std::size_t slash = path.find_last_of(path_steps);
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
    options.include_folders.insert(options.include_folders.begin(), folder);
  }
  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::vector<std::byte> bytes;
  Options options;
};

/// Effects: gives the module its described structs. Returns: the module.
template <class Port>
[[gnu::cold]] module<Port> with_types(module<Port> made, std::vector<struct_description> types,
                                      const source_location& where) {
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

template <class Port>
[[gnu::cold]] module<Port> compile(const context<Port>& context, std::string_view source,
                                   const compile_options& options, const source_location& where) {
  const Port& port = context.port(where);
  compile_request request =
      detail::make_request(port.language(), source, options, where, detail::default_options(port.language(), where));
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
  // `make_request` has put the types into the text, and so into the cache key.
  return detail::with_types(detail::make_kept(kept, make, where), options.types, where);
}

template <class Port>
[[gnu::cold]] module<Port> compile_file(const context<Port>& context, const std::string& path,
                                        const compile_options& options, const source_location& where) {
  const detail::source_file file(path, options, where);
  return compile(context, file.text(), file.options, where);
}

template <class Port>
[[gnu::cold]] module<Port> load(const context<Port>& context, std::span<const std::byte> binary,
                                const source_location& where) {
  const Port& port = context.port(where);
  const auto devices = detail::native_devices(context, where);
  auto loaded = detail::module_maker::make(
      context, {}, [&] { return port.load_binary(context.native_handle(), devices, binary, where); }, where);
  return detail::with_types(std::move(loaded), detail::structs_of_binary(binary, where), where);
}

template <class Port>
[[gnu::cold]] module<Port> load_intermediate(const context<Port>& context, std::span<const std::byte> code,
                                             const compile_options& options, const source_location& where) {
  const Port& port = context.port(where);
  detail::check_intermediate_options(options, where);
  compile_request request = detail::make_request(port.language(), {}, options, where);
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

// Compiled once, in the library, to spare programs the compile time.
extern template YOKE_API module<any_port> compile(const context<any_port>&, std::string_view, const compile_options&,
                                                  const source_location&);
extern template YOKE_API module<any_port> compile_file(const context<any_port>&, const std::string&,
                                                       const compile_options&, const source_location&);
extern template YOKE_API module<any_port> load(const context<any_port>&, std::span<const std::byte>,
                                               const source_location&);
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/compile.ipp>
#endif

#endif
