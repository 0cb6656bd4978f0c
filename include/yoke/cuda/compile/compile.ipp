// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/compile.hpp.
#ifndef YOKE_CUDA_COMPILE_COMPILE_IPP
#define YOKE_CUDA_COMPILE_COMPILE_IPP

#include <yoke/cuda/compile/compile.hpp>

#include <yoke/core/file.hpp>
#include <yoke/cuda/compile/cache_inputs.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/compile.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

void check_code_runs(const std::string& code, const context& in, const source_location& where) {
  const device& target = in.only_device(where);
  const int major = get(target, info::compute_capability_major, where);
  const int minor = get(target, info::compute_capability_minor, where);
  const int number = architecture_number(code);
  if (number / 10 == major && number % 10 <= minor) return;
  yoke::detail::throw_error(errc::invalid_argument, where, "code \"", code,
                            "\" does not run on this device of compute capability ", major, ".", minor);
}
/// Returns: the option of the driver's compiler for a real architecture; none for one like "sm_90a", for which the
/// driver compiles on such a device by itself.
std::optional<int> target_of_code(const std::string& code, const jit_options& jit, const source_location& where) {
  const int number = architecture_number(code);
  if (jit.target && *jit.target != number) {
    yoke::detail::throw_error(errc::invalid_argument, where, "code \"", code, "\" and JIT option target ", *jit.target,
                              " both choose the real architecture");
  }
  return code.back() == 'a' || code.back() == 'f' ? jit.target : std::optional<int>(number);
}

}  // namespace detail

cuda::module compile(const context& in, std::string_view source, const compile_options& options,
                     const source_location& where) {
  const port& with = in.port(where);
  const yoke::compile_options shared{.options = options.options,
                                     .include_folders = options.include_folders,
                                     .defines = options.defines,
                                     .standard = options.standard,
                                     .name = options.name,
                                     .language = options.language,
                                     .cache = options.cache,
                                     .header_digest = options.header_digest,
                                     .keep = options.keep,
                                     .types = options.types,
                                     .math = options.math,
                                     .headers = options.headers,
                                     .portable = options.portable};
  std::vector<std::string> defaults = yoke::detail::default_options(with.language(), where);
  if (!options.architecture.empty() || !options.code.empty()) {
    yoke::detail::drop_options(defaults, {"gpu-architecture", "gpu-code"});
  }
  build_request request;
  static_cast<compile_request&>(request) =
      yoke::detail::make_request(with.language(), source, shared, where, std::move(defaults));
  request.kernels = options.kernels;
  yoke::detail::kernel_structs structs = detail::struct_checks_of(options.kernels, options.types, where);
  request.checks = std::move(structs.checks);
  request.name_expressions = options.name_expressions;
  request.jit = options.jit;
  detail::set_architectures(request, options.architecture, options.code, where);
  if (!options.code.empty()) detail::check_code_runs(options.code, in, where);
  if (!request.code.empty()) request.jit.target = detail::target_of_code(request.code, options.jit, where);
  const auto devices = yoke::detail::native_devices(in, where);
  const yoke::detail::kept_build kept(options.keep, request, where);
  const auto by_compiler = [&] { return with.compile_with(in.native_handle(), devices, request, where); };
  const auto from_bytes = [&](std::span<const std::byte> bytes) {
    return with.load_binary_with(in.native_handle(), devices, bytes, request.jit, where);
  };
  yoke::detail::plain_module_builder<port, decltype(by_compiler), decltype(from_bytes)> builder(
      in, devices, request.lines, by_compiler, from_bytes, where);
  const auto make = [&] {
    if (options.cache == nullptr) {
      builder.compile();
      return std::move(builder.result);
    }
    const build_target target = with.target_of(devices, where);
    const yoke::detail::cached_part part{&request, &options.defines, &options.header_digest};
    yoke::detail::build_through(*options.cache,
                                {.target = target, .parts = {&part, 1}, .inputs = &detail::cache_inputs_of}, builder);
    return std::move(builder.result);
  };
  return yoke::detail::with_types(yoke::detail::make_kept(kept, make, where), std::move(structs.types), where);
}

cuda::module compile_file(const context& in, const std::string& path, const compile_options& options,
                          const source_location& where) {
  const yoke::detail::source_file file(path, options, where);
  return compile(in, file.text(), file.options, where);
}
cuda::module load_image(const context& in, std::span<const std::byte> image, const jit_options& jit,
                        const source_location& where) {
  return detail::load_named(in, image, "image", jit, where);
}
cuda::module load_file(const context& in, const std::string& path, const jit_options& jit,
                       const source_location& where) {
  const std::vector<std::byte> bytes = yoke::detail::file_bytes("image file", path, where);
  return detail::load_named(in, bytes, "image file \"" + path + "\"", jit, where);
}

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
template YOKE_API cuda::module compile(const cuda::context&, std::string_view, const compile_options&,
                                       const source_location&);
template YOKE_API cuda::module compile_file(const cuda::context&, const std::string&, const compile_options&,
                                            const source_location&);
template YOKE_API cuda::module load(const cuda::context&, std::span<const std::byte>, const source_location&);
template YOKE_API cuda::module load_intermediate(const cuda::context&, std::span<const std::byte>,
                                                 const compile_options&, const source_location&);
}  // namespace yoke::inline v0_1

#endif
