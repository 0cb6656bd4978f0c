// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program.hpp: programs by NVRTC, with the signatures that it is to check.
#ifndef YOKE_DRIVER_CUDA_COMPILER_IMPL_BUILD_IPP
#define YOKE_DRIVER_CUDA_COMPILER_IMPL_BUILD_IPP

#include <yoke/driver/cuda/compiler/impl/nvrtc_source.ipp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/image/impl/mangled_names.ipp>
#include <yoke/driver/cuda/impl/program.ipp>

#include <algorithm>
#include <list>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

/// Returns: "sm_90" if the compiler knows the device, else the newest "compute_.." that the driver can compile further.
YOKE_COLD std::string architecture_for(const std::vector<int>& known, int capability, const source_location& where) {
  int best = 0;
  for (const int each : known) {
    if (each <= capability) best = (std::max)(best, each);
  }
  if (best == 0) {
    throw_error(
        errc::unsupported,
        text("NVRTC compiles for no device as old as compute capability ", capability / 10, ".", capability % 10),
        where);
  }
  return (best == capability ? "sm_" : "compute_") + std::to_string(best);
}
YOKE_COLD std::vector<int> known_architectures(const abi::nvrtc_functions& nvrtc, const source_location& where) {
  int count = 0;
  abi::nvrtc_status status = nvrtc.get_num_supported_archs(&count);
  std::vector<int> known(static_cast<std::size_t>((std::max)(count, 0)));
  if (status == 0 && !known.empty()) status = nvrtc.get_supported_archs(known.data());
  if (status != 0) throw_nvrtc_failure(status, "nvrtcGetSupportedArchs", "", where);
  return known;
}

/// Returns: the user's option of one of these names: "-arch=sm_90", "--std=c++20", or "-std" before its value; "" if there
/// is none.
YOKE_COLD std::string option_among(const std::vector<std::string>& options, std::initializer_list<const char*> names) {
  for (const std::string& each : options) {
    const std::size_t begin = each.find_first_not_of('-');
    if (begin == 0 || begin == std::string::npos) continue;
    const std::string_view plain = std::string_view(each).substr(begin);
    for (const std::string_view name : names) {
      if (plain.substr(0, name.size()) != name) continue;
      if (plain.size() == name.size() || plain[name.size()] == '=' || plain[name.size()] == ' ') return each;
    }
  }
  return "";
}

/// Returns: whether the options ask for code that can be linked. The last such option counts.
YOKE_COLD bool is_relocatable(const std::vector<std::string>& options) {
  bool relocatable = false;
  for (const std::string& each : options) {
    const std::string found = option_among({each}, {"rdc", "relocatable-device-code", "dc", "device-c"});
    if (!found.empty()) relocatable = found.find("false") == std::string::npos;
  }
  return relocatable;
}

/// Throws: `logic_error` for a word that is no architecture.
YOKE_COLD void check_architecture(const std::string& name, const source_location& where) {
  const std::size_t line = name.find('_');
  const std::string_view kind = std::string_view(name).substr(0, line);
  std::string_view number = line == std::string::npos ? "" : std::string_view(name).substr(line + 1);
  if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) number.remove_suffix(1);
  const bool digits = number.size() >= 2 && number.size() <= 3 &&
                      std::all_of(number.begin(), number.end(), [](char each) { return each >= '0' && each <= '9'; });
  if ((kind == "sm" || kind == "compute") && digits) return;
  throw_error(errc::invalid_argument, "architecture \"" + name + "\" is not like \"sm_90\" or \"compute_90\"", where);
}

/// Returns: the options in NVRTC's words, the caller's own last. Throws: `logic_error` for one given twice.
YOKE_COLD std::vector<std::string> finished_options(const build_request& request, const std::string& architecture,
                                                    const source_location& where) {
  std::vector<std::string> options;
  const std::string own_standard = option_among(request.options, {"std"});
  const std::string own_architecture = option_among(request.options, {"gpu-architecture", "arch"});
  if (!request.standard.empty() && !own_standard.empty()) {
    throw_error(errc::invalid_argument,
                "standard \"" + request.standard + "\" and option \"" + own_standard + "\" both choose the standard",
                where);
  }
  if (!request.architecture.empty() && !own_architecture.empty()) {
    throw_error(errc::invalid_argument,
                "architecture \"" + request.architecture + "\" and option \"" + own_architecture +
                    "\" both choose the architecture",
                where);
  }
  if (own_standard.empty()) {
    options.push_back("--std=" + (request.standard.empty() ? std::string("c++17") : request.standard));
  }
  if (own_architecture.empty() && !architecture.empty()) options.push_back("--gpu-architecture=" + architecture);
  if (request.portable) options.push_back(std::string("--device-as-default-execution-space"));
  // CUDA 13 warns that its own double4 is deprecated wherever the word stands, also for the dialect's.
  if (request.portable && request.source.find("double4") != std::string::npos) {
    options.push_back(std::string("--diag-suppress=1444"));
  }
  for (const std::string& folder : request.include_folders) options.push_back("--include-path=" + folder);
  for (const std::string& each : request.options) options.push_back(each);
  return options;
}

/// A name expression for the compiler.
struct asked_name {
  known_name known;
  std::string expression;
};

/// Returns: the name expressions of a request. Throws: `logic_error` for one that is no name, or is given twice.
YOKE_COLD std::list<asked_name> asked_names(const build_request& request, const source_location& where) {
  std::list<asked_name> names;
  const auto add = [&](known_name known, std::string expression, const char* what) __attribute__((cold)) {
    if (known.name.find_first_not_of(" \t") == std::string::npos ||
        known.name.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
      throw_error(errc::invalid_argument,
                  std::string(what) + " \"" + known.name.c_str() + "\" is empty or has a line end or zero character",
                  where);
    }
    for (const asked_name& each : names) {
      if (each.expression == expression) {
        throw_error(errc::invalid_argument, std::string(what) + " \"" + known.name + "\" is given twice", where);
      }
    }
    names.push_back({std::move(known), std::move(expression)});
  };
  for (const typed_kernel& each : request.kernels) {
    const std::string type = function_type(each.parameters);
    if (type.empty()) {  // the types cannot be spelled; the compiler can still find the kernel
      add({each.name, "", {}, ""}, each.name, "kernel");
    } else {
      std::string list;
      for (const parameter_info& parameter : each.parameters) {
        list += (list.empty() ? "" : ", ") + in_source(parameter.spelling, request.portable);
      }
      add({each.name, type, each.parameters, ""}, "static_cast<void(*)(" + list + ")>(&" + each.name + ")", "kernel");
    }
  }
  for (const std::string& each : request.name_expressions) {
    add({each, "", {}, ""}, request.portable ? in_dialect(each) : each, "name expression");
  }
  return names;
}

/// A compilation, with what its messages need.
struct nvrtc_job {
  const abi::nvrtc_functions& nvrtc;
  const build_request& request;
  std::vector<std::string> options;  // the request's at the end, also those that the text has
  source_location where;

  [[nodiscard, gnu::cold]] abi::nvrtc_status compile(const nvrtc_source& program) const {
    std::vector<std::string> passed(options.begin(), options.end() - std::ptrdiff_t(request.options.size()));
    for (std::string& each : yoke::detail::options_beside_text(request)) passed.push_back(std::move(each));
    return program.compile(passed);
  }
  [[nodiscard, gnu::cold]] std::string joined() const {
    std::string all;
    for (const std::string& each : options) all += (all.empty() ? "" : " ") + each;
    return all;
  }
  [[noreturn, gnu::cold]] void fail(abi::nvrtc_status status, const std::string& log, const std::string& why) const {
    const std::string all = joined();
    compile_error::details facts{log, all, request.source, "nvcc -cubin " + all + " -x cu " + request.lines.name};
    std::string message = "building " + request.lines.name + " with options \"" + all + "\" failed";
    if (!request.kept.empty()) message += ", all of it is in \"" + request.kept + "\"";
    if (!why.empty()) message += ": " + why;
    if (!log.empty()) message += ":\n" + log;
    if (!request.hint.empty()) message += (message.back() == '\n' ? "" : "\n") + request.hint;
    throw compile_error({status, nvrtc_error_category()}, "nvrtcCompileProgram", message, std::move(facts), where);
  }
  /// Returns: whether the source compiles with this name expression. Effects: gives its lowered name, or the log.
  [[gnu::cold]] bool compiles(const std::string& more_text, const std::string& expression, std::string& lowered,
                              std::string& log) const {
    const nvrtc_source trial(nvrtc, request.text + more_text, request.lines.name, where);
    if (!expression.empty()) trial.add_expression(expression);
    const bool fine = compile(trial) == 0;
    if (!fine) log = trial.log();
    if (fine && !expression.empty()) lowered = trial.lowered(expression);
    return fine;
  }
};

/// Returns: the parameter types of the kernel of that name: "float*", "int". Effects: tells whether it has exactly one type.
YOKE_COLD std::vector<std::string> true_parameters(const nvrtc_job& job, const std::string& kernel, bool& has_one) {
  has_one = false;
  // The lowered name spells the kernel's type in the compiler's own words, however its messages look.
  const std::string probe = "yoke_signature_of<decltype(&" + kernel + ")>";
  std::string lowered;
  std::string log;
  if (!job.compiles("\ntemplate <class T> __global__ void yoke_signature_of() {}\n", probe, lowered, log)) return {};
  const std::string readable = demangled(lowered);
  constexpr std::string_view before = "void (*)(";
  const std::size_t begin = readable.find(before);
  const std::size_t end = readable.rfind(")>");
  if (begin == std::string::npos || end == std::string::npos || end < begin + before.size()) return {};
  std::vector<parameter_info> parameters;
  const std::string list = readable.substr(begin + before.size(), end - begin - before.size());
  if (!parse_parameters("f(" + list + ")", parameters)) return {};
  has_one = true;
  std::vector<std::string> spelled;
  for (const parameter_info& each : parameters) spelled.push_back(spelling_of(each));
  return spelled;
}

/// Throws: `compile_error` for a kernel that the source has twice, which is an overload in C++ alone.
YOKE_COLD void refuse_overloads(const nvrtc_job& job, const std::vector<std::string>& kernels) {
  std::vector<std::string> readable;
  for (const std::string& each : kernels) readable.push_back(demangled(each));
  for (std::size_t i = 0; i < readable.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (qualified_name(readable[i]) != qualified_name(readable[j])) continue;
      const std::string log = job.request.lines.name + ": error: kernel " + std::string(qualified_name(readable[i])) +
                              " is there twice, as " + readable[j] + " and as " + readable[i] +
                              ": OpenCL C has no overloads, each kernel needs a name of its own\n";
      throw compile_error(make_error_code(errc::build_failed), "",
                          "building " + job.request.lines.name + " failed:\n" + log,
                          {log, job.joined(), job.request.source, ""}, job.where);
    }
  }
}

/// Throws: always: why the source did not compile with these names.
[[noreturn]] YOKE_COLD void explain_failure(const nvrtc_job& job, const std::list<asked_name>& names,
                                            abi::nvrtc_status status, const std::string& log) {
  std::string lowered;
  std::string other_log;
  constexpr abi::nvrtc_status compilation = 6;  // NVRTC_ERROR_COMPILATION: other codes are not about names
  if (names.empty() || status != compilation) job.fail(status, log, "");
  if (!job.compiles("", "", lowered, other_log)) job.fail(status, other_log, "");
  for (const asked_name& each : names) {
    if (job.compiles("", each.expression, lowered, other_log)) continue;
    if (each.known.type.empty())
      job.fail(status, other_log, "name expression \"" + each.known.name + "\" names nothing");
    const auto signature_of = [](const std::vector<std::string>& parameters) {
      std::string list;
      for (const std::string& type : parameters) list += (list.empty() ? "" : ", ") + type;
      return "void(" + list + ")";
    };
    std::vector<std::string> asked;
    for (const parameter_info& parameter : each.known.parameters) {
      asked.push_back(job.request.portable ? in_dialect(parameter.spelling) : in_source(parameter.spelling, false));
    }
    bool has_one = false;
    const std::vector<std::string> truth = true_parameters(job, each.known.name, has_one);
    std::string message = "kernel " + each.known.name;
    if (has_one) {
      const std::string difference = first_difference(truth, asked);
      message += " is " + signature_of(truth) + ", asked for as " + signature_of(asked) + ": " +
                 (difference.empty() ? "" : difference + "; ") + "the compiler refuses the conversion";
    } else {
      message += " cannot be had as " + signature_of(asked) + ":\n" + other_log;
    }
    throw_error(errc::signature_mismatch, message, job.where);
  }
  if (job.request.checks.empty()) job.fail(status, log, "");
  throw_error(errc::signature_mismatch,
              "a struct of .kernels is laid out otherwise in " + job.request.lines.name + " than on the host:\n" + log,
              job.where);
}

}  // namespace detail

YOKE_COLD build_target program_functions::target_of(std::span<const device_id> devices,
                                                    const source_location& where) const {
  const device_summary facts = port(table()).summary(devices.front(), where);
  // Several drivers have the same CUDA version, and different compilers.
  return {"cuda", "image", facts.driver_version + detail::driver_file_name(),
          detail::identity_of(table(), devices.front(), where), !detail::has_compiler_within()};
}
YOKE_COLD std::string program_functions::compiler_of(std::span<const device_id>, bool open,
                                                     const source_location&) const {
  if (!open) return detail::nvrtc_name_without_opening();
  std::string reason;
  const detail::loaded_nvrtc* const nvrtc = detail::find_nvrtc(reason);
  return nvrtc == nullptr ? "" : detail::nvrtc_name(*nvrtc);
}

YOKE_COLD abi::library program_functions::compile(abi::context context, std::span<const device_id> devices,
                                                  const compile_request& request, const source_location& where) const {
  build_request own;
  static_cast<compile_request&>(own) = request;
  return compile_with(context, devices, own, where);
}

YOKE_COLD abi::library program_functions::compile_with(abi::context context, std::span<const device_id> devices,
                                                       const build_request& request,
                                                       const source_location& where) const {
  const abi::device device = devices.front();
  const std::list<detail::asked_name> names = detail::asked_names(request, where);
  if (!request.architecture.empty()) detail::check_architecture(request.architecture, where);
  const abi::nvrtc_functions& nvrtc = detail::default_nvrtc(where).table;
  const std::string architecture =
      !request.architecture.empty()
          ? request.architecture
          : detail::architecture_for(detail::known_architectures(nvrtc, where),
                                     detail::compute_capability(table(), device, where), where);
  const detail::nvrtc_job job{nvrtc, request, detail::finished_options(request, architecture, where), where};
  if (request.used_options != nullptr) *request.used_options = job.joined();
  const detail::nvrtc_source program(nvrtc, request.text + request.checks, request.lines.name, where);
  for (const detail::asked_name& each : names) program.add_expression(each.expression);
  const abi::nvrtc_status status = job.compile(program);
  if (status != 0) detail::explain_failure(job, names, status, program.log());
  detail::image_record record;
  record.identity = detail::identity_of(table(), device_id(device), where);
  record.log = program.log();
  for (const detail::asked_name& each : names) {
    record.names.resize(record.names.size() + 1);
    record.names.back() = each.known;
    record.names.back().lowered = program.lowered(each.expression);
  }
  // A real architecture gives a cubin; a virtual one only PTX, which the driver compiles when it loads it.
  record.image = program.cubin();
  const std::vector<std::byte> ptx = program.ptx(record.image.empty() || detail::is_relocatable(job.options));
  record.entries = detail::image_entries(ptx);
  // A cubin for linking cannot be loaded: the driver compiles the PTX instead.
  if (record.image.empty() || detail::is_relocatable(job.options)) record.image = ptx;
  while (detail::is_ptx(record.image) && record.image.back() == std::byte{0}) record.image.pop_back();
  detail::list_kernels(record);
  if (request.portable) detail::refuse_overloads(job, record.kernels);
  return load_record(context, std::move(record), request.jit, where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
