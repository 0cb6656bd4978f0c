// SPDX-License-Identifier: MIT
// The matrices of arrays in memory that factorisations work in, and the errors of factorisations.
#ifndef YOKE_LINALG_FACTOR_HPP
#define YOKE_LINALG_FACTOR_HPP

#include <yoke/algorithm/concatenate.hpp>
#include <yoke/array/storage/device_value.hpp>
#include <yoke/linalg/factor_run.hpp>

#include <complex>
#include <optional>

namespace yoke::inline v0_1::detail {

/// Elements of matrices that are factored.
template <class T>
concept factor_element = std::same_as<T, float> || std::same_as<T, double> || complex_element<T>;

template <class T>
struct real_part_of {
  using type = T;
};
template <complex_element T>
struct real_part_of<T> {
  using type = typename T::value_type;
};
/// The real type of numbers.
template <class T>
using real_of = typename real_part_of<T>::type;

/// Does not compile for operands that are not factored. Returns: whether they are.
template <class... A>
consteval bool check_factored() {
  constexpr bool elements = (factor_element<typename operand_of<A>::value_type> && ...);
  static_assert(elements,
                "factorisations are of float, double and complex numbers of both: write solve(cast<float>(a), b) for "
                "others");
  return elements;
}
template <class A>
consteval bool check_matrix() {
  constexpr bool is_matrix = operand_of<A>::rank >= 2;
  static_assert(is_matrix, "factorisations are of matrices: of arrays of at least two axes");
  return check_factored<A>() && is_matrix;
}

/// Throws: `logic_error` for matrices with another number of rows than of columns.
YOKE_API void check_square(const char* name, const std::size_t* extents, std::size_t rank,
                           const source_location& where);
/// Throws: `numeric_error` for the number that `run_report` found, unless it is 0.
YOKE_API void check_factors(const char* name, errc code, const std::size_t* extents, std::size_t rank, int found,
                            const source_location& where);
/// Throws: `numeric_error` for the number that `run_jacobi` found, unless it is 0.
YOKE_API void check_converged(const char* name, const std::size_t* extents, std::size_t rank, int found,
                              const source_location& where);
/// Effects: writes the axes that two operands' matrices are counted by. Throws: `logic_error` where they do not
/// broadcast.
YOKE_API void broadcast_batches(const char* name, std::size_t* to, std::size_t rank, const std::size_t* left,
                                std::size_t left_rank, const std::size_t* right, std::size_t right_rank,
                                const source_location& where);
/// Throws: `logic_error` for two extents that differ.
YOKE_API void check_solved(const char* name, const std::size_t* left, std::size_t left_rank, const std::size_t* right,
                           std::size_t right_rank, std::size_t one, std::size_t other, const source_location& where);

/// Returns: a view with the last two axes exchanged.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, Port> with_columns_first(const device_view<T, Rank, Port>& of,
                                                            const source_location& where) {
  int axes[Rank];
  for (std::size_t axis = 0; axis < Rank; ++axis) axes[axis] = static_cast<int>(axis);
  std::swap(axes[Rank - 1], axes[Rank - 2]);
  return of.transpose(axes, where);
}
/// Returns: the matrices of memory without gaps: rows or columns are neighbours.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] factor_matrix<Port> matrices_of(const device_view<T, Rank, Port>& of) {
  factor_matrix<Port> made;
  made.memory = of.memory();
  made.kind = kind_of<std::remove_const_t<T>>();
  made.rows = static_cast<std::int64_t>(of.shape()[Rank - 2]);
  made.columns = static_cast<std::int64_t>(of.shape()[Rank - 1]);
  made.batches = 1;
  for (std::size_t axis = 0; axis + 2 < Rank; ++axis) made.batches *= static_cast<std::int64_t>(of.shape()[axis]);
  const auto stride = [&](std::size_t axis) {
    return static_cast<std::int64_t>(of.layout().strides()[axis]) / static_cast<std::int64_t>(sizeof(T));
  };
  made.first = static_cast<std::int64_t>(of.layout().offset_bytes() / sizeof(T));
  made.row = stride(Rank - 2);
  made.column = stride(Rank - 1);
  made.batch = made.rows * made.columns;
  return made;
}

/// Memory that a factorisation works in: columns are neighbours, matrices follow each other. Requires: at least one
/// element.
template <class T, std::size_t Rank, class Order>
class factor_elements {
  using port = port_of_order<Order>;

 public:
  factor_elements(const Order& order, const shape<Rank>& extents, const stream<port>& stream,
                  const source_location& where)
      : dense_(order, swapped(extents), stream, where), view_(with_columns_first(dense_.view(), where)) {}
  [[nodiscard]] const device_view<T, Rank, port>& view() const noexcept { return view_; }
  [[nodiscard]] factor_matrix<port> matrices() const {
    factor_matrix<port> made = matrices_of(view_);
    made.row = 1;
    made.column = made.rows;
    return made;
  }

 private:
  static shape<Rank> swapped(shape<Rank> extents) noexcept {
    std::swap(extents[Rank - 1], extents[Rank - 2]);
    return extents;
  }
  dense_elements<T, Rank, Order> dense_;
  device_view<T, Rank, port> view_;
};
/// Whole numbers for each matrix, as a temporary.
template <class Order>
class factor_numbers {
  using port = port_of_order<Order>;

 public:
  factor_numbers(const Order& order, std::int64_t batches, std::int64_t each, const source_location& where)
      : memory_(order, static_cast<std::size_t>(batches * each) * sizeof(std::int32_t), where), each_(each) {}
  [[nodiscard]] factor_words<port> words() const noexcept { return {memory_.get().native_handle(), 0, each_}; }

 private:
  temporary_memory<Order> memory_;
  std::int64_t each_;
};
/// Returns: where a value of a program gets the number of a pivot. `operation`: the one that writes it, which ends
/// behind that, so that other streams wait for it. Throws: as `check_memory`.
template <class Order, class Port>
[[nodiscard]] factor_words<Port> words_of_info(operation_memory<Order>& operation,
                                               const device_view<int, 0, Port>& info, const source_location& where) {
  check_memory(operation, info.memory(), memory_use::writes, "info", where);
  return {info.memory().memory, static_cast<std::int64_t>(info.layout().offset_bytes() / sizeof(int)), 0};
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/factor.ipp>
#endif

#endif
