// SPDX-License-Identifier: MIT
// Bodies of cuda/link.hpp.
#ifndef YOKE_CUDA_IMPL_LINK_IPP
#define YOKE_CUDA_IMPL_LINK_IPP

#include <yoke/cuda/impl/compile.ipp>
#include <yoke/cuda/impl/compile_to.ipp>
#include <yoke/cuda/link.hpp>
#include <yoke/driver/cuda/impl/link.ipp>

#include <memory>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

YOKE_COLD void check_link_kind(link_kind kind, const source_location& where) {
  using enum link_kind;
  yoke::detail::check_enumerator("link_kind", kind, {cubin, ptx, fatbin, object, library, lto}, where);
}

/// Returns: why bytes are not of that kind; "" when they may be.
YOKE_COLD std::string link_problem(link_kind kind, std::span<const std::byte> bytes) {
  const auto begins_with = [&](std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  if (bytes.empty()) return "is empty";
  const bool elf = begins_with(
      "\x7F"
      "ELF");
  // The simulator has one sort of code for all, and libraries of it.
  if (begins_with(simulated_magic)) return image_problem(bytes);
  switch (kind) {
    case link_kind::ptx: return is_ptx(bytes) ? "" : "is no PTX";
    case link_kind::cubin: return elf ? cubin_problem(bytes) : "is no cubin";
    case link_kind::fatbin:
      return number_at<std::uint32_t>(bytes, 0) == fatbin_magic ? image_problem(bytes) : "is no fatbin";
    case link_kind::object: return elf ? "" : "is no object file";
    case link_kind::library: return begins_with("!<arch>\n") ? "" : "is no library (an archive as ar makes it)";
    default: return elf || is_ptx(bytes) ? "is no LTO-IR" : "";
  }
}

YOKE_COLD bool wants_relocatable(const std::vector<std::string>& options) {
  return option_among(options, {"rdc", "relocatable-device-code", "dc", "device-c"}).empty();
}

}  // namespace detail

YOKE_COLD linker& linker::add_source(std::string source, const compile_options& options, const source_location& where) {
  if (options.cache != nullptr) {
    yoke::detail::throw_error(errc::invalid_argument, "a cache keeps whole programs, not what is to be linked", where);
  }
  part added;
  added.input.name = options.name.empty() ? port::source_name() : options.name;
  added.source = std::move(source);
  added.options = std::make_shared<const compile_options>(options);
  inputs_.push_back(std::move(added));
  return *this;
}

YOKE_COLD linker& linker::add(const compiled_image& image, const std::string& name, const source_location& where) {
  using enum image_kind;
  yoke::detail::check_enumerator("image_kind", image.kind, {cubin, ptx, fatbin, lto}, where);
  constexpr link_kind kinds[] = {link_kind::cubin, link_kind::ptx, link_kind::fatbin, link_kind::lto};
  add(kinds[static_cast<std::size_t>(image.kind)], image.bytes, name, where);
  for (const auto& [asked, lowered] : image.names) inputs_.back().input.names.push_back({asked, "", {}, lowered});
  return *this;
}

YOKE_COLD linker& linker::add(link_kind kind, std::span<const std::byte> bytes, const std::string& name,
                              const source_location& where) {
  detail::check_link_kind(kind, where);
  const std::string problem = detail::link_problem(kind, bytes);
  if (!problem.empty()) {
    yoke::detail::throw_error(errc::incompatible_binary,
                              yoke::detail::text("input \"", name, "\" of ", bytes.size(), " bytes ", problem), where);
  }
  part added;
  added.input = {kind, name, {bytes.begin(), bytes.end()}, {}};
  inputs_.push_back(std::move(added));
  return *this;
}

YOKE_COLD linker& linker::add_file(link_kind kind, const std::string& path, const source_location& where) {
  detail::check_link_kind(kind, where);
  const std::string problem = detail::link_problem(kind, detail::file_bytes(path, where));
  if (!problem.empty()) {
    yoke::detail::throw_error(errc::incompatible_binary, "file \"" + path + "\" " + problem, where);
  }
  part added;
  added.input = {kind, path, {}, {}};
  inputs_.push_back(std::move(added));
  return *this;
}

YOKE_COLD linker& linker::add_file(const std::string& path, const source_location& where) {
  const std::string ending = std::filesystem::path(path).extension().string();
  constexpr std::pair<std::string_view, link_kind> endings[] = {
      {".cubin", link_kind::cubin}, {".ptx", link_kind::ptx},   {".fatbin", link_kind::fatbin},
      {".o", link_kind::object},    {".a", link_kind::library}, {".ltoir", link_kind::lto},
  };
  for (const auto& [name, kind] : endings) {
    if (ending == name) return add_file(kind, path, where);
  }
  yoke::detail::throw_error(errc::invalid_argument,
                            "the name of \"" + path +
                                "\" ends in none of .cubin, .ptx, .fatbin, .o, .a, .ltoir: "
                                "give its link_kind",
                            where);
}

YOKE_COLD link_request linker::request(const link_options& options, const std::string& architecture,
                                       std::string& compiler_log, const source_location& where) const {
  if (inputs_.empty()) yoke::detail::throw_error(errc::invalid_argument, "there is nothing to link", where);
  link_request request;
  static_cast<link_options&>(request) = options;
  request.architecture = architecture;
  for (const part& each : inputs_) {
    request.inputs.push_back(each.input);
    if (each.options == nullptr) continue;
    link_input& input = request.inputs.back();
    compile_options own = *each.options;
    image_kind kind = image_kind::ptx;
    if (own.architecture.rfind("sm_", 0) == 0) kind = image_kind::cubin;
    if (options.link_time_optimization) kind = image_kind::lto;
    if (own.architecture.empty() && detail::option_among(own.options, {"gpu-architecture", "arch"}).empty()) {
      // NVRTC may not know the device yet: the newest that it knows is compiled further by the linker.
      std::string virtual_one =
          detail::architecture_for(detail::known_architectures(detail::default_nvrtc(where).table, where),
                                   std::atoi(architecture.c_str() + architecture.find('_') + 1), where);
      own.architecture = "compute_" + virtual_one.substr(virtual_one.find('_') + 1);
    }
    if (detail::wants_relocatable(own.options)) own.options.insert(own.options.begin(), "-rdc=true");
    compiled_image image = detail::compile_named(kind, each.source, own, &input.names, where);
    constexpr link_kind kinds[] = {link_kind::cubin, link_kind::ptx, link_kind::fatbin, link_kind::lto};
    input.kind = kinds[static_cast<std::size_t>(kind)];
    input.bytes = std::move(image.bytes);
    compiler_log = detail::joined_logs(std::move(compiler_log), image.log);
  }
  return request;
}

namespace detail {
YOKE_COLD std::string real_architecture(const context& in, const source_location& where) {
  const device target = in.only_device(where);
  return yoke::detail::text("sm_", get(target, info::compute_capability_major, where),
                            get(target, info::compute_capability_minor, where));
}

/// Effects: adds structs to those of other sources. Of a name that two sources use for different ones nothing is known.
YOKE_COLD void add_types(std::vector<struct_description>& to, std::vector<std::string>& ambiguous,
                         const std::vector<struct_description>& types) {
  for (const struct_description& each : types) {
    add_types(to, ambiguous, each.nested);
    const auto same = std::find_if(to.begin(), to.end(), [&](const auto& other) { return other.name == each.name; });
    if (same == to.end()) {
      to.push_back(each);
    } else if (!(*same == each)) {
      ambiguous.push_back(each.name);
    }
  }
}

}  // namespace detail

YOKE_COLD module linker::link(const context& in, const link_options& options, const source_location& where) const {
  const port& with = in.port(where);
  std::string log;
  const link_request asked = request(options, detail::real_architecture(in, where), log, where);
  const device_id target = in.only_device(where).native_handle();
  auto result = yoke::detail::module_maker::make(
      in, source_lines{}, [&] { return with.link(in.native_handle(), target, asked, where); }, where);
  result.state(where)->logs = {detail::joined_logs(std::move(log), result.build_log(where))};
  std::vector<struct_description> types;
  std::vector<std::string> ambiguous;
  for (const part& each : inputs_) {
    if (each.options == nullptr) continue;
    detail::add_types(types, ambiguous, each.options->types);
    detail::add_types(types, ambiguous,
                      yoke::detail::structs_of(each.options->kernels, each.options->types, where).found);
  }
  const auto is_ambiguous = [&](const struct_description& each) {
    return std::find(ambiguous.begin(), ambiguous.end(), each.name) != ambiguous.end();
  };
  std::erase_if(types, [&](const struct_description& each) {
    return is_ambiguous(each) || std::any_of(each.nested.begin(), each.nested.end(), is_ambiguous);
  });
  return yoke::detail::with_types(std::move(result), std::move(types), where);
}

YOKE_COLD linked_image linker::link_image(const context& in, const link_options& options,
                                          const source_location& where) const {
  const port& with = in.port(where);
  std::string log;
  const link_request asked = request(options, detail::real_architecture(in, where), log, where);
  linked_image linked = with.link_image(in.native_handle(), in.only_device(where).native_handle(), asked, where);
  linked.log = detail::joined_logs(std::move(log), linked.log);
  return linked;
}

YOKE_COLD linked_image linker::link_image(const std::string& architecture, const link_options& options,
                                          const source_location& where) const {
  detail::check_architecture(architecture, where);
  if (architecture.rfind("sm_", 0) != 0) {
    yoke::detail::throw_error(
        errc::invalid_argument,
        "architecture \"" + architecture + "\" is virtual: a linker makes code of one like \"sm_90\"", where);
  }
  std::string log;
  const link_request asked = request(options, architecture, log, where);
  linked_image linked = detail::link_by_nvjitlink(detail::default_nvjitlink(where).table, asked, where);
  linked.log = detail::joined_logs(std::move(log), linked.log);
  return linked;
}

YOKE_COLD module compile_all(const context& in, std::span<const named_source> sources, const compile_options& options,
                             const link_options& link, const source_location& where) {
  const auto refuse = [&](bool given, const char* what) {
    if (!given) return;
    yoke::detail::throw_error(errc::invalid_argument,
                              std::string(what) + " is of one source, not of several: give it to linker::add_source",
                              where);
  };
  refuse(!options.name.empty(), ".name");
  refuse(!options.kernels.empty(), ".kernels");
  refuse(!options.name_expressions.empty(), ".name_expressions");
  linker list;
  for (const named_source& each : sources) {
    compile_options own = options;
    own.name = each.name;
    list.add_source(each.text, own, where);
  }
  return list.link(in, link, where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
