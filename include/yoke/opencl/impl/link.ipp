// SPDX-License-Identifier: MIT
// Bodies of opencl/link.hpp.
#ifndef YOKE_OPENCL_IMPL_LINK_IPP
#define YOKE_OPENCL_IMPL_LINK_IPP

#include <yoke/opencl/link.hpp>

#include <algorithm>

namespace yoke::inline YOKE_ABI::opencl {

namespace detail {

struct program_linker {
  template <class Program>
  static Program own(const context& in, abi::program native) {
    return Program(in, native, true);
  }

  static abi::program link(const context& in, std::span<const linkable> parts, std::vector<std::string> options,
                           bool library, const source_location& where) {
    if (parts.empty()) yoke::detail::throw_error(errc::invalid_argument, "there is nothing to link", where);
    const port& with = in.port(where);
    std::vector<abi::program> natives;
    for (const linkable& each : parts) {
      if (each.native_handle() == nullptr) yoke::detail::throw_empty_handle("program to link", where);
      if (with.module_context(each.native_handle(), where) != in.native_handle()) {
        yoke::detail::throw_error(errc::wrong_context,
                                  yoke::detail::text("program ", natives.size(), " to link is of another context"),
                                  where);
      }
      natives.push_back(each.native_handle());
    }
    for (const std::string& each : options) {
      if (each.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
        yoke::detail::throw_error(errc::invalid_argument,
                                  "link option \"" + each + "\" has a line end or zero character", where);
      }
      if (each.find("-create-library") != std::string::npos) {
        yoke::detail::throw_error(errc::invalid_argument,
                                  "link option \"" + each + "\" makes a library: link_library gives it", where);
      }
    }
    if (library) options.insert(options.begin(), "-create-library");
    return with.link_parts(in.native_handle(), yoke::detail::native_devices(in, where), natives, options, where);
  }
};

}  // namespace detail

YOKE_COLD compiled_program compile_part(const context& in, std::string_view source,
                                        std::span<const embedded_header> headers, const compile_options& options,
                                        const source_location& where) {
  const port& with = in.port(where);
  const auto refuse = [&](const std::string& why) { yoke::detail::throw_error(errc::invalid_argument, why, where); };
  if (options.cache != nullptr) refuse("a cache keeps whole programs, not what is to be linked");
  if (!options.keep.empty()) refuse("what is to be linked is kept in no folder");
  std::vector<std::pair<std::string, std::string>> texts;
  for (const embedded_header& each : headers) {
    if (each.name.empty() || each.name.find('\0') != std::string::npos) {
      refuse("header " + std::to_string(texts.size()) + " has no name, or one with a zero character");
    }
    // Drivers write headers to folders of theirs, by these names.
    const std::string path = "/" + each.name + "/";
    if (each.name.front() == '/' || path.find("/../") != std::string::npos ||
        each.name.find_first_of("\r\n\"\\") != std::string::npos) {
      refuse("header \"" + each.name + "\" has a name that leads out of its folder, or that no source can include");
    }
    if (each.text.find('\0') != std::string::npos) refuse("header \"" + each.name + "\" has a zero character");
    if (std::any_of(texts.begin(), texts.end(), [&](const auto& other) { return other.first == each.name; })) {
      refuse("header \"" + each.name + "\" is given twice");
    }
    texts.emplace_back(each.name, each.text);
  }
  const compile_request request =
      yoke::detail::make_request(with.prelude(), with.source_name(), source, options, where,
                                 yoke::detail::default_options(with.options_variable(), where));
  return detail::program_linker::own<compiled_program>(
      in, with.compile_part(in.native_handle(), yoke::detail::native_devices(in, where), request, texts, where));
}

YOKE_COLD module link(const context& in, std::span<const linkable> parts, const std::vector<std::string>& options,
                      const source_location& where) {
  return yoke::detail::module_maker::make(
      in, source_lines{}, [&] { return detail::program_linker::link(in, parts, options, false, where); }, where);
}

YOKE_COLD program_library link_library(const context& in, std::span<const linkable> parts,
                                       const std::vector<std::string>& options, const source_location& where) {
  return detail::program_linker::own<program_library>(in,
                                                      detail::program_linker::link(in, parts, options, true, where));
}

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
