// SPDX-License-Identifier: MIT
// The OpenCL port's launches: a direct path inlined in the caller's code, and a general one for all other cases.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LAUNCH_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LAUNCH_HPP

#include <yoke/driver/opencl/facet.hpp>
#include <yoke/driver/opencl/program/kernel_clones.hpp>
#include <yoke/driver/opencl/program/launch_shape.hpp>
#include <yoke/driver/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// Effects: fills in the threads along each axis. Returns: whether the shape's numbers fit. Parameters are passed by
/// value, so that the caller's shape can stay in registers.
[[nodiscard]] YOKE_API bool plan_shape(extent3 grid, extent3 block, std::size_t* global) noexcept;

/// The frame of a direct launch. `set` sets a clone's arguments, except known unchanged values, and returns the number
/// of the argument that the driver refuses, or 0.
template <class Set>
[[gnu::always_inline]] inline direct_outcome launch_clone_directly(const abi::functions* table,
                                                                   const driver_notes& notes, kernel_clones* kernel,
                                                                   abi::queue stream, const extent3& grid,
                                                                   const std::size_t* block, unsigned dimensions,
                                                                   const Set& set) noexcept {
  std::size_t global[3];
  if (dimensions == 1) [[likely]] {
    global[0] = grid.x * block[0];  // both are at most 2^31, which PoCL can count
  } else if (!plan_shape(grid, {block[0], block[1], block[2]}, static_cast<std::size_t*>(global))) {
    return {direct_outcome::unusual};
  }
  if (notes.events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
    return {direct_outcome::unusual};
  // A locked instruction costs more than everything else here: the thread with its own clone avoids it.
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
    if (__builtin_constant_p(dimensions) && dimensions == 1) {  // then the other axes need no memory
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
  home->store(clone, yoke::detail::order::release);  // no other thread writes it
  if (refused == 0) [[likely]]
    return {};
  return {refused, code};
}

/// Effects: sets the values that `set_values` stores, and stores them. Returns: as `set` above.
[[nodiscard]] YOKE_API std::int32_t set_all_values(const abi::functions* table, abi::kernel clone, set_values& values,
                                                   std::span<const argument_form> forms, const std::uint64_t* given,
                                                   abi::status& code) noexcept;

template <argument_form... Forms>
inline constexpr std::array<argument_form, sizeof...(Forms)> argument_forms{Forms...};
/// The arguments that `set_values` stores, as a bit mask.
template <argument_form... Forms>
inline constexpr std::uint32_t kept_values = [] {
  std::uint32_t kept = 0;
  [[maybe_unused]] std::size_t index = 0;
  ((set_values::keeps(Forms, index) ? kept |= std::uint32_t{1} << index++ : ++index), ...);
  return kept;
}();

/// Effects: the same for the arguments of a launch, which it copies first.
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

/// Effects: sets an argument, unless it already has this value. Returns: the driver's code.
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
    known = value;  // a refused value counts as unknown
    return table->set_kernel_arg(clone, static_cast<abi::uint>(Index), Form.bytes, place);
  }
}

}  // namespace detail

/// A part of `port`.
class launch_functions : public facet<launch_functions> {
 public:
  using shape_type = launch_shape;
  using call_type = basic_launch_call<kernel_clones*, abi::queue, abi::event, shape_type>;

  /// Whether a direct launch needs the arguments' forms: it skips values that the clone already has.
  static constexpr bool skips_unchanged_values = true;

  YOKE_API void launch(const call_type& call, const source_location& where) const;
  /// Launches with buffers and values as arguments, if no further check is needed: the shape's numbers fit and it has
  /// no offset, a clone is idle, and no event has to be kept.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_clones* kernel, abi::queue stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!shape.is_plain()) [[unlikely]]
      return {direct_outcome::unusual};
    return launch_plain<Forms...>(kernel, stream, {shape.grid, shape.block, shape.dimensions()}, places);
  }
  /// As above, for a plain shape. `places[i]` is the address of an argument.
  template <argument_form... Forms, class Places>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_plain(kernel_clones* kernel, abi::queue stream,
                                                                const plain_shape& shape,
                                                                const Places& places) const noexcept {
    const std::size_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
    return detail::launch_clone_directly(
        table(), notes(), kernel, stream, shape.grid, block, shape.dimensions,
        [&](abi::kernel clone, detail::set_values & before, abi::status & code) __attribute__((always_inline)) {
          constexpr std::uint32_t kept = detail::kept_values<Forms...>;
          if constexpr (kept != 0) {
            if (!before.known) [[unlikely]] {
              const std::int32_t refused = detail::set_first<Forms...>(table(), clone, before, code, places);
              if (refused != 0) return refused;
            }
          }
          // One call for each argument, with size and index as constants.
          const std::int32_t refused = [&]<std::size_t... Index>(std::index_sequence<Index...>)
              __attribute__((always_inline)) {
            std::int32_t number = 0;
            const bool all =
                ((++number, code = detail::set_if_new<Forms, Index, kept>(table(), clone, before, places[Index]),
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
  /// Throws: `error`, always: why the driver refused a direct launch.
  [[gnu::cold]] YOKE_API void launch_refused(direct_outcome outcome, kernel_clones* kernel, abi::queue stream,
                                             const launch_shape& shape, const void* const* places,
                                             const argument_sizes& sizes, const device_limits& limits,
                                             const source_location& where) const;
  /// Effects: sets the arguments of a clone, which `launch_recorded` then launches any number of times.
  void set_recorded(abi::kernel clone, const call_type& call, const source_location& where) const;
  /// Effects: launches a clone with the arguments already set; `call` contains none.
  void launch_recorded(abi::kernel clone, const call_type& call, const source_location& where) const;

 private:
  void launch_svm(const call_type& call, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/program/launch.ipp>
#endif

#endif
