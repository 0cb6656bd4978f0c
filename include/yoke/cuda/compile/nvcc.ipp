// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/nvcc.hpp.
#ifndef YOKE_CUDA_COMPILE_NVCC_IPP
#define YOKE_CUDA_COMPILE_NVCC_IPP

#include <yoke/cuda/compile/nvcc.hpp>

#include <yoke/core/file.hpp>
#include <yoke/core/native_path.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/cuda/compile/cache_inputs.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/compile/nvcc_facts.hpp>
#include <yoke/cuda/compile/run_program.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/program/compile.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// The last place to search for nvcc, after `PATH` and the folders that variables name.
#if defined(_WIN32)
inline constexpr const char* usual_nvcc = "";
inline constexpr const char* nvcc_places = "%PATH%, %CUDA_PATH%/bin or %CUDA_HOME%/bin";
#else
inline constexpr const char* usual_nvcc = "/usr/local/cuda/bin/nvcc";
inline constexpr const char* nvcc_places = "$PATH, $CUDA_PATH/bin, $CUDA_HOME/bin or /usr/local/cuda/bin";
#endif

/// Returns: a command line quoted for a shell.
std::string shell_text(const std::vector<std::string>& words) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  std::string all;
  for (const std::string& each : words) {
    if (!all.empty()) all += ' ';
    if (!each.empty() && each.find_first_not_of(plain) == std::string::npos) {
      all += each;
      continue;
    }
    all += '\'';
    for (const char letter : each) all += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    all += '\'';
  }
  return all;
}

/// Returns: nvcc's output with the source's name in place of the temporary file's.
std::string with_source_name(std::string said, const std::string& file, const std::string& name) {
  for (std::size_t at = said.find(file); at != std::string::npos; at = said.find(file, at + name.size())) {
    said.replace(at, file.size(), name);
  }
  return said;
}

/// One run of nvcc, with the facts for its messages.
struct nvcc_job {
  const build_request& request;
  std::vector<std::string> options;
  std::vector<std::string> words;
  source_location where;

  [[noreturn]] void fail(const std::string& why, const program_result& run) const {
    std::string log = run.standard_error;
    if (!log.empty() && log.back() != '\n') log += '\n';
    log += run.standard_output;
    const std::string line = shell_text(words);
    std::string message = "building " + request.lines.name + " failed: " + why;
    if (!request.kept.empty()) message += ", all of it is in \"" + request.kept + "\"";
    message += "; the command was " + line;
    if (!log.empty()) message += ":\n" + log;
    throw compile_error(make_error_code(errc::build_failed), "nvcc", message,
                        {log, shell_text(options), request.source, line, run.standard_output, run.standard_error},
                        where);
  }
};

}  // namespace detail

std::string nvcc::location() const {
  if (path.find_first_of(yoke::detail::path_steps) != std::string::npos)
    return yoke::detail::is_program(path) ? path : "";
  std::string found = detail::program_in_path(path.empty() ? "nvcc" : path);
  if (!found.empty() || !path.empty()) return found;
  for (const char* const variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const char* const home = yoke::detail::trusted_variable(variable);
    if (home == nullptr || !yoke::detail::is_absolute_path(home)) continue;
    found = yoke::detail::text(home, "/bin/nvcc", yoke::detail::program_ending);
    if (yoke::detail::is_program(found)) return found;
  }
  found = detail::usual_nvcc;
  return yoke::detail::is_program(found) ? found : "";
}

build_request nvcc::request(image_kind kind, std::string_view source, const compile_options& with,
                            const source_location& where) const {
  const auto refuse = [&](const char* why) { yoke::detail::throw_error(errc::invalid_argument, why, where); };
  if (!with.kernels.empty()) refuse("nvcc compares no kernels: .kernels is for NVRTC");
  if (!with.name_expressions.empty()) {
    refuse("nvcc takes no name expressions: instantiate the template in the source, or use NVRTC");
  }
  std::vector<std::string> defaults =
      yoke::detail::joined_options(yoke::detail::default_options(detail::language(), where),
                                   yoke::detail::normal_options(options, detail::language()));
  kernel_language plain = detail::language();
  plain.prelude = {};
  plain.translates_opencl_c = false;
  build_request made = detail::request_without_device(kind, plain, source, with, std::move(defaults), where);
  if (made.portable) {
    refuse("nvcc compiles CUDA C++, not the dialect; a source that says \"yoke_\" of its own wants .language = native");
  }
  if (kind == image_kind::lto) made.options.emplace_back("-dlto");
  return made;
}

compiled_image nvcc::run(image_kind kind, const build_request& request, const yoke::detail::kept_build& kept,
                         const source_location& where) const {
  const detail::work_folder folder(kept.folder(), where);
  detail::nvcc_job job{
      request, detail::finished_options(request, request.architecture, request.architecture, where), {}, where};
  const std::string input = kept ? kept.text_path() : folder.path() + "/compiled.cu";
  if (!request.code.empty()) {
    const auto virtual_one = std::find_if(job.options.begin(), job.options.end(), [](const std::string& each) {
      return each.rfind("--gpu-architecture=", 0) == 0;
    });
    job.options.insert(virtual_one + 1, "--gpu-code=" + request.code);
  }
  const std::string output = folder.path() + "/binary" + detail::ending_of(kind);
  const std::string program = location();
  job.words = {program.empty() ? (path.empty() ? "nvcc" : path) : program,
               std::string("--") + (detail::ending_of(kind) + 1)};
  job.words.insert(job.words.end(), job.options.begin(), job.options.end());
  job.words.insert(job.words.end(), {"-x", "cu", "-o", output, input});
  if (request.used_options != nullptr) *request.used_options = detail::shell_text(job.words);
  if (program.empty()) {
    job.fail(path.empty() ? std::string("nvcc is not in ") + detail::nvcc_places
                          : "\"" + path + "\" is no program that can be run",
             {});
  }
  if (!kept) {
    const std::string problem = yoke::detail::write_problem(input, request.text);
    if (!problem.empty()) {
      throw runtime_error(make_error_code(errc::invalid_argument), "",
                          "the file \"" + input + "\" cannot be written: " + problem, where);
    }
  }
  detail::program_result run =
      detail::run_program(job.words, detail::variables_with_folder(detail::process_variables(), folder.path()));
  // `#line` sets the source's name, but nvcc's count of errors names the file.
  for (std::string* const said : {&run.standard_output, &run.standard_error}) {
    *said = detail::with_source_name(std::move(*said), input, request.lines.name);
  }
  if (!run.failure.empty()) job.fail(program + " " + run.failure, run);
  std::error_code missing;
  if (std::filesystem::file_size(yoke::detail::native_path(output), missing) == 0 || missing) {
    job.fail(program + " ended well, but left no output", run);
  }
  compiled_image result;
  result.kind = kind;
  result.bytes = yoke::detail::file_bytes("image file", output, where);
  result.log = run.standard_error + run.standard_output;
  result.kept_folder = kept.folder();
  return result;
}

compiled_image nvcc::compile_to(image_kind kind, std::string_view source, const compile_options& with,
                                const source_location& where) const {
  build_request asked = request(kind, source, with, where);
  const yoke::detail::kept_build kept(with.keep, asked, where);
  compiled_image result;
  try {
    result = run(kind, asked, kept, where);
  } catch (const error& failure) {
    kept.fail(failure);
    throw;
  }
  if (kept) kept.log(result.log, where);
  return result;
}

cuda::module nvcc::compile(const context& in, std::string_view source, const compile_options& with,
                           const source_location& where) const {
  compile_options own = with;
  image_kind kind = image_kind::cubin;
  std::vector<std::string> all = options;
  for (const auto& more : {with.options, yoke::detail::default_options(detail::language(), where)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  if (!own.code.empty()) {
    detail::check_architecture(own.code, where);
    detail::check_code_runs(own.code, in, where);
  } else if (own.architecture.rfind("compute_", 0) == 0) {
    kind = image_kind::ptx;
  } else if (own.architecture.empty()) {
    if (detail::option_among(all, {"gpu-architecture", "arch", "generate-code", "gencode"}).empty()) {
      const device& target = in.only_device(where);
      own.architecture = yoke::detail::text("sm_", get(target, info::compute_capability_major, where),
                                            get(target, info::compute_capability_minor, where));
    } else {
      kind = image_kind::fatbin;
    }
  }
  if (own.cache != nullptr) return compile_through_cache(kind, in, source, own, where);
  own.jit = {};  // `with` has it
  const compiled_image image = compile_to(kind, source, own, where);
  auto result = detail::load_named(in, image.bytes, "image of nvcc", with.jit, where);
  const auto& state = result.state(where);
  state->logs = {detail::joined_logs(image.log, result.build_log(where))};
  state->kept = image.kept_folder;
  state->types = with.types;
  return result;
}

namespace detail {

/// Builds a module from nvcc's image; nvcc's log becomes part of the module's.
template <class Compile, class Load>
class nvcc_builder final : public yoke::detail::module_builder<port, Compile, Load> {
  using base = yoke::detail::module_builder<port, Compile, Load>;

 public:
  nvcc_builder(const context& in, const typename base::devices_type& devices, const source_lines& lines,
               Compile compile, Load load, const source_location& where, std::string name, const std::string& log)
      : base(in, devices, lines, compile, load, where), name_(std::move(name)), log_(log) {}

  [[gnu::cold]] std::string compiler(bool) override { return name_; }
  [[gnu::cold]] void compile() override {
    base::compile();
    base::result.state(base::where_)->logs = {joined_logs(log_, base::result.build_log(base::where_))};
  }

 private:
  std::string name_;
  const std::string& log_;  // nvcc's log, once it has run
};

}  // namespace detail

cuda::module nvcc::compile_through_cache(image_kind kind, const context& in, std::string_view source,
                                         const compile_options& with, const source_location& where) const {
  const port& on = in.port(where);
  compile_options own = with;
  own.cache = nullptr;  // the cache does not change the request
  own.jit = {};
  build_request asked = request(kind, source, own, where);
  asked.jit = with.jit;
  const auto devices = yoke::detail::native_devices(in, where);
  const yoke::detail::kept_build kept(with.keep, asked, where);
  const detail::nvcc_facts facts(location(), yoke::detail::normal_options(asked.options, detail::language()));
  build_target target = on.target_of(devices, where);
  target.product += std::string(" of nvcc, ") + detail::ending_of(kind);
  target.closed = false;
  std::string log;
  const auto by_nvcc = [&] {
    const compiled_image image = run(kind, asked, kept, where);
    log = image.log;
    return on.load_image(in.native_handle(), devices.front(), image.bytes, "image of nvcc", with.jit, where);
  };
  const auto from_bytes = [&](std::span<const std::byte> bytes) {
    return on.load_binary_with(in.native_handle(), devices, bytes, with.jit, where);
  };
  detail::nvcc_builder<decltype(by_nvcc), decltype(from_bytes)> builder(in, devices, asked.lines, by_nvcc, from_bytes,
                                                                        where, facts.name(), log);
  const auto through_cache = [&] {
    yoke::detail::cached_part part{&asked, &with.defines, &with.header_digest};
    part.options = &facts.options();
    part.problem = facts.problem();
    yoke::detail::build_through(*with.cache,
                                {.target = target,
                                 .parts = {&part, 1},
                                 .inputs = &detail::nvcc_inputs,
                                 .own_folders = facts.folders(),
                                 .standard_headers = true},
                                builder);
    return std::move(builder.result);
  };
  return yoke::detail::with_types(yoke::detail::make_kept(kept, through_cache, where), with.types, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
