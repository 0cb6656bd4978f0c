// SPDX-License-Identifier: MIT
// Kernels and name expressions that NVRTC must find in a source, and why it cannot.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NAMED_JOB_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NAMED_JOB_HPP

#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>

#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// A name expression for the compiler.
struct asked_name {
  known_name known;
  std::string expression;
};

/// Returns: the name expressions of a request. Throws: `logic_error` for text that is not a name, or a name given
/// twice.
[[gnu::cold]] inline std::list<asked_name> asked_names(const build_request& request, const source_location& where) {
  std::list<asked_name> names;
  const auto add = [&](known_name known, std::string expression, const char* what) __attribute__((cold)) {
    if (known.name.find_first_not_of(" \t") == std::string::npos ||
        known.name.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
      throw_error(errc::invalid_argument, where, what, " \"", known.name.c_str(),
                  "\" is empty or has a line end or zero character");
    }
    for (const asked_name& each : names) {
      if (each.expression == expression) {
        throw_error(errc::invalid_argument, where, what, " \"", known.name, "\" is given twice");
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

/// Returns: the parameter types of the kernel with that name: "float*", "int". Effects: tells whether it has exactly
/// one type.
[[gnu::cold]] inline std::vector<std::string> true_parameters(const nvrtc_job& job, const std::string& kernel,
                                                              bool& has_one) {
  has_one = false;
  // The lowered name contains the kernel's type in a fixed form, unlike the compiler's messages.
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

/// Throws: always: why the source did not compile with these names.
[[noreturn, gnu::cold]] inline void explain_failure(const nvrtc_job& job, const std::list<asked_name>& names,
                                                    std::string_view checks, abi::nvrtc_status status,
                                                    const std::string& log) {
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
  if (checks.empty()) job.fail(status, log, "");
  throw_error(errc::signature_mismatch, job.where, "a struct of .kernels is laid out otherwise in ",
              job.request.lines.name, " than on the host:\n", log);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
