// SPDX-License-Identifier: MIT
// A compilation by NVRTC: its architecture and options, and why it failed.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVRTC_JOB_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVRTC_JOB_HPP

#include <yoke/core/text.hpp>
#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/cuda/binary/mangled_names.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_source.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: "sm_90" if the compiler knows the device, else the newest "compute_.." that the driver can compile further.
[[gnu::cold]] inline std::string architecture_for(const std::vector<int>& known, int capability,
                                                  const source_location& where) {
  int best = 0;
  for (const int each : known) {
    if (each <= capability) best = (std::max)(best, each);
  }
  if (best == 0) {
    throw_error(errc::unsupported, where, "NVRTC compiles for no device as old as compute capability ", capability / 10,
                ".", capability % 10);
  }
  return (best == capability ? "sm_" : "compute_") + std::to_string(best);
}
[[gnu::cold]] inline std::vector<int> known_architectures(const abi::nvrtc_functions& nvrtc,
                                                          const source_location& where) {
  int count = 0;
  abi::nvrtc_status status = nvrtc.get_num_supported_archs(&count);
  std::vector<int> known(static_cast<std::size_t>((std::max)(count, 0)));
  if (status == 0 && !known.empty()) status = nvrtc.get_supported_archs(known.data());
  if (status != 0) throw_nvrtc_failure(status, "nvrtcGetSupportedArchs", "", where);
  return known;
}

/// Returns: the user's option with one of these names: "-arch=sm_90", "--std=c++20", or "-std" before its value; "" if
/// there is none.
[[gnu::cold]] inline std::string option_among(const std::vector<std::string>& options,
                                              std::initializer_list<const char*> names) {
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

/// Returns: whether the options ask for relocatable code. The last option decides.
[[gnu::cold]] inline bool is_relocatable(const std::vector<std::string>& options) {
  bool relocatable = false;
  for (const std::string& each : options) {
    const std::string found = option_among({each}, {"rdc", "relocatable-device-code", "dc", "device-c"});
    if (!found.empty()) relocatable = found.find("false") == std::string::npos;
  }
  return relocatable;
}

/// Throws: `logic_error` for a word that is not an architecture.
[[gnu::cold]] inline void check_architecture(const std::string& name, const source_location& where) {
  const std::size_t line = name.find('_');
  const std::string_view kind = std::string_view(name).substr(0, line);
  std::string_view number = line == std::string::npos ? "" : std::string_view(name).substr(line + 1);
  if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) number.remove_suffix(1);
  const bool digits = number.size() >= 2 && number.size() <= 3 &&
                      std::all_of(number.begin(), number.end(), [](char each) { return each >= '0' && each <= '9'; });
  if ((kind == "sm" || kind == "compute") && digits) return;
  throw_error(errc::invalid_argument, where, "architecture \"", name, "\" is not like \"sm_90\" or \"compute_90\"");
}

/// Returns: the number of an architecture: 90 of "sm_90a". Requires: `check_architecture` accepts it.
[[nodiscard, gnu::cold]] inline int architecture_number(const std::string& name) noexcept {
  return std::atoi(name.c_str() + name.find('_') + 1);
}
/// Throws: `logic_error` unless `code` is empty, or a real architecture that runs instructions of `architecture`.
[[gnu::cold]] inline void check_code(const std::string& code, const std::string& architecture,
                                     const std::vector<std::string>& options, const source_location& where) {
  if (code.empty()) return;
  if (code.rfind("sm_", 0) != 0) {
    throw_error(errc::invalid_argument, where, "code \"", code,
                "\" is not like \"sm_90\": it is the real architecture of the machine code");
  }
  check_architecture(code, where);
  const std::string own =
      option_among(options, {"gpu-code", "code", "gpu-architecture", "arch", "generate-code", "gencode"});
  if (!own.empty()) {
    throw_error(errc::invalid_argument, where, "code \"", code, "\" and option \"", own,
                "\" both choose the architecture");
  }
  if (architecture.empty()) return;
  check_architecture(architecture, where);
  if (architecture.rfind("compute_", 0) != 0) {
    throw_error(errc::invalid_argument, where, "architecture \"", architecture, "\" is real, and so is code \"", code,
                "\": with .code it is the virtual one, such as \"compute_80\"");
  }
  if (architecture_number(architecture) > architecture_number(code)) {
    throw_error(errc::invalid_argument, where, "code \"", code, "\" is older than architecture \"", architecture,
                "\", whose instructions it does not run");
  }
}
/// Effects: sets the architectures of a request: one that is virtual and real goes to `architecture` alone.
/// Throws: as `check_code`.
template <class Request>
[[gnu::cold]] void set_architectures(Request& request, const std::string& architecture, const std::string& code,
                                     const source_location& where) {
  check_code(code, architecture, request.options, where);
  const bool apart = !code.empty() && !architecture.empty() && architecture.substr(8) != code.substr(3);
  request.architecture = apart || code.empty() ? architecture : code;
  request.code = apart ? code : "";
}

/// Returns: the options in NVRTC's spelling, the caller's own last. Throws: `logic_error` for one given twice.
[[gnu::cold]] inline std::vector<std::string> finished_options(const compile_request& request, const std::string& own,
                                                               const std::string& architecture,
                                                               const source_location& where) {
  std::vector<std::string> options;
  const std::string own_standard = option_among(request.options, {"std"});
  const std::string own_architecture = option_among(request.options, {"gpu-architecture", "arch"});
  if (!request.standard.empty() && !own_standard.empty()) {
    throw_error(errc::invalid_argument, where, "standard \"", request.standard, "\" and option \"", own_standard,
                "\" both choose the standard");
  }
  if (!own.empty() && !own_architecture.empty()) {
    throw_error(errc::invalid_argument, where, "architecture \"", own, "\" and option \"", own_architecture,
                "\" both choose the architecture");
  }
  if (own_standard.empty()) {
    options.push_back("--std=" + (request.standard.empty() ? std::string("c++17") : request.standard));
  }
  if (own_architecture.empty() && !architecture.empty()) options.push_back("--gpu-architecture=" + architecture);
  if (request.portable) options.push_back(std::string("--device-as-default-execution-space"));
  // CUDA 13 warns that its own double4 is deprecated wherever the word appears, even if the dialect's is meant.
  if (request.portable && request.source.find("double4") != std::string::npos) {
    options.push_back(std::string("--diag-suppress=1444"));
  }
  for (const std::string& folder : request.include_folders) options.push_back("--include-path=" + folder);
  for (const std::string& each : request.options) options.push_back(each);
  return options;
}

/// A compilation, with the facts for its messages.
struct nvrtc_job {
  const abi::nvrtc_functions& nvrtc;
  const compile_request& request;
  std::vector<std::string> options;  // the request's options last, including those that the text also has
  source_location where;

  [[nodiscard, gnu::cold]] abi::nvrtc_status compile(const nvrtc_source& program) const {
    std::vector<std::string> passed(options.begin(), options.end() - std::ptrdiff_t(request.options.size()));
    // NVRTC then leaves out textures and CUDA's runtime interface, which take as long as a short kernel.
    if (request.plain && has_minimal()) passed.push_back("--minimal");
    for (std::string& each : yoke::detail::options_beside_text(request)) passed.push_back(std::move(each));
    return program.compile(passed);
  }
  [[nodiscard, gnu::cold]] bool has_minimal() const noexcept {
    int major = 0, minor = 0;
    return nvrtc.version(&major, &minor) == 0 && (major > 12 || (major == 12 && minor >= 4));
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
  /// Returns: whether the source compiles with this name expression. Effects: stores its lowered name, or the log.
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

/// Throws: `compile_error` for a kernel that the source defines twice, which only C++ accepts as an overload.
[[gnu::cold]] inline void refuse_overloads(const nvrtc_job& job, const std::vector<std::string>& kernels) {
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

}  // namespace yoke::inline v0_1::cuda::detail

#endif
