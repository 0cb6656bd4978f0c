// SPDX-License-Identifier: MIT
// Bodies of opencl/compile/link.hpp.
#ifndef YOKE_OPENCL_COMPILE_LINK_IPP
#define YOKE_OPENCL_COMPILE_LINK_IPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/opencl/compile/link.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/source/embedded_header.hpp>
#include <yoke/program/structs/linked_structs.hpp>

#include <list>

namespace yoke::inline v0_1::opencl {

namespace detail {

struct program_linker {
  template <class Program>
  static Program own(const context& in, abi::program native, std::string name, std::vector<struct_description> types) {
    return Program(in, native, true, std::move(name), std::move(types));
  }

  /// Returns: the structs of all parts.
  static std::vector<struct_description> types_of(std::span<const linkable> parts) {
    std::vector<std::vector<struct_description>> types;
    for (const linkable& each : parts) types.emplace_back(each.types().begin(), each.types().end());
    return yoke::detail::linked_types(types);
  }

  /// Returns: "\"a.cl\", \"b.cl\"", the parts' names in messages; a native part is named by its position.
  static std::string names_of(std::span<const linkable> parts) {
    std::string names;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i != 0) names += ", ";
      names += parts[i].name().empty() ? yoke::detail::text("program ", i) : std::string(parts[i].name());
    }
    return names;
  }

  static abi::program link(const context& in, std::span<const linkable> parts, std::vector<std::string> options,
                           bool library, const source_location& where) {
    if (parts.empty()) yoke::detail::throw_error(errc::invalid_argument, "there is nothing to link", where);
    const port& with = in.port(where);
    std::vector<abi::program> natives;
    for (const linkable& each : parts) {
      if (each.native_handle() == nullptr) yoke::detail::throw_empty_handle("program to link", where);
      if (with.module_context(each.native_handle(), where) != in.native_handle()) {
        yoke::detail::throw_error(errc::wrong_context, where, "program ", natives.size(), " to link, ",
                                  names_of({&each, 1}), ", is of another context");
      }
      natives.push_back(each.native_handle());
    }
    for (const std::string& each : options) {
      yoke::detail::check_option("link option", each, where);
      if (each.find("-create-library") != std::string::npos) {
        yoke::detail::throw_error(errc::invalid_argument, where, "link option \"", each,
                                  "\" makes a library: link_library gives it");
      }
    }
    if (library) options.insert(options.begin(), "-create-library");
    return with.link_parts(in.native_handle(), yoke::detail::native_devices(in, where), natives, names_of(parts),
                           options, where);
  }
};

}  // namespace detail

namespace detail {

using header_texts = std::vector<std::pair<std::string, std::string>>;

/// Returns: the headers. Throws: `logic_error` for an impossible header name.
header_texts checked_headers(std::span<const embedded_header> headers, const source_location& where) {
  yoke::detail::check_headers(headers, where);
  header_texts texts;
  for (const embedded_header& each : headers) texts.emplace_back(each.name, each.text);
  return texts;
}

compile_request part_request(const context& in, std::string_view source, const compile_options& options,
                             const source_location& where) {
  const port& with = in.port(where);
  if (!options.keep.empty()) {
    yoke::detail::throw_error(errc::invalid_argument, "what is to be linked is kept in no folder", where);
  }
  return yoke::detail::make_request(with.language(), source, options, where,
                                    yoke::detail::default_options(with.language(), where));
}

compiled_program compile_request_part(const context& in, const compile_request& request, const header_texts& texts,
                                      std::vector<struct_description> types, const source_location& where) {
  return program_linker::own<compiled_program>(
      in,
      in.port(where).compile_part(in.native_handle(), yoke::detail::native_devices(in, where), request, texts, where),
      "\"" + request.lines.name + "\"", std::move(types));
}

}  // namespace detail

namespace detail {

/// Builds a linked module. A module stored in the cache is then loaded from its bytes, like a hit: some drivers
/// describe the kernels of a loaded program better than those of a linked one, and both cases have to be checked alike.
template <class Link, class Load>
class link_builder final : public yoke::detail::module_builder<port, Link, Load> {
  using base = yoke::detail::module_builder<port, Link, Load>;

 public:
  using base::base;
  [[gnu::cold]] yoke::detail::built_program keep() override {
    yoke::detail::built_program built = base::keep();
    base::load(built.logs, built.kernels, built.payload);
    return built;
  }
};

}  // namespace detail

compiled_program compile_part(const context& in, std::string_view source, std::span<const embedded_header> headers,
                              const compile_options& options, const source_location& where) {
  if (options.cache != nullptr) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "a cache keeps whole programs, not what is to be linked: compile_all takes one", where);
  }
  const detail::header_texts texts = detail::checked_headers(headers, where);
  return detail::compile_request_part(in, detail::part_request(in, source, options, where), texts, options.types,
                                      where);
}

opencl::module compile_all(const context& in, std::span<const named_source> sources,
                           std::span<const embedded_header> headers, const compile_options& options,
                           const std::vector<std::string>& link_options, const source_location& where) {
  if (!options.name.empty()) {
    yoke::detail::throw_error(errc::invalid_argument, ".name is of one source, not of several: each has its own",
                              where);
  }
  if (sources.empty()) yoke::detail::throw_error(errc::invalid_argument, "there is nothing to link", where);
  const port& with = in.port(where);
  const detail::header_texts texts = detail::checked_headers(headers, where);
  std::list<compile_request> requests;
  for (const named_source& each : sources) {
    compile_options own = options;
    own.name = each.name;
    requests.push_back(detail::part_request(in, each.text, own, where));
  }
  const auto by_linker = [&] {
    std::list<compiled_program> parts;
    std::vector<linkable> views;
    for (const compile_request& each : requests) {
      parts.push_back(detail::compile_request_part(in, each, texts, {}, where));
      views.emplace_back(parts.back());
    }
    return detail::program_linker::link(in, views, link_options, false, where);
  };
  const source_lines lines{};
  if (options.cache == nullptr) {
    return yoke::detail::with_types(yoke::detail::module_maker::make(in, lines, by_linker, where), options.types,
                                    where);
  }
  const auto devices = yoke::detail::native_devices(in, where);
  const auto from_bytes = [&](std::span<const std::byte> bytes) {
    return with.load_binary(in.native_handle(), devices, bytes, where);
  };
  detail::link_builder<decltype(by_linker), decltype(from_bytes)> builder(in, devices, lines, by_linker, from_bytes,
                                                                          where);
  const build_target target = with.target_of(devices, where);
  yoke::detail::cached_program program{.target = target, .steps = "link", .words = link_options};
  std::vector<yoke::detail::cached_part> cached;
  for (const compile_request& each : requests) {
    cached.push_back({&each, &options.defines, &options.header_digest, &texts});
  }
  program.parts = cached;
  yoke::detail::build_through(*options.cache, program, builder);
  return yoke::detail::with_types(std::move(builder.result), options.types, where);
}

opencl::module link(const context& in, std::span<const linkable> parts, const std::vector<std::string>& options,
                    const source_location& where) {
  return yoke::detail::with_types(
      yoke::detail::module_maker::make(
          in, source_lines{}, [&] { return detail::program_linker::link(in, parts, options, false, where); }, where),
      detail::program_linker::types_of(parts), where);
}

program_library link_library(const context& in, std::span<const linkable> parts,
                             const std::vector<std::string>& options, const source_location& where) {
  std::string name = "library of " + detail::program_linker::names_of(parts);
  return detail::program_linker::own<program_library>(in, detail::program_linker::link(in, parts, options, true, where),
                                                      std::move(name), detail::program_linker::types_of(parts));
}

}  // namespace yoke::inline v0_1::opencl

#endif
