// SPDX-License-Identifier: MIT
// Parts that CUDA's ways to a module share: cache keys, checks of structs, and loads of images.
#ifndef YOKE_CUDA_COMPILE_CACHE_INPUTS_HPP
#define YOKE_CUDA_COMPILE_CACHE_INPUTS_HPP

#include <yoke/core/text.hpp>
#include <yoke/cuda/names.hpp>
#include <yoke/driver/cuda/compiler/jit_options.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/compile.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Effects: appends the options of the driver's compiler to a cache key.
[[gnu::cold]] inline void add_jit_words(std::vector<std::string>& words, const jit_options& jit) {
  const auto add = [&](const char* name, const auto& value) {
    if (value) words.push_back(yoke::detail::text(name, static_cast<int>(*value)));
  };
  add("jit max_registers ", jit.max_registers);
  add("jit min_block ", jit.min_block);
  add("jit optimization_level ", jit.optimization_level);
  add("jit target ", jit.target);
  add("jit prefer_ptx ", jit.prefer_ptx);
  add("jit cache ", jit.cache);
  // The log depends on these, and its size is limited.
  words.push_back(yoke::detail::text("jit log ", jit.log_bytes, jit.debug_info ? " debug_info" : "",
                                     jit.line_info ? " line_info" : "", jit.verbose ? " verbose" : ""));
}

/// Returns: the parts of a request that belong to a cache key.
[[gnu::cold]] inline cache_inputs cache_inputs_of(const compile_request& shared, const build_target& target) {
  const auto& request = static_cast<const build_request&>(shared);
  cache_inputs inputs = yoke::detail::inputs_of(request, target);
  inputs.options.push_back(
      yoke::detail::text("architecture ", request.architecture, request.code.empty() ? "" : " code ", request.code));
  add_jit_words(inputs.options, request.jit);
  inputs.name_expressions = request.name_expressions;
  for (const typed_kernel& each : request.kernels) {
    std::string signature = each.name + "(";
    for (const parameter_info& parameter : each.parameters) {
      signature += yoke::detail::text(parameter.spelling, " ", parameter.type, " ", parameter.bytes, " ",
                                      static_cast<unsigned>(parameter.space), ";");
    }
    inputs.signatures.push_back(signature + ")");
  }
  if (!request.checks.empty()) inputs.signatures.push_back(request.checks);
  return inputs;
}

/// Returns: the structs of the kernels, with their checks as text under a separate name in messages.
[[gnu::cold]] inline yoke::detail::kernel_structs struct_checks_of(const std::vector<typed_kernel>& kernels,
                                                                   std::span<const struct_description> told,
                                                                   const source_location& where) {
  yoke::detail::kernel_structs structs = yoke::detail::structs_of(kernels, told, where);
  if (!structs.checks.empty()) structs.checks.insert(0, "#line 1 \"yoke/structs of the host\"\n");
  return structs;
}

[[gnu::cold]] inline module load_named(const context& in, std::span<const std::byte> image, const std::string& name,
                                       const jit_options& jit, const source_location& where) {
  const port& with = in.port(where);
  const device_id device = in.only_device(where).native_handle();
  return yoke::detail::module_maker::make(
      in, source_lines{}, [&] { return with.load_image(in.native_handle(), device, image, name, jit, where); }, where);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
