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

/// The frame of a direct launch. `set` sets the arguments of a clone of which some values are known, and returns the number
/// of the one that is refused, or 0.
template <class Set>
[[gnu::always_inline]] inline direct_outcome launch_clone_directly(const abi::functions* table,
                                                                   const driver_notes& notes, kernel_clones* kernel,
                                                                   abi::queue stream, const extent3& grid,
                                                                   const std::size_t* block, unsigned dimensions,
                                                                   const Set& set) noexcept {
  std::size_t global[3];
  if (dimensions == 1) [[likely]] {
    global[0] = grid.x * block[0];  // both up to 2^31, which PoCL can count
  } else if (!plan_shape(grid, {block[0], block[1], block[2]}, static_cast<std::size_t*>(global))) {
    return {direct_outcome::unusual};
  }
  if (notes.events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
    return {direct_outcome::unusual};
  // A locked instruction costs more than all the others here: the thread that has a clone to itself needs none.
  yoke::detail::atomic<abi::kernel>* home = &kernel->own;
  set_values* before = &kernel->own_values;
  abi::kernel clone = nullptr;
  if (kernel->is_own()) [[likely]] {
    clone = kernel->take_own();
  } else {
    home = &kernel->shared;
    before = &kernel->shared_values;
    clone = kernel->take_shared();
  }
  if (clone == nullptr) [[unlikely]]
    return {direct_outcome::unusual};
  abi::status code = 0;
  std::int32_t refused = set(clone, *before, code);
  if (refused == 0) [[likely]] {
    if (__builtin_constant_p(dimensions) && dimensions == 1) {  // then nothing else of them need be in memory
      const std::size_t threads = global[0];
      const std::size_t threads_of_block = block[0];
      code = table->enqueue_kernel(stream, clone, 1, nullptr, &threads, &threads_of_block, 0, nullptr, nullptr);
    } else {
      code = table->enqueue_kernel(stream, clone, dimensions, nullptr, static_cast<const std::size_t*>(global), block,
                                   0, nullptr, nullptr);
    }
    if (code != 0) [[unlikely]]
      refused = direct_outcome::shape;
  }
  home->store(clone, yoke::detail::order::release);  // nobody else puts one there
  if (refused == 0) [[likely]]
    return {};
  return {refused, code};
}

/// Effects: sets the values that `set_values` keeps, and notes them. Returns: as `set` above.
[[nodiscard]] YOKE_API std::int32_t set_all_values(const abi::functions* table, abi::kernel clone, set_values& values,
                                                   std::span<const argument_form> forms, const std::uint64_t* given,
                                                   abi::status& code) noexcept;

template <argument_form... Forms>
inline constexpr std::array<argument_form, sizeof...(Forms)> argument_forms{Forms...};
/// Which arguments' values `set_values` keeps, a bit each.
template <argument_form... Forms>
inline constexpr std::uint32_t kept_values = [] {
  std::uint32_t kept = 0;
  [[maybe_unused]] std::size_t index = 0;
  ((set_values::keeps(Forms, index) ? kept |= std::uint32_t{1} << index++ : ++index), ...);
  return kept;
}();

/// Effects: the same of what a launch was given: of copies, made here, for the reason below.
template <argument_form... Forms, class Places>
[[nodiscard, gnu::always_inline]] inline std::int32_t set_first(const abi::functions* table, abi::kernel clone,
                                                                set_values& values, abi::status& code,
                                                                const Places& places) noexcept {
  std::size_t index = 0;
  const auto read = [&]<argument_form Form>() __attribute__((always_inline)) {
    const void* const place = places[index++];
    if constexpr (set_values::keeps(Form, 0)) return set_values::read<Form.bytes>(place);
    return std::uint64_t{0};
  };
  const std::uint64_t given[] = {read.template operator()<Forms>()...};
  abi::status refused_by = 0;
  const std::int32_t refused = set_all_values(table, clone, values, argument_forms<Forms...>,
                                              static_cast<const std::uint64_t*>(given), refused_by);
  code = refused_by;
  return refused;
}

/// Effects: sets an argument, unless it is a value that it was set to before. Returns: the driver's code.
template <argument_form Form, std::size_t Index, std::uint32_t Kept>
[[nodiscard, gnu::always_inline]] inline abi::status set_if_new(const abi::functions* table, abi::kernel clone,
                                                                set_values& before, const void* place) noexcept {
  if constexpr (!set_values::keeps(Form, Index)) {
    return table->set_kernel_arg(clone, static_cast<abi::uint>(Index), Form.bytes, place);
  } else {
    const std::uint64_t value = set_values::read<Form.bytes>(place);
    constexpr std::uint32_t before_it = Kept & ((std::uint32_t{1} << Index) - 1);
    std::uint64_t& known = before.values[__builtin_popcount(before_it)];
    if (known == value) return 0;
    known = value;  // of what is refused nothing is known
    return table->set_kernel_arg(clone, static_cast<abi::uint>(Index), Form.bytes, place);
  }
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
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, stream_handle stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!shape.is_plain() || shape.local_bytes != 0) [[unlikely]]
      return {direct_outcome::unusual};
    return launch_plain<Forms...>(kernel, stream, {shape.grid, shape.block, shape.dimensions()}, places);
  }
  /// The same of a plain shape; `places[i]` is where an argument stands.
  template <argument_form... Forms, class Places>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_plain(kernel_handle kernel, stream_handle stream,
                                                                const plain_shape& shape,
                                                                const Places& places) const noexcept {
    const std::size_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
    return detail::launch_clone_directly(
        table_, *notes_, kernel, stream, shape.grid, block, shape.dimensions,
        [&](abi::kernel clone, detail::set_values & before, abi::status & code) __attribute__((always_inline)) {
          constexpr std::uint32_t kept = detail::kept_values<Forms...>;
          if constexpr (kept != 0) {
            if (!before.known) [[unlikely]] {
              const std::int32_t refused = detail::set_first<Forms...>(table_, clone, before, code, places);
              if (refused != 0) return refused;
            }
          }
          // One call for each, of a size and an index that the compiler knows.
          const std::int32_t refused = [&]<std::size_t... Index>(std::index_sequence<Index...>)
              __attribute__((always_inline)) {
            std::int32_t number = 0;
            const bool all =
                ((++number, code = detail::set_if_new<Forms, Index, kept>(table_, clone, before, places[Index]),
                  code == 0) &&
                 ...);
            return all ? 0 : number;
          }
          (std::make_index_sequence<sizeof...(Forms)>());
          if (refused != 0) [[unlikely]]
            before.known = false;
          return refused;
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
