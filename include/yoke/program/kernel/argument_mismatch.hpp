// SPDX-License-Identifier: MIT
// Makes the compiler's error for a wrong launch argument say what was given, what is expected and what to pass instead.
#ifndef YOKE_PROGRAM_KERNEL_ARGUMENT_MISMATCH_HPP
#define YOKE_PROGRAM_KERNEL_ARGUMENT_MISMATCH_HPP

#include <yoke/program/kernel/host_argument.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1 {

// Wrong arguments do not compile. The compiler's first error names a missing member of the mismatch, whose name says
// what to pass; the template arguments show the argument's position, its kind and the expected kind.
template <std::size_t Position, class Given, class Expected>
struct kernel_argument_mismatch {};
template <class Given, class Expected>
struct kernel_arguments_mismatch {};
template <class... Given>
struct kernel_launch_mismatch {};
template <std::size_t Position, class Type>
struct kernel_parameter_is_not_allowed {};

template <class T>
struct given_raw_host_pointer;
template <class T>
struct given_host_range;
template <class T>
struct given_device_memory;
template <class T>
struct given_strided_view;
template <class T>
struct given_local;
template <class T>
struct given_value;
struct given_null_pointer;
template <class Port>
struct given_memory_of;
template <std::size_t Count>
struct given_count;
template <class T>
struct expected_device_memory;
template <class T>
struct expected_local;
template <class T>
struct expected_value;
template <class Port>
struct expected_memory_of;
template <std::size_t Count, class... P>
struct expected_count;

namespace detail {

template <class T>
inline constexpr bool is_host_argument = false;
template <transfer_direction Direction, class T>
inline constexpr bool is_host_argument<host_argument<Direction, T>> = true;
template <class T>
inline constexpr bool is_local = false;
template <class T>
inline constexpr bool is_local<local<T>> = true;
template <class T>
inline constexpr bool is_strided = false;
template <class Base>
inline constexpr bool is_strided<strided_view<Base>> = true;
template <class View>
inline constexpr bool is_strided<strided_value<View>> = true;

/// Whether the first `Given` types convert to the types named before them.
template <class First, class... Given>
inline constexpr bool begins_with = false;
template <class First, class Given, class... Others>
inline constexpr bool begins_with<First, Given, Others...> = std::convertible_to<const Given&, First>;
template <class First, class Second, class... Given>
inline constexpr bool begins_with_both = false;
template <class First, class Second, class Given, class Next, class... Others>
inline constexpr bool begins_with_both<First, Second, Given, Next, Others...> =
    std::convertible_to<const Given&, First> && std::convertible_to<const Next&, Second>;

/// The kind of argument that a type is, with its element type.
template <class Given>
struct kind_of_argument {
  using type = given_value<Given>;
};
template <>
struct kind_of_argument<std::nullptr_t> {
  using type = given_null_pointer;
};
template <class T>
struct kind_of_argument<T*> {
  using type = given_raw_host_pointer<T>;
};
template <transfer_direction Direction, class T>
struct kind_of_argument<host_argument<Direction, T>> {
  using type = given_host_range<T>;
};
template <class T>
struct kind_of_argument<local<T>> {
  using type = given_local<T>;
};
template <accessible_memory Given>
struct kind_of_argument<Given> {
  using side = decltype(detail::describe(std::declval<Given&>()));
  using element = typename side::element;
  using type = std::conditional_t<
      is_strided<std::remove_const_t<Given>>, given_strided_view<element>,
      std::conditional_t<side::place::on_host, given_host_range<element>, given_device_memory<element>>>;
};

/// Memory that kernels take as a pointer. Strided views are excluded: pass the memory and the pitch.
template <class Given>
concept is_pointer_argument = accessible_memory<Given> && !is_strided<std::remove_const_t<Given>> && requires {
  requires !decltype(detail::describe(std::declval<Given&>()))::place::on_host;
  requires !is_opaque_place<typename decltype(detail::describe(std::declval<Given&>()))::place>;
};

template <class Kind>
inline constexpr bool is_host_kind = false;
template <class T>
inline constexpr bool is_host_kind<given_host_range<T>> = true;
template <class Kind, class T>
inline constexpr bool is_of_other_elements = false;
template <template <class> class Kind, class Given, class T>
inline constexpr bool is_of_other_elements<Kind<Given>, T> =
    !std::same_as<std::remove_const_t<Given>, std::remove_const_t<T>>;

/// Ends the compilation: a parameter that points to `T` does not take the argument.
template <std::size_t Position, class T, bool Async, class Given>
constexpr void refuse_pointer_argument() noexcept {
  using kind = typename kind_of_argument<Given>::type;
  using wrong = kernel_argument_mismatch<Position, kind, expected_device_memory<T>>;
  constexpr bool only_read = std::is_const_v<T>;
  if constexpr (is_host_kind<kind>) {
    if constexpr (Async) {
      (void)wrong::enqueue_takes_no_host_range_pass_device_memory;
    } else if constexpr (is_of_other_elements<kind, T>) {
      (void)wrong::the_element_types_differ_pass_a_range_of_the_parameters;
    } else if constexpr (is_host_argument<Given>) {
      (void)wrong::the_kernel_only_reads_it_wrap_it_in_yoke_in;
    } else if constexpr (only_read) {
      (void)wrong::wrap_it_in_yoke_in;
    } else {
      (void)wrong::wrap_it_in_yoke_out_or_yoke_in_out;
    }
  } else if constexpr (std::is_pointer_v<Given>) {
    if constexpr (Async) {
      (void)wrong::pass_device_memory;
    } else if constexpr (only_read) {
      (void)wrong::pass_device_memory_or_wrap_a_host_range_in_yoke_in;
    } else {
      (void)wrong::pass_device_memory_or_wrap_a_host_range_in_yoke_out_or_yoke_in_out;
    }
  } else if constexpr (is_strided<std::remove_const_t<Given>>) {
    (void)wrong::pass_the_memory_itself_or_a_subspan;
  } else if constexpr (std::same_as<kind, given_device_memory<const T>>) {
    (void)wrong::the_kernel_writes_it_pass_memory_that_is_not_const;
  } else if constexpr (is_pointer_argument<Given>) {
    (void)wrong::the_element_types_differ_pass_device_memory_of_the_parameters;
  } else if constexpr (requires { typename Given::expression_tag; }) {
    (void)wrong::an_expression_has_no_memory_pass_evaluate_of_it;
  } else {
    (void)wrong::pass_device_memory_or_nullptr;
  }
}

/// Ends the compilation: the argument does not convert to `P` without loss.
template <std::size_t Position, class P, class Given>
constexpr void refuse_value_argument() noexcept {
  using wrong = kernel_argument_mismatch<Position, typename kind_of_argument<Given>::type, expected_value<P>>;
  constexpr bool are_numbers =
      (std::is_arithmetic_v<Given> || std::is_enum_v<Given>)&&(std::is_arithmetic_v<P> || std::is_enum_v<P>);
  if constexpr (are_numbers) {
    (void)wrong::this_conversion_is_not_implicit_write_static_cast;
  } else {
    (void)wrong::pass_a_value_of_the_parameters_type;
  }
}

/// Ends the compilation: the argument is not local memory of `T`.
template <std::size_t Position, class T, class Given>
constexpr void refuse_local_argument() noexcept {
  using wrong = kernel_argument_mismatch<Position, typename kind_of_argument<Given>::type, expected_local<T>>;
  if constexpr (is_local<Given>) {
    (void)wrong::the_element_types_differ_pass_yoke_local_of_the_parameters;
  } else {
    (void)wrong::pass_yoke_local_of_a_count_of_elements;
  }
}

/// Ends the compilation: the launch does not begin with a stream and a shape.
template <class Order, class... Given>
constexpr void refuse_beginning() noexcept {
  using wrong = kernel_launch_mismatch<Given...>;
  if constexpr (begins_with<Order, Given...>) {
    (void)wrong::pass_a_shape_behind_the_stream_as_yoke_launch_over_of_a_count;
  } else {
    (void)wrong::pass_a_stream_of_the_kernels_backend_first;
  }
}

/// Ends the compilation: the numbers of arguments and parameters differ.
template <std::size_t Count, class... P>
constexpr void refuse_count() noexcept {
  (void)kernel_arguments_mismatch<given_count<Count>,
                                  expected_count<sizeof...(P), P...>>::pass_one_argument_for_each_parameter;
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
