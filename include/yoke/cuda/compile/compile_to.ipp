// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/compile_to.hpp.
#ifndef YOKE_CUDA_COMPILE_COMPILE_TO_IPP
#define YOKE_CUDA_COMPILE_COMPILE_TO_IPP

#include <yoke/cuda/compile/compile_to.hpp>

#include <yoke/cuda/compile/cache_inputs.hpp>
#include <yoke/driver/cuda/compiler/link.hpp>
#include <yoke/driver/cuda/compiler/named_job.hpp>
#include <yoke/driver/cuda/compiler/nvjitlink.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_source.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/kept_build.hpp>

#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

const char* ending_of(image_kind kind) noexcept {
  switch (kind) {
    case image_kind::cubin: return ".cubin";
    case image_kind::ptx: return ".ptx";
    case image_kind::fatbin: return ".fatbin";
    default: return ".ltoir";
  }
}

void check_no_module(const compile_options& options, const char* cache, const char* jit, const source_location& where) {
  if (options.cache != nullptr) yoke::detail::throw_error(errc::invalid_argument, cache, where);
  if (!(options.jit == jit_options{})) yoke::detail::throw_error(errc::invalid_argument, jit, where);
}

build_request request_without_device(image_kind kind, const kernel_language& language, std::string_view source,
                                     const compile_options& options, std::vector<std::string> defaults,
                                     const source_location& where) {
  using enum image_kind;
  yoke::detail::check_enumerator("image_kind", kind, {cubin, ptx, fatbin, lto}, where);
  check_no_module(options, "a cache keeps programs of a device, not what has none",
                  ".jit is how the driver compiles what it loads: nothing is loaded here", where);
  const yoke::compile_options shared{.options = options.options,
                                     .include_folders = options.include_folders,
                                     .defines = options.defines,
                                     .standard = options.standard,
                                     .name = options.name,
                                     .language = options.language,
                                     .types = options.types,
                                     .math = options.math,
                                     .headers = options.headers,
                                     .portable = options.portable};
  if (!options.architecture.empty()) check_architecture(options.architecture, where);
  if (!options.architecture.empty() || !options.code.empty()) {
    yoke::detail::drop_options(defaults, {"gpu-architecture", "gpu-code"});
  }
  if (!options.code.empty() && (kind == ptx || kind == lto)) {
    yoke::detail::throw_error(errc::invalid_argument, where, "code \"", options.code,
                              "\" is for a cubin or a fatbin: ", kind == ptx ? "PTX" : "LTO-IR",
                              " has no machine code");
  }
  build_request request;
  static_cast<compile_request&>(request) =
      yoke::detail::make_request(language, source, shared, where, std::move(defaults));
  request.kernels = options.kernels;
  request.name_expressions = options.name_expressions;
  set_architectures(request, options.architecture, options.code, where);
  std::string chosen = option_among(request.options, {"gpu-architecture", "arch", "generate-code", "gencode"});
  if (chosen.empty()) chosen = request.architecture;
  if (kind == cubin && request.code.empty() && (chosen.empty() || request.architecture.rfind("compute_", 0) == 0)) {
    yoke::detail::throw_error(errc::invalid_argument, where,
                              "a cubin is for one architecture, such as \"sm_90\", but .architecture is \"",
                              request.architecture, "\"");
  }
  return request;
}

/// Returns: the machine code of PTX, by nvJitLink. Effects: appends the linker's messages to the log.
std::vector<std::byte> assembled(std::vector<std::byte> ptx, const build_request& request, std::string& log,
                                 const source_location& where) {
  while (!ptx.empty() && ptx.back() == std::byte{0}) ptx.pop_back();
  link_request asked;
  asked.architecture = request.code;
  asked.kept = request.kept;
  asked.inputs.push_back({link_kind::ptx, request.lines.name, std::move(ptx), {}});
  linked_image linked = link_by_nvjitlink(default_nvjitlink(where).table, asked, where);
  log = joined_logs(std::move(log), linked.log);
  return std::move(linked.bytes);
}

compiled_image compile_named(image_kind kind, std::string_view source, const compile_options& options,
                             std::vector<known_name>* known, const source_location& where) {
  if (kind == image_kind::fatbin) {
    yoke::detail::throw_error(errc::invalid_argument, "NVRTC makes no fatbin; cuda::nvcc does", where);
  }
  build_request request = detail::request_without_device(
      kind, detail::language(), source, options, yoke::detail::default_options(detail::language(), where), where);
  request.checks = struct_checks_of(request.kernels, options.types, where).checks;
  const std::list<asked_name> names = asked_names(request, where);
  const abi::nvrtc_functions& nvrtc = detail::default_nvrtc(where).table;
  if (kind == image_kind::lto && (nvrtc.get_ltoir == nullptr || nvrtc.get_ltoir_size == nullptr)) {
    yoke::detail::throw_error(errc::unsupported, "this NVRTC makes no LTO-IR", where);
  }
  if (kind == image_kind::lto && detail::option_among(request.options, {"dlto", "dlink-time-opt"}).empty()) {
    request.options.emplace_back("-dlto");
  }
  const yoke::detail::kept_build kept(options.keep, request, where);
  const detail::nvrtc_job job{
      nvrtc, request, detail::finished_options(request, request.architecture, request.architecture, where), where};
  if (request.used_options != nullptr) *request.used_options = job.joined();
  compiled_image result;
  try {
    const detail::nvrtc_source program(nvrtc, request.text + request.checks, request.lines.name, where);
    for (const detail::asked_name& each : names) program.add_expression(each.expression);
    const abi::nvrtc_status status = job.compile(program);
    if (status != 0) detail::explain_failure(job, names, request.checks, status, program.log());
    result.kind = kind;
    result.log = program.log();
    result.kept_folder = kept.folder();
    for (const detail::asked_name& each : names) {
      result.names.emplace_back(each.known.name, program.lowered(each.expression));
      if (known == nullptr) continue;
      known->push_back(each.known);
      known->back().lowered = result.names.back().second;
    }
    switch (kind) {
      case image_kind::cubin:
        result.bytes =
            request.code.empty() ? program.cubin() : assembled(program.ptx(true), request, result.log, where);
        break;
      case image_kind::ptx: result.bytes = program.ptx(true); break;
      default: result.bytes = program.ltoir(); break;
    }
    while (kind == image_kind::ptx && !result.bytes.empty() && result.bytes.back() == std::byte{0}) {
      result.bytes.pop_back();
    }
    if (result.bytes.empty()) job.fail(0, result.log, "NVRTC gives no bytes of that kind with these options");
  } catch (const error& failure) {
    kept.fail(failure);
    throw;
  }
  if (kept) {
    kept.log(result.log, where);
    kept.binary(result.bytes, detail::ending_of(kind), where);
  }
  return result;
}

}  // namespace detail

compiled_image compile_to(image_kind kind, std::string_view source, const compile_options& options,
                          const source_location& where) {
  return detail::compile_named(kind, source, options, nullptr, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
