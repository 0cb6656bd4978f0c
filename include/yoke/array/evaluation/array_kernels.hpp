// SPDX-License-Identifier: MIT
// The kernels that the library has written for arrays, and the launch shape they share.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_KERNELS_HPP
#define YOKE_ARRAY_EVALUATION_ARRAY_KERNELS_HPP

#include <yoke/array/evaluation/array_programs.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/module.hpp>
#include <yoke/program/specialise.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// Returns: the source of `yoke_a_sequence`, which writes integers of type `T` at equal distances.
YOKE_API std::string_view sequence_source() noexcept;
/// Returns: the source of `yoke_a_line`, which writes real numbers of type `T` at equal distances.
YOKE_API std::string_view line_source() noexcept;

/// A kernel whose text the library has written. Its launch passes plain arguments and checks no types.
template <class Port>
class text_kernel : public handle<text_kernel<Port>, shared<module_state<Port>>, typename Port::kernel_handle> {
  using base = handle<text_kernel<Port>, shared<module_state<Port>>, typename Port::kernel_handle>;
  friend base;

 public:
  static constexpr const char* noun = "kernel";
  text_kernel(const module<Port>& of, const char* name, const source_location& where)
      : base(shared<module_state<Port>>(of.state(where)),
             of.context_of(where).port(where).create_kernel(of.native_handle(), name, where), true) {}

  /// Effects: enqueues the kernel in a stream, or records it. Requires: the arguments that the kernel takes, in memory
  /// of its context.
  template <class Order>
  void launch(const Order& order, const launch_shape& shape, std::span<const kernel_argument> arguments,
              const source_location& where) const {
    if constexpr (is_a_stream<Order>) {
      const shape_for<Port> threads(shape);
      order.context_of().port(where).launch(
          {this->native_handle(), order.native_handle(), &order.limits(where), threads, arguments, {}, nullptr}, where);
    } else {
      order.launch(this->native_handle(), shape, arguments, where);
    }
  }

 private:
  static void destroy(shared<module_state<Port>>& parent, typename Port::kernel_handle native) noexcept {
    parent->context.report(parent->context.state().port.release_kernel(native));
  }
};

/// Returns: one thread for each step; from 2^24 steps on a thread takes several.
inline launch_shape threads_for(std::int64_t steps) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  return launch_over(steps < most ? steps : most, 256);
}

/// The type of an element in a kernel: for integers and bools the integer of the same size, else the type itself.
template <class T>
consteval auto kernel_word() {
  if constexpr (std::is_integral_v<T> && !std::same_as<T, bool>) {
    using sized =
        std::conditional_t<sizeof(T) == 1, std::int8_t,
                           std::conditional_t<sizeof(T) == 2, std::int16_t,
                                              std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
    return std::type_identity<std::conditional_t<std::is_signed_v<T>, sized, std::make_unsigned_t<sized>>>{};
  } else if constexpr (std::same_as<T, bool>) {
    return std::type_identity<std::uint8_t>{};
  } else {
    return std::type_identity<T>{};
  }
}
template <class T>
using kernel_word_of = typename decltype(kernel_word<T>())::type;

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/array_kernels.ipp>
#endif

#endif
