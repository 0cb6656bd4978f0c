// SPDX-License-Identifier: MIT
// The OpenCL port's programs, kernels and launches.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_HPP

#include <yoke/driver/opencl/kernel_clones.hpp>
#include <yoke/driver/opencl/svm.hpp>

namespace yoke::inline YOKE_ABI::opencl {

namespace detail {

/// Effects: fills in the threads along each axis. Returns: whether the shape is one whose numbers fit. It takes values, so
/// that a shape need not be in memory where it is not called.
[[nodiscard]] YOKE_API bool plan_shape(extent3 grid, extent3 block, std::size_t* global) noexcept;

/// The frame of a direct launch. `set` sets the arguments of a clone and returns the number of the one that is refused,
/// or 0.
template <class Set>
[[gnu::always_inline]] inline direct_outcome launch_clone_directly(const abi::functions* table, kernel_clones* kernel,
                                                                   abi::queue stream, const extent3& grid,
                                                                   const std::size_t* block, unsigned dimensions,
                                                                   const Set& set) noexcept {
  std::size_t global[3];
  if (dimensions == 1) [[likely]] {
    global[0] = grid.x * block[0];  // both up to 2^31, which PoCL can count
  } else if (!plan_shape(grid, {block[0], block[1], block[2]}, static_cast<std::size_t*>(global))) {
    return {direct_outcome::unusual};
  }
  if (events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
    return {direct_outcome::unusual};
  // A locked instruction costs more than all the others here: the thread that has a clone to itself needs none.
  yoke::detail::atomic<abi::kernel>* home = &kernel->own;
  abi::kernel clone = nullptr;
  if (kernel->is_own()) [[likely]] {
    clone = kernel->take_own();
  } else {
    home = &kernel->shared;
    clone = kernel->take_shared();
  }
  if (clone == nullptr) [[unlikely]]
    return {direct_outcome::unusual};
  abi::status code = 0;
  std::int32_t refused = set(clone, code);
  if (refused == 0) [[likely]] {
    code = table->enqueue_kernel(stream, clone, dimensions, nullptr, static_cast<const std::size_t*>(global), block, 0,
                                 nullptr, nullptr);
    if (code != 0) [[unlikely]]
      refused = direct_outcome::shape;
  }
  home->store(clone, yoke::detail::order::release);  // nobody else puts one there
  if (refused == 0) [[likely]]
    return {};
  return {refused, code};
}

}  // namespace detail

/// Part of `port`; use that.
class program_functions : public svm_functions {
 public:
  using module_handle = abi::program;
  using kernel_handle = kernel_clones*;
  using native_kernel = abi::kernel;
  using bytes_view = std::span<const std::byte>;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;

  /// No kernel has parameters of `bool`, nor pointers to it.
  static constexpr bool takes_bool = false;

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
  /// Compiles a source to be linked, with headers by the names that it includes them by.
  YOKE_API module_handle compile_part(context_handle context, devices_view devices, const compile_request& request,
                                      std::span<const std::pair<std::string, std::string>> headers,
                                      const source_location& where) const;
  /// Links such programs, into a library if the options say so. `names` is how messages call them.
  YOKE_API module_handle link_parts(context_handle context, devices_view devices, std::span<const module_handle> parts,
                                    const std::string& names, const std::vector<std::string>& options,
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
  template <std::size_t... Bytes>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, stream_handle stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Bytes)>& places) const noexcept {
    if (!shape.is_plain() || shape.local_bytes != 0) [[unlikely]]
      return {direct_outcome::unusual};
    const std::size_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
    return detail::launch_clone_directly(
        table_, kernel, stream, shape.grid, block,
        shape.dimensions(), [&](abi::kernel clone, abi::status & code) __attribute__((always_inline)) {
          std::int32_t index = 0;
          // One call for each, of a size and an index that the compiler knows.
          [[maybe_unused]] const auto set = [&](std::size_t size) __attribute__((always_inline)) {
            const auto place = static_cast<std::size_t>(index);
            code = table_->set_kernel_arg(clone, static_cast<abi::uint>(index), size, places[place]);
            ++index;
            return code == 0;
          };
          return (set(Bytes) && ...) ? 0 : index;
        });
  }
  /// The same of a list whose length is not known when compiling, for a plain shape.
  [[nodiscard, gnu::always_inline]] static direct_outcome launch_list_directly(
      const abi::functions* table, kernel_handle kernel, stream_handle stream, const plain_shape& shape,
      const void* const* places, const argument_sizes& sizes) noexcept {
    return detail::launch_clone_directly(
        table, kernel, stream, shape.grid, &shape.block.x,
        shape.dimensions, [&](abi::kernel clone, abi::status & code) __attribute__((always_inline)) {
          // Read once: the driver cannot change them, but the compiler does not know that.
          const std::size_t* const bytes = sizes.bytes;
          const std::size_t count = sizes.count;
          for (std::size_t i = 0; i != count; ++i) {
            code = table->set_kernel_arg(clone, static_cast<abi::uint>(i), bytes[i], places[i]);
            if (code != 0) [[unlikely]]
              return static_cast<std::int32_t>(i) + 1;
          }
          return 0;
        });
  }
  /// Effects: tells why the driver has refused a direct launch. Throws: `error`, always.
  [[gnu::cold]] YOKE_API void launch_refused(direct_outcome outcome, kernel_handle kernel, stream_handle stream,
                                             const launch_shape& shape, const void* const* places,
                                             const argument_sizes& sizes, const device_limits& limits,
                                             const source_location& where) const;
  YOKE_API abi::kernel new_clone(kernel_handle kernel, const source_location& where) const;

 private:
  YOKE_API kernel_handle describe_kernel(module_handle module, native_kernel kernel, bool owned,
                                         const source_location& where) const;
  YOKE_API void launch_svm(const call_type& call, const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/build.ipp>
#include <yoke/driver/opencl/impl/kernel.ipp>
#include <yoke/driver/opencl/impl/launch.ipp>
#include <yoke/driver/opencl/impl/link.ipp>
#endif

#endif
