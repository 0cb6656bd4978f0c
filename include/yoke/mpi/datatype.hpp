// SPDX-License-Identifier: MIT
// MPI's datatypes and operators of C++'s types, by which reductions calculate.
#ifndef YOKE_MPI_DATATYPE_HPP
#define YOKE_MPI_DATATYPE_HPP

#include <yoke/core/half.hpp>
#include <yoke/distributed/operators.hpp>
#include <yoke/mpi/functions.hpp>

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

namespace detail {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_small_float = std::same_as<T, half> || std::same_as<T, bfloat16>;

/// Numbers that MPI's own operators reduce.
template <class T>
concept mpi_number = (std::integral<T> && !std::same_as<T, bool>) || std::same_as<T, float> || std::same_as<T, double>;

/// Numbers that reductions take: MPI's, complex ones, and small floats, which a function of the library adds.
template <class T>
concept reduced_number =
    mpi_number<T> || std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>> || is_small_float<T>;

/// A function object that combines two elements: it has no state, and its order does not matter.
template <class F, class T>
concept host_operator = std::is_empty_v<F> && std::default_initializable<F> && requires(const F& f, const T& a) {
  { f(a, a) } -> std::convertible_to<T>;
};

/// Stops the compilation unless `Op` reduces elements of type `T`.
template <class T, class Op>
consteval bool check_reduction() {
  if constexpr (yoke::detail::plain_operator<Op>) {
    constexpr bool is_number = reduced_number<T>;
    static_assert(
        is_number,
        "MPI reduces integers, half, bfloat16, float, double and complex numbers; other elements can be moved");
    constexpr bool is_average = std::same_as<Op, averaged_t>;
    constexpr bool is_averaged = !(is_average && std::integral<T>);
    static_assert(is_averaged, "yoke::averaged of integers would round: reduce by yoke::summed, and divide");
    constexpr bool has_order = !is_complex<T> || std::same_as<Op, summed_t>;
    static_assert(has_order, "complex numbers are reduced by yoke::summed alone");
    return is_number && is_averaged && has_order;
  } else {
    constexpr bool is_function = host_operator<Op, T>;
    static_assert(is_function,
                  "an operator is yoke::summed, multiplied, smallest, largest, averaged, or a function object without "
                  "state of two elements");
    constexpr bool is_number = reduced_number<T>;
    static_assert(
        is_number,
        "MPI reduces integers, half, bfloat16, float, double and complex numbers; other elements can be moved");
    return is_function && is_number;
  }
}

}  // namespace detail

/// Returns: MPI's datatype of `T`: predefined for integers, floating-point and complex numbers; `MPI_UINT16_T` for
/// `half` and `bfloat16`, as which they move; `MPI_BYTE` for other trivially copyable types, which count as `sizeof(T)`
/// elements each. It is a function, because in some libraries a datatype is known at run time only.
/// Throws: nothing. Thread safety: safe. Example: `MPI_Bcast(data, n, yoke::mpi::datatype<float>(), 0, comm)`
template <class T>
[[nodiscard]] inline MPI_Datatype datatype() noexcept {
  static_assert(std::is_trivially_copyable_v<T>, "messages hold trivially copyable elements");
  if constexpr (std::same_as<T, float>) {
    return MPI_FLOAT;
  } else if constexpr (std::same_as<T, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::same_as<T, std::complex<float>>) {
    return MPI_C_FLOAT_COMPLEX;
  } else if constexpr (std::same_as<T, std::complex<double>>) {
    return MPI_C_DOUBLE_COMPLEX;
  } else if constexpr (detail::is_small_float<T>) {
    return MPI_UINT16_T;
  } else if constexpr (std::same_as<T, bool>) {
    return MPI_C_BOOL;
  } else if constexpr (std::integral<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? MPI_INT8_T : MPI_UINT8_T;
    if constexpr (sizeof(T) == 2) return is_signed ? MPI_INT16_T : MPI_UINT16_T;
    if constexpr (sizeof(T) == 4) return is_signed ? MPI_INT32_T : MPI_UINT32_T;
    if constexpr (sizeof(T) == 8) return is_signed ? MPI_INT64_T : MPI_UINT64_T;
  } else {
    return MPI_BYTE;
  }
}

namespace detail {

/// The function that MPI calls for an operator that it lacks. Requires: `F` combines two elements.
template <class T, class F>
void combine_elements(void* from, void* into, int* count, MPI_Datatype*) {
  const T* const left = static_cast<const T*>(from);
  T* const right = static_cast<T*>(into);
  for (int i = 0; i < *count; ++i) right[i] = static_cast<T>(F{}(left[i], right[i]));
}

/// The operators of small floats, which calculate in float.
template <class T, yoke::detail::rank_operator Op>
struct small_float_operator {
  T operator()(const T& left, const T& right) const noexcept {
    const float a = static_cast<float>(left), b = static_cast<float>(right);
    if constexpr (Op == yoke::detail::rank_operator::multiplied) return T{a * b};
    if constexpr (Op == yoke::detail::rank_operator::smallest) return b < a ? right : left;
    if constexpr (Op == yoke::detail::rank_operator::largest) return a < b ? right : left;
    return T{a + b};
  }
};

/// Returns: the library's function for the operator; null if MPI has one of its own, which `own` then is.
template <class T, class Op>
[[nodiscard]] MPI_User_function* operator_function(MPI_Op& own) noexcept {
  if constexpr (!yoke::detail::plain_operator<Op>) {
    return &combine_elements<T, Op>;
  } else if constexpr (is_small_float<T>) {
    return &combine_elements<T, small_float_operator<T, Op::number>>;
  } else {
    switch (Op::number) {
      case yoke::detail::rank_operator::summed:
      case yoke::detail::rank_operator::averaged: own = MPI_SUM; break;
      case yoke::detail::rank_operator::multiplied: own = MPI_PROD; break;
      case yoke::detail::rank_operator::smallest: own = MPI_MIN; break;
      case yoke::detail::rank_operator::largest: own = MPI_MAX; break;
    }
    return nullptr;
  }
}

/// Divides `count` elements by the number of ranks.
template <class T>
void divide_elements(void* at, std::size_t count, int ranks) {
  T* const elements = static_cast<T*>(at);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (is_small_float<T>) {
      elements[i] = T{static_cast<float>(elements[i]) / static_cast<float>(ranks)};
    } else if constexpr (is_complex<T>) {
      elements[i] /= static_cast<typename T::value_type>(ranks);
    } else {
      elements[i] /= static_cast<T>(ranks);
    }
  }
}

}  // namespace detail
}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif
