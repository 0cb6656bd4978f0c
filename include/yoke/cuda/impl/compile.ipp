// SPDX-License-Identifier: MIT
// Bodies of cuda/compile.hpp.
#ifndef YOKE_CUDA_IMPL_COMPILE_IPP
#define YOKE_CUDA_IMPL_COMPILE_IPP

#include <yoke/cuda/compile.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

/// Returns: the bytes of a file. Throws: `logic_error` with the path and the system's reason.
YOKE_INLINE std::vector<std::byte> file_bytes(const std::filesystem::path& path, const source_location& where) {
  const auto refuse = [&](const std::string& why) {
    yoke::detail::throw_error(errc::invalid_argument, "image file \"" + path.string() + "\" " + why, where);
  };
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) refuse("does not exist");
  if (failure) refuse("cannot be read: " + failure.message());
  if (std::filesystem::is_directory(status)) refuse("is a folder");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) refuse(std::string("cannot be read: ") + std::strerror(errno));
  std::vector<std::byte> bytes;
  std::size_t got = 0;
  do {
    constexpr std::size_t step = 1 << 16;
    bytes.resize(bytes.size() + step);
    got = std::fread(bytes.data() + bytes.size() - step, 1, step, file.get());
    bytes.resize(bytes.size() - step + got);
  } while (got != 0);
  if (std::ferror(file.get()) != 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
  if (bytes.empty()) refuse("is empty");
  return bytes;
}

YOKE_INLINE module load_named(const context& in, std::span<const std::byte> image, const std::string& name,
                              const jit_options& jit, const source_location& where) {
  const port& with = in.port(where);
  const device_id device = in.only_device(where).native_handle();
  return yoke::detail::module_maker::make(
      in, source_lines{}, [&] { return with.load_image(in.native_handle(), device, image, name, jit, where); }, where);
}

}  // namespace detail

YOKE_INLINE module compile(const context& in, std::string_view source, const compile_options& options,
                           const source_location& where) {
  const port& with = in.port(where);
  const yoke::compile_options shared{options.options, options.include_folders, options.defines, options.standard,
                                     options.name,    options.language};
  build_request request;
  static_cast<compile_request&>(request) =
      yoke::detail::make_request(with.prelude(), with.source_name(), source, shared, where);
  request.kernels = options.kernels;
  request.name_expressions = options.name_expressions;
  request.architecture = options.architecture;
  request.jit = options.jit;
  const auto devices = yoke::detail::native_devices(in, where);
  return yoke::detail::module_maker::make(
      in, request.lines, [&] { return with.compile_with(in.native_handle(), devices, request, where); }, where);
}

YOKE_INLINE module load_image(const context& in, std::span<const std::byte> image, const jit_options& jit,
                              const source_location& where) {
  return detail::load_named(in, image, "image", jit, where);
}
YOKE_INLINE module load_file(const context& in, const std::string& path, const jit_options& jit,
                             const source_location& where) {
  const std::vector<std::byte> bytes = detail::file_bytes(path, where);
  return detail::load_named(in, bytes, "image file \"" + path + "\"", jit, where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
