// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/link.hpp.
#ifndef YOKE_CUDA_COMPILE_LINK_IPP
#define YOKE_CUDA_COMPILE_LINK_IPP

#include <yoke/cuda/compile/link.hpp>

#include <yoke/core/file.hpp>
#include <yoke/core/native_path.hpp>
#include <yoke/cuda/compile/cache_inputs.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/driver/cuda/binary/binary_check.hpp>
#include <yoke/driver/cuda/binary/binary_kernels.hpp>
#include <yoke/driver/cuda/compiler/link.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/structs/linked_structs.hpp>

#include <filesystem>
#include <list>
#include <memory>

namespace yoke::inline v0_1::cuda {

namespace detail {

void check_link_kind(link_kind kind, const source_location& where) {
  using enum link_kind;
  yoke::detail::check_enumerator("link_kind", kind, {cubin, ptx, fatbin, object, library, lto}, where);
}

/// Returns: why bytes are not of that kind; "" if they may be.
std::string link_problem(link_kind kind, std::span<const std::byte> bytes) {
  const auto begins_with = [&](std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  if (bytes.empty()) return "is empty";
  const bool elf = begins_with(
      "\x7F"
      "ELF");
  // The simulator uses one kind of code for all kinds, and libraries of it.
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

bool wants_relocatable(const std::vector<std::string>& options) {
  return option_among(options, {"rdc", "relocatable-device-code", "dc", "device-c"}).empty();
}

}  // namespace detail

linker& linker::add_source(std::string source, const compile_options& options, const source_location& where) {
  detail::check_no_module(
      options, "a cache keeps whole programs, not what is to be linked: give it to the linker, link_options::cache",
      ".jit is how the driver compiles what it links: it is among the options of the link", where);
  if (!options.code.empty()) {
    yoke::detail::throw_error(errc::invalid_argument, where, "code \"", options.code,
                              "\" is for a whole program: a linker makes code for the architecture that it links for");
  }
  part added;
  added.input.name = options.name.empty() ? detail::language().source_name : options.name;
  added.source = std::move(source);
  added.options = std::make_shared<const compile_options>(options);
  inputs_.push_back(std::move(added));
  return *this;
}

linker& linker::add(const compiled_image& image, const std::string& name, const source_location& where) {
  using enum image_kind;
  yoke::detail::check_enumerator("image_kind", image.kind, {cubin, ptx, fatbin, lto}, where);
  constexpr link_kind kinds[] = {link_kind::cubin, link_kind::ptx, link_kind::fatbin, link_kind::lto};
  add(kinds[static_cast<std::size_t>(image.kind)], image.bytes, name, where);
  for (const auto& [asked, lowered] : image.names) inputs_.back().input.names.push_back({asked, "", {}, lowered});
  return *this;
}

linker& linker::add(link_kind kind, std::span<const std::byte> bytes, const std::string& name,
                    const source_location& where) {
  detail::check_link_kind(kind, where);
  const std::string problem = detail::link_problem(kind, bytes);
  if (!problem.empty()) {
    yoke::detail::throw_error(errc::incompatible_binary, where, "input \"", name, "\" of ", bytes.size(), " bytes ",
                              problem);
  }
  part added;
  added.input = {kind, name, {bytes.begin(), bytes.end()}, {}};
  inputs_.push_back(std::move(added));
  return *this;
}

linker& linker::add_file(link_kind kind, const std::string& path, const source_location& where) {
  detail::check_link_kind(kind, where);
  const std::string problem = detail::link_problem(kind, yoke::detail::file_bytes("image file", path, where));
  if (!problem.empty()) {
    yoke::detail::throw_error(errc::incompatible_binary, where, "file \"", path, "\" ", problem);
  }
  part added;
  added.input = {kind, path, {}, {}};
  inputs_.push_back(std::move(added));
  return *this;
}

linker& linker::add_file(const std::string& path, const source_location& where) {
  const std::string ending = yoke::detail::path_text(yoke::detail::native_path(path).extension());
  constexpr std::pair<std::string_view, link_kind> endings[] = {
      {".cubin", link_kind::cubin}, {".ptx", link_kind::ptx},   {".fatbin", link_kind::fatbin},
      {".o", link_kind::object},    {".a", link_kind::library}, {".ltoir", link_kind::lto},
  };
  for (const auto& [name, kind] : endings) {
    if (ending == name) return add_file(kind, path, where);
  }
  yoke::detail::throw_error(errc::invalid_argument, where, "the name of \"", path,
                            "\" ends in none of .cubin, .ptx, .fatbin, .o, .a, .ltoir: "
                            "give its link_kind");
}

namespace detail {

/// Returns: the kind of image that a source is compiled to.
image_kind kind_to_link(const compile_options& own, const link_options& options) {
  if (options.link_time_optimization) return image_kind::lto;
  return own.architecture.rfind("sm_", 0) == 0 ? image_kind::cubin : image_kind::ptx;
}
compile_options options_to_link(const compile_options& own) {
  compile_options all = own;
  if (wants_relocatable(all.options)) all.options.insert(all.options.begin(), "-rdc=true");
  return all;
}

}  // namespace detail

folder_option linker::keep() const {
  for (const part& each : inputs_) {
    if (each.options != nullptr && !each.options->keep.empty()) return each.options->keep;
  }
  return {};
}

std::string linker::content(const link_options& options) const {
  std::string all;
  if (keep().empty()) return all;
  for (const part& each : inputs_) {
    all += each.input.name + '\0' + each.source + '\0';
    all.append(reinterpret_cast<const char*>(each.input.bytes.data()), each.input.bytes.size());
  }
  for (const std::string& each : options.options) all += each + '\0';
  return all;
}

void linker::write_inputs(const link_request& made, const std::vector<std::string>& folders,
                          const yoke::detail::kept_build& kept, const source_location& where) const {
  std::string list;
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    const link_input& each = made.inputs[i];
    list += yoke::detail::text(i + 1, ": ", detail::noun_of(each.kind), " \"", each.name, "\"");
    if (inputs_[i].options != nullptr) {
      list += " of a source" + (folders[i].empty() ? std::string() : ", in \"" + folders[i] + "\"");
    } else if (each.bytes.empty()) {
      list += ", a file";
    } else {
      constexpr const char* endings[] = {".cubin", ".ptx", ".fatbin", ".o", ".a", ".ltoir"};
      const std::string file = yoke::detail::text("input-", i + 1, endings[static_cast<std::size_t>(each.kind)]);
      kept.write(file, {reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size()}, where);
      list += ", in \"" + file + "\"";
    }
    list += "\n";
  }
  kept.write("inputs.txt", list, where);
  std::string words = detail::needs_nvjitlink(made) ? "nvJitLink\n" : "the driver's linker\n";
  if (!made.architecture.empty()) words += "for " + made.architecture + "\n";
  for (const std::string& each : made.options) words += each + "\n";
  kept.write("options.txt", words, where);
}

link_request linker::request(const link_options& options, const std::string& architecture,
                             const yoke::detail::kept_build& kept, std::string& compiler_log,
                             const source_location& where) const {
  for (const std::string& each : options.options) yoke::detail::check_option("link option", each, where);
  link_request request;
  static_cast<link_options&>(request) = options;
  request.architecture = architecture;
  request.kept = kept.folder();
  const folder_option of_link = keep();
  std::vector<std::string> folders;
  for (const part& each : inputs_) {
    request.inputs.push_back(each.input);
    folders.emplace_back();
    link_input& input = request.inputs.back();
    if (each.options == nullptr) {
      if (input.kind == link_kind::ptx && input.bytes.empty()) {
        input.entries = detail::image_entries(yoke::detail::file_bytes("image file", input.name, where));
      }
      continue;
    }
    compile_options own = detail::options_to_link(*each.options);
    if (kept && own.keep.path() == of_link.path()) own.keep = kept.folder();
    const image_kind kind = detail::kind_to_link(own, options);
    if (own.architecture.empty() && detail::option_among(own.options, {"gpu-architecture", "arch"}).empty()) {
      // NVRTC may not know the device yet: the linker then compiles the newest virtual architecture that NVRTC knows.
      std::string virtual_one =
          detail::architecture_for(detail::known_architectures(detail::default_nvrtc(where).table, where),
                                   std::atoi(architecture.c_str() + architecture.find('_') + 1), where);
      own.architecture = "compute_" + virtual_one.substr(virtual_one.find('_') + 1);
    }
    compiled_image image = detail::compile_named(kind, each.source, own, &input.names, where);
    constexpr link_kind kinds[] = {link_kind::cubin, link_kind::ptx, link_kind::fatbin, link_kind::lto};
    input.kind = kinds[static_cast<std::size_t>(kind)];
    input.bytes = std::move(image.bytes);
    folders.back() = std::move(image.kept_folder);
    compiler_log = detail::joined_logs(std::move(compiler_log), image.log);
  }
  if (kept) write_inputs(request, folders, kept, where);
  return request;
}

namespace detail {
std::string real_architecture(const context& in, const source_location& where) {
  const device& target = in.only_device(where);
  return yoke::detail::text("sm_", get(target, info::compute_capability_major, where),
                            get(target, info::compute_capability_minor, where));
}

void check_not_empty(std::size_t inputs, const source_location& where) {
  if (inputs == 0) yoke::detail::throw_error(errc::invalid_argument, "there is nothing to link", where);
}
}  // namespace detail

namespace detail {

void refuse_cache(const link_options& options, const source_location& where) {
  if (options.cache == nullptr) return;
  yoke::detail::throw_error(errc::invalid_argument, "a cache keeps modules of a device, which link() gives, no images",
                            where);
}

/// Builds a linked module. Its log includes the compilers' logs, and its compiler's name is theirs.
template <class Compile, class Load>
class link_builder final : public yoke::detail::module_builder<port, Compile, Load> {
  using base = yoke::detail::module_builder<port, Compile, Load>;

 public:
  link_builder(const context& in, const typename base::devices_type& devices, const source_lines& lines,
               Compile compile, Load load, const source_location& where, bool has_sources, bool by_nvjitlink,
               const std::string& log)
      : base(in, devices, lines, compile, load, where),
        has_sources_(has_sources),
        by_nvjitlink_(by_nvjitlink),
        log_(log) {}

  [[gnu::cold]] std::string compiler(bool open) override {
    std::string name = "the driver's linker";
    if (has_sources_) name = base::compiler(open);
    if (!by_nvjitlink_ || name.empty()) return name;
    const std::string linker = nvjitlink_name(open);
    if (linker.empty()) return "";
    return has_sources_ ? name + ", " + linker : linker;
  }
  [[gnu::cold]] void compile() override {
    base::compile();
    base::result.state(base::where_)->logs = {joined_logs(log_, base::result.build_log(base::where_))};
  }

 private:
  bool has_sources_;
  bool by_nvjitlink_;
  const std::string& log_;  // the compilers' messages, once they have run
};

}  // namespace detail

cuda::module linker::with_types_of_sources(module linked, const source_location& where) const {
  std::vector<std::vector<struct_description>> types;
  for (const part& each : inputs_) {
    if (each.options == nullptr) continue;
    types.push_back(yoke::detail::structs_of(each.options->kernels, each.options->types, where).types);
  }
  return yoke::detail::with_types(std::move(linked), yoke::detail::linked_types(types), where);
}

cuda::module linker::link_through_cache(const context& in, const link_options& options,
                                        const source_location& where) const {
  const port& with = in.port(where);
  const std::string architecture = detail::real_architecture(in, where);
  const auto devices = yoke::detail::native_devices(in, where);
  const build_target target = with.target_of(devices, where);
  yoke::detail::cached_program program{
      .target = target, .steps = "link", .words = {architecture}, .inputs = &detail::cache_inputs_of};
  if (options.link_time_optimization) program.words.emplace_back("link time optimization");
  detail::add_jit_words(program.words, options.jit);
  for (const std::string& each : options.options) program.words.push_back("linker option " + each);
  std::list<build_request> requests;
  std::vector<yoke::detail::cached_part> parts;
  bool by_nvjitlink = options.link_time_optimization || !options.options.empty();
  for (const part& each : inputs_) {
    if (each.options == nullptr) {
      parts.push_back({.kind = detail::noun_of(each.input.kind), .name = each.input.name, .bytes = each.input.bytes});
      by_nvjitlink = by_nvjitlink || each.input.kind == link_kind::lto;
      for (const detail::known_name& name : each.input.names) {
        program.words.push_back(yoke::detail::text("name ", parts.size(), " ", name.name, " is ", name.lowered));
      }
      continue;
    }
    if (!each.options->keep.empty()) {
      yoke::detail::throw_error(errc::invalid_argument, where, "source \"", each.input.name,
                                "\" has a folder to keep its compilation in, and the "
                                "link a cache: what comes from a cache is not compiled");
    }
    const compile_options own = detail::options_to_link(*each.options);
    requests.push_back(detail::request_without_device(detail::kind_to_link(own, options), detail::language(),
                                                      each.source, own,
                                                      yoke::detail::default_options(detail::language(), where), where));
    parts.push_back({&requests.back(), &each.options->defines, &each.options->header_digest});
  }
  program.parts = parts;
  std::string log;
  const auto by_linker = [&] {
    log.clear();
    const yoke::detail::kept_build nowhere({}, "", "", where);
    const link_request asked = request(options, architecture, nowhere, log, where);
    return with.link(in.native_handle(), in.only_device(where).native_handle(), asked, where);
  };
  const auto from_bytes = [&](std::span<const std::byte> bytes) {
    return with.load_binary_with(in.native_handle(), devices, bytes, options.jit, where);
  };
  const source_lines lines{};
  detail::link_builder<decltype(by_linker), decltype(from_bytes)> builder(in, devices, lines, by_linker, from_bytes,
                                                                          where, !requests.empty(), by_nvjitlink, log);
  yoke::detail::build_through(*options.cache, program, builder);
  return with_types_of_sources(std::move(builder.result), where);
}

cuda::module linker::link(const context& in, const link_options& options, const source_location& where) const {
  if (options.cache != nullptr && !inputs_.empty()) return link_through_cache(in, options, where);
  const port& with = in.port(where);
  detail::check_not_empty(inputs_.size(), where);
  const std::string architecture = detail::real_architecture(in, where);
  const device_id target = in.only_device(where).native_handle();
  const yoke::detail::kept_build kept(keep(), "linked", content(options), where);
  const auto make = [&] {
    std::string log;
    const link_request asked = request(options, architecture, kept, log, where);
    auto result = yoke::detail::module_maker::make(
        in, source_lines{}, [&] { return with.link(in.native_handle(), target, asked, where); }, where);
    result.state(where)->logs = {detail::joined_logs(std::move(log), result.build_log(where))};
    return result;
  };
  return with_types_of_sources(yoke::detail::make_kept(kept, make, where), where);
}

/// Returns: the result of `link`; if the link is kept, also writes its log and bytes to the folder.
template <class Link>
[[gnu::cold]] linked_image linker::keep_image(const link_options& options, Link link,
                                              const source_location& where) const {
  detail::check_not_empty(inputs_.size(), where);
  const yoke::detail::kept_build kept(keep(), "linked", content(options), where);
  linked_image linked;
  try {
    std::string log;
    linked = link(kept, log);
    linked.log = detail::joined_logs(std::move(log), linked.log);
  } catch (const error& failure) {
    kept.fail(failure);
    throw;
  }
  kept.log(linked.log, where);
  kept.binary(linked.bytes, ".cubin", where);
  linked.kept_folder = kept.folder();
  return linked;
}

linked_image linker::link_image(const context& in, const link_options& options, const source_location& where) const {
  detail::refuse_cache(options, where);
  const port& with = in.port(where);
  const std::string architecture = detail::real_architecture(in, where);
  const device_id target = in.only_device(where).native_handle();
  const auto link = [&](const yoke::detail::kept_build& kept, std::string& log) {
    return with.link_image(in.native_handle(), target, request(options, architecture, kept, log, where), where);
  };
  return keep_image(options, link, where);
}

linked_image linker::link_image(const std::string& architecture, const link_options& options,
                                const source_location& where) const {
  detail::check_architecture(architecture, where);
  detail::refuse_cache(options, where);
  if (architecture.rfind("sm_", 0) != 0) {
    yoke::detail::throw_error(errc::invalid_argument, where, "architecture \"", architecture,
                              "\" is virtual: a linker makes code of one like \"sm_90\"");
  }
  const auto link = [&](const yoke::detail::kept_build& kept, std::string& log) {
    const link_request asked = request(options, architecture, kept, log, where);
    return detail::link_by_nvjitlink(detail::default_nvjitlink(where).table, asked, where);
  };
  return keep_image(options, link, where);
}

cuda::module compile_all(const context& in, std::span<const named_source> sources, const compile_options& options,
                         const link_options& link, const source_location& where) {
  const auto refuse = [&](bool given, const char* what) {
    if (!given) return;
    yoke::detail::throw_error(errc::invalid_argument, where, what,
                              " is of one source, not of several: give it to linker::add_source");
  };
  refuse(!options.name.empty(), ".name");
  refuse(!options.kernels.empty(), ".kernels");
  refuse(!options.name_expressions.empty(), ".name_expressions");
  linker list;
  link_options linking = link;
  if (linking.cache == nullptr) linking.cache = options.cache;
  for (const named_source& each : sources) {
    compile_options own = options;
    own.name = each.name;
    own.cache = nullptr;
    list.add_source(each.text, own, where);
  }
  return list.link(in, linking, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
