// SPDX-License-Identifier: MIT
// The CUDA port's programs: compiled, loaded, linked and stored.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_PROGRAM_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_PROGRAM_HPP

#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

struct build_request;
struct jit_options;
struct link_request;
struct linked_image;
namespace abi {
struct nvjitlink_functions;
}

namespace detail {
/// Returns: CUDA C++, which the port compiles.
[[nodiscard]] YOKE_API const kernel_language& language() noexcept;

/// Links with nvJitLink for the request's architecture. Needs no device.
[[nodiscard]] YOKE_API linked_image link_by_nvjitlink(const abi::nvjitlink_functions& linker,
                                                      const link_request& request, const source_location& where);

struct image_record;
}  // namespace detail

/// A variable of a module, in a context.
struct global_variable {
  abi::device_pointer address = 0;
  std::size_t bytes = 0;
};

/// A part of `port`.
class program_functions : public facet<program_functions> {
 public:
  using bytes_view = std::span<const std::byte>;

  [[nodiscard]] const kernel_language& language() const noexcept { return detail::language(); }

  /// Returns: what a program for the device depends on besides its text.
  YOKE_API build_target target_of(std::span<const device_id> devices, const source_location& where) const;
  /// Returns: NVRTC's name. With `open`, opens it; "" means that there is none. Without, reads the name from the file that
  /// would be opened; "" means that it is unknown.
  YOKE_API std::string compiler_of(std::span<const device_id> devices, bool open, const source_location& where) const;

  /// Compiles with NVRTC for the device; to PTX if NVRTC does not know the device.
  YOKE_API abi::library compile(abi::context context, std::span<const device_id> devices,
                                const compile_request& request, const source_location& where) const;
  /// The same with CUDA's own options. Throws: `logic_error` for a kernel with another signature.
  YOKE_API abi::library compile_with(abi::context context, std::span<const device_id> devices,
                                     const build_request& request, const source_location& where) const;
  YOKE_API abi::library load_binary(abi::context context, std::span<const device_id> devices, bytes_view bytes,
                                    const source_location& where) const;
  /// The same with options of the driver's own compiler, for a binary that is PTX.
  YOKE_API abi::library load_binary_with(abi::context context, std::span<const device_id> devices, bytes_view bytes,
                                         const jit_options& jit, const source_location& where) const;
  /// Loads PTX text.
  YOKE_API abi::library load_intermediate(abi::context context, std::span<const device_id> devices, bytes_view bytes,
                                          const compile_request& request, const source_location& where) const;
  /// Checks and loads a cubin, PTX or a fatbin: the driver itself gets no size. `name` is for messages.
  YOKE_API abi::library load_image(abi::context context, device_id device, bytes_view image, const std::string& name,
                                   const jit_options& jit, const source_location& where) const;
  /// Links for the device and loads the result.
  YOKE_API abi::library link(abi::context context, device_id device, const link_request& request,
                             const source_location& where) const;
  /// Links for the device with the driver's linker; with nvJitLink if the request needs it.
  YOKE_API linked_image link_image(abi::context context, device_id device, const link_request& request,
                                   const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(abi::library module, const source_location& where) const;
  YOKE_API void retain_module(abi::library module, const source_location& where) const;
  YOKE_API release_result release_module(abi::library module) const noexcept;
  /// Returns: the messages of NVRTC and the driver's compiler.
  YOKE_API std::string build_log(abi::library module, device_id device, const source_lines& source,
                                 const source_location& where) const;
  /// `name` is a C name, a mangled one, a name expression, or a name with namespaces.
  /// Throws: `logic_error` for an unknown name.
  YOKE_API global_variable find_global(abi::context context, abi::library module, const std::string& name,
                                       const source_location& where) const;

 private:
  [[nodiscard]] abi::library load_record(abi::context context, detail::image_record&& record, const jit_options& jit,
                                         const source_location& where) const;
  void check_loaded(abi::context context, abi::library library, const char* log, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#endif
