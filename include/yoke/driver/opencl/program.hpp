// SPDX-License-Identifier: MIT
// The OpenCL port's programs, kernels and launches.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_HPP

#include <yoke/driver/opencl/kernel_clones.hpp>
#include <yoke/driver/opencl/svm.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// Part of `port`; use that.
class program_functions : public svm_functions {
 public:
  using module_handle = abi::program;
  using kernel_handle = kernel_clones*;
  using native_kernel = abi::kernel;
  using bytes_view = std::span<const std::byte>;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;

  [[nodiscard]] YOKE_API std::string_view prelude() const noexcept;
  /// Returns: what messages call a source without a name.
  [[nodiscard]] static constexpr const char* source_name() noexcept { return "kernel.cl"; }
  /// Returns: the environment variable with options for every source.
  [[nodiscard]] static constexpr const char* options_variable() noexcept { return "YOKE_OPENCL_OPTIONS"; }

  /// Returns: what a program for these devices depends on besides its text, as the driver names it.
  YOKE_API build_target target_of(devices_view devices, const source_location& where) const;
  /// Returns: the compiler's name. It is a part of the driver, and so is there at once.
  YOKE_API std::string compiler_of(devices_view devices, bool open, const source_location& where) const;

  YOKE_API module_handle compile(context_handle context, devices_view devices, const compile_request& request,
                                 const source_location& where) const;
  YOKE_API module_handle load_binary(context_handle context, devices_view devices, bytes_view bytes,
                                     const source_location& where) const;
  YOKE_API module_handle load_intermediate(context_handle context, devices_view devices, bytes_view bytes,
                                           const compile_request& request, const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(module_handle module, const source_location& where) const;
  YOKE_API void retain_module(module_handle module, const source_location& where) const;
  YOKE_API release_result release_module(module_handle module) const noexcept;
  YOKE_API context_handle module_context(module_handle module, const source_location& where) const;
  YOKE_API std::string build_log(module_handle module, device_handle device, const source_lines& source,
                                 const source_location& where) const;
  YOKE_API std::vector<std::string> kernel_names(module_handle module, const source_location& where) const;

  /// Returns: the kernels of a program with what the driver tells of their parameters: address space, const, type and
  /// name. Those that cannot be asked are left out. Throws: `std::bad_alloc`.
  YOKE_API std::vector<typed_kernel> described_kernels(module_handle of, const source_location& where) const;

  YOKE_API kernel_handle create_kernel(module_handle module, const char* name, const source_location& where) const;
  /// Takes over a native kernel of the module, or uses one that has to outlive it.
  /// Throws: `logic_error` for another module's; `error`; the kernel then stays the caller's.
  YOKE_API kernel_handle adopt_kernel(module_handle module, native_kernel kernel, bool owned,
                                      const source_location& where) const;
  /// Returns: the native kernel, on which arguments must not be set while others launch.
  YOKE_API native_kernel native_of(kernel_handle kernel) const noexcept;
  YOKE_API release_result release_kernel(kernel_handle kernel) const noexcept;
  /// Releases all but the native kernel.
  YOKE_API release_result detach_kernel(kernel_handle kernel) const noexcept;
  YOKE_API kernel_signature signature(context_handle context, kernel_handle kernel, const source_location& where) const;
  /// Returns: whether the driver takes arguments of these sizes.
  YOKE_API bool accepts(context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                        const source_location& where) const;
  using execution_functions::limits;
  YOKE_API kernel_limits limits(kernel_handle kernel, device_handle device, const source_location& where) const;
  YOKE_API void launch(const call_type& call, const source_location& where) const;
  static constexpr bool launches_directly = true;
  /// Launches with buffers and values as arguments when nothing about it needs a second look: a shape without offset
  /// whose numbers fit, a clone at hand, no event that has to be kept.
  /// Returns: whether it has launched; else nothing has happened, and `launch` is to be called.
  /// Throws: as `launch`. `limits()` tells the device's, for messages.
  template <std::size_t... Bytes, class Limits>
  [[nodiscard, gnu::always_inline]] bool launch_directly(kernel_handle kernel, stream_handle stream,
                                                         const launch_shape& shape,
                                                         const std::array<const void*, sizeof...(Bytes)>& places,
                                                         const Limits& limits, const source_location& where) const {
    direct_launch launch;
    if (!launch.begin(kernel, shape)) [[unlikely]]
      return false;
    if constexpr (sizeof...(Bytes) > 0) {
      constexpr std::array<std::size_t, sizeof...(Bytes)> bytes{Bytes...};
      std::size_t index = 0;
      abi::status status = 0;
      // One call for each, of a size and an index that the compiler knows.
      const auto set = [&](std::size_t size) __attribute__((always_inline)) {
        status = table_->set_kernel_arg(launch.clone, static_cast<abi::uint>(index), size, places[index]);
        if (status == 0) [[likely]]
          ++index;
        return status == 0;
      };
      if (!(set(Bytes) && ...)) [[unlikely]]
        fail_argument(kernel, launch.clone, status, index, bytes.size(), bytes[index], where);
    }
    launch.finish(*this, kernel, stream, shape, limits, where);
    return true;
  }
  /// The same of a list whose length is not known when compiling.
  template <class Limits>
  [[nodiscard, gnu::always_inline]] bool launch_list_directly(kernel_handle kernel, stream_handle stream,
                                                              const launch_shape& shape, const void* const* places,
                                                              const std::size_t* bytes, std::size_t count,
                                                              const Limits& limits,
                                                              const source_location& where) const {
    direct_launch launch;
    if (!launch.begin(kernel, shape)) [[unlikely]]
      return false;
    for (std::size_t i = 0; i < count; ++i) {
      const abi::status status =
          table_->set_kernel_arg(launch.clone, static_cast<abi::uint>(i), bytes[i], places[i]);
      if (status != 0) [[unlikely]]
        fail_argument(kernel, launch.clone, status, i, count, bytes[i], where);
    }
    launch.finish(*this, kernel, stream, shape, limits, where);
    return true;
  }
  YOKE_API abi::kernel new_clone(kernel_handle kernel, const source_location& where) const;

 private:
  /// What a direct launch has taken, and how it is laid out.
  struct direct_launch {
    abi::kernel clone;
    abi::uint dimensions;
    std::size_t global[3];
    std::size_t block[3];

    [[gnu::always_inline]] bool begin(kernel_handle kernel, const launch_shape& shape) noexcept {
      if (shape.grid.y == 1 && shape.grid.z == 1 && shape.block.y == 1 && shape.block.z == 1 && !shape.nothing &&
          (shape.global_offset.x | shape.global_offset.y | shape.global_offset.z | shape.local_bytes) == 0) [[likely]] {
        // PoCL counts blocks in 32 bits.
        if (__builtin_mul_overflow(shape.grid.x, shape.block.x, &global[0]) || global[0] == 0 ||
            (shape.grid.x >> 32) != 0) [[unlikely]] {
          return false;
        }
        dimensions = 1;
        block[0] = shape.block.x;
      } else {
        dimensions = plan_shape(shape, global);
        if (dimensions == 0) return false;
        block[0] = shape.block.x;
        block[1] = shape.block.y;
        block[2] = shape.block.z;
      }
      if (detail::events_are_held.load(std::memory_order_acquire)) [[unlikely]]
        return false;
      clone = kernel->idle[0].exchange(nullptr, std::memory_order_acquire);
      return clone != nullptr;
    }
    template <class Limits>
    [[gnu::always_inline]] void finish(const program_functions& port, kernel_handle kernel, stream_handle stream,
                                       const launch_shape& shape, const Limits& limits, const source_location& where) {
      const abi::status status = port.table()->enqueue_kernel(
          stream, clone, dimensions, nullptr, static_cast<const std::size_t*>(global),
          static_cast<const std::size_t*>(block), 0, nullptr, nullptr);
      if (status != 0) [[unlikely]] {
        const launch_shape refused = shape;
        port.fail_launch(kernel, clone, status, stream, refused, limits(), where);
      }
      clone = kernel->idle[0].exchange(clone, std::memory_order_acq_rel);
      if (clone != nullptr) [[unlikely]]
        port.put_aside(kernel, clone);  // another launch has put its own there meanwhile
    }
  };

  [[noreturn, gnu::cold]] YOKE_API void fail_argument(kernel_handle kernel, abi::kernel clone, abi::status status,
                                                      std::size_t index, std::size_t count, std::size_t bytes,
                                                      const source_location& where) const;
  [[noreturn, gnu::cold]] YOKE_API void fail_launch(kernel_handle kernel, abi::kernel clone, abi::status status,
                                                    stream_handle stream, const launch_shape& shape,
                                                    const device_limits& limits, const source_location& where) const;
  [[gnu::cold]] YOKE_API void put_aside(kernel_handle kernel, abi::kernel clone) const noexcept;
  /// Effects: fills in the threads along each axis. Returns: the dimensions; 0 for a shape that needs a second look.
  [[nodiscard]] YOKE_API static abi::uint plan_shape(const launch_shape& shape, std::size_t (&global)[3]) noexcept;
  YOKE_API kernel_handle describe_kernel(module_handle module, native_kernel kernel, bool owned,
                                         const source_location& where) const;
  YOKE_API void launch_svm(const call_type& call, const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/build.ipp>
#include <yoke/driver/opencl/impl/kernel.ipp>
#endif

#endif
