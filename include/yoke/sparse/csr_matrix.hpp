// SPDX-License-Identifier: MIT
// A sparse matrix in compressed rows: three arrays on the device, its transpose, and how it is made.
#ifndef YOKE_SPARSE_CSR_MATRIX_HPP
#define YOKE_SPARSE_CSR_MATRIX_HPP

#include <yoke/algorithm/concatenate.hpp>
#include <yoke/algorithm/reduce_lists.hpp>
#include <yoke/algorithm/search.hpp>
#include <yoke/array/storage/make_array.hpp>
#include <yoke/linalg/matmul.hpp>
#include <yoke/sparse/csr_run.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace yoke::inline v0_1 {

template <class T, class Index, class Port>
class csr_matrix;
template <class T, class Index, class Port>
class csr_transpose;

namespace detail {

/// Sparse matrices and their transposes.
template <class S>
inline constexpr bool is_csr = false;
template <class T, class Index, class Port>
inline constexpr bool is_csr<csr_matrix<T, Index, Port>> = true;
template <class T, class Index, class Port>
inline constexpr bool is_csr<csr_transpose<T, Index, Port>> = true;
template <class S>
concept csr_like = is_csr<std::remove_cvref_t<S>>;
template <class T>
concept csr_index = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// The columns of a matrix as rows: their starts, the row of each element, and its place among the values.
template <class Index, class Port>
struct csr_turned {
  device_array<Index, 1, Port> starts, rows, places;
};
/// The structure of a sparse matrix, which several matrices may share.
template <class Index, class Port>
struct csr_structure {
  csr_structure(device_view<const Index, 1, Port> its_starts, device_view<const Index, 1, Port> its_columns,
                const shape<2>& its_extents)
      : starts(std::move(its_starts)), columns(std::move(its_columns)), extents(its_extents) {}
  csr_structure(const csr_structure&) = delete;
  csr_structure& operator=(const csr_structure&) = delete;

  device_view<const Index, 1, Port> starts, columns;
  shape<2> extents;
  once_map<csr_turned<Index, Port>> turned;  // made when a transposed matrix is first needed
};

/// A structure and its values.
template <class T, class Index, class Port>
struct csr_contents {
  csr_contents(shared<csr_structure<Index, Port>> its_structure, const device_view<const T, 1, Port>& its_values)
      : of(std::move(its_structure)), values(its_values) {}
  shared<csr_structure<Index, Port>> of;
  device_view<const T, 1, Port> values;
};

template <class T, class Port>
[[nodiscard]] csr_array<Port> csr_array_of(const device_view<T, 1, Port>& of) {
  return {of.memory(), static_cast<std::int64_t>(of.layout().offset_bytes() / sizeof(T))};
}
/// Returns: the rows of the elements of a matrix, or those of other elements, in the order of `places`.
template <class Index, class Port, class Places>
[[nodiscard]] device_array<Index, 1, Port> csr_rows_of(const csr_structure<Index, Port>& of, const Places& places,
                                                       const source_location& where) {
  const auto before = upper_bound(of.starts, places, where);
  return device_array<Index, 1, Port>(cast<Index>(before - std::int64_t{1}), where);
}
/// Returns: the starts of rows whose elements have ascending keys, from 0 to `rows`.
template <class Index, class Port, class Keys>
[[nodiscard]] device_array<Index, 1, Port> csr_starts_of(const stream<Port>& order, const Keys& keys, std::size_t rows,
                                                         std::int64_t extent, const source_location& where) {
  using key = typename Keys::value_type;
  if (keys.empty()) {
    device_array<Index, 1, Port> cleared(order, shape<1>(rows + 1), array_order::c, where);
    cleared.fill(Index{}, where);
    return cleared;
  }
  const auto firsts = arange<key>(rows + 1, order);
  return device_array<Index, 1, Port>(cast<Index>(lower_bound(keys, firsts * static_cast<key>(extent), where)), where);
}
/// Effects: makes the transposed structure in the stream of the matrix. Elements of a column stay in their order.
template <class Index, class Port>
[[nodiscard]] csr_turned<Index, Port> turn_csr(const csr_structure<Index, Port>& of, const source_location& where) {
  const auto& order = of.columns.stream(where);
  if (of.columns.empty()) {
    const shape<1> nothing(std::size_t{0});
    return {csr_starts_of<Index>(order, of.columns, of.extents[1], 1, where),
            device_array<Index, 1, Port>(order, nothing, array_order::c, where),
            device_array<Index, 1, Port>(order, nothing, array_order::c, where)};
  }
  auto keys = dense_to_sort(order, of.columns, where);
  device_array<Index, 1, Port> places(arange<Index>(of.columns.size(), order));
  sort_by_key(keys, places, {}, where);
  auto starts = csr_starts_of<Index>(order, keys.view(where), of.extents[1], 1, where);
  auto rows = csr_rows_of(of, places, where);
  return {std::move(starts), std::move(rows), std::move(places)};
}

/// Returns: the view of one of the arrays of a matrix. Throws: `logic_error` for one with gaps.
template <class T, class A>
[[nodiscard]] auto csr_view_of(const A& of, const char* name, const source_location& where) {
  device_view<const T, 1, typename A::port_type> view(view_to_sort(of, where));
  (void)view.stream(where);
  if (!view.empty() && !is_sortable(view)) throw_csr_gaps(name, where);
  return view;
}
[[nodiscard]] inline std::vector<std::int64_t> wide_numbers(const auto& of) { return {of.begin(), of.end()}; }

/// Does not compile for values that a sparse matrix cannot have.
template <class T, class Index>
consteval bool check_csr_types() {
  constexpr bool numbers = number_element<T> && !std::same_as<T, bool>;
  static_assert(numbers, "a csr_matrix has numbers: float, double, complex, half, bfloat16 or integers");
  static_assert(csr_index<Index>, "the starts and columns of a csr_matrix are int or std::int64_t");
  return numbers && csr_index<Index>;
}
template <class A>
inline constexpr bool is_csr_array = [] {
  if constexpr (sorted_memory<A>) {
    return operand_of<const std::remove_cvref_t<A>&>::rank == 1;
  } else {
    return false;
  }
}();
template <class T, class A>
inline constexpr bool has_csr_elements = [] {
  if constexpr (sorted_memory<A>) {
    return std::same_as<typename std::remove_cvref_t<A>::value_type, T>;
  } else {
    return false;
  }
}();

}  // namespace detail

/// A sparse matrix in compressed rows: row `r` has the elements `starts()[r]` to `starts()[r + 1] - 1`, each with a
/// column and a value. Columns of a row may come in any order and several times; such elements are added.
///
/// It shares the memory of its three arrays, and reads the values that they have when it is used. A copy of a matrix
/// shares them, too.
/// Thread safety: a value; several threads may use copies of one matrix at once.
/// Source: SciPy's `csr_matrix`. Example: `yoke::csr_matrix a{starts, columns, values, {3, 4}}; auto y = matmul(a, x);`
template <class T, class Index = int, class Port = any_port>
class csr_matrix {
  using structure = detail::csr_structure<Index, Port>;
  using contents = detail::csr_contents<T, Index, Port>;

 public:
  static_assert(detail::check_csr_types<T, Index>());
  using value_type = T;
  using index_type = Index;
  using port_type = Port;
  static constexpr bool is_transposed = false;

  /// An empty matrix; using it throws `logic_error`.
  csr_matrix() noexcept = default;
  /// A matrix of three arrays or views, without a copy: as many starts as rows, and behind them the number of elements;
  /// a column and a value for each element. Effects: waits for a check of starts and columns.
  /// Requires: starts and columns stay as they are.
  /// Throws: `logic_error` for arrays of another size, before the device is asked; for starts that descend, and columns
  /// outside of the matrix, with their row and value; for arrays of different contexts; `error`.
  template <class Starts, class Columns, class Values>
  csr_matrix(const Starts& starts, const Columns& columns, const Values& values, const yoke::shape<2>& extents,
             const source_location& where = source_location::current()) {
    constexpr bool arrays =
        detail::is_csr_array<Starts> && detail::is_csr_array<Columns> && detail::is_csr_array<Values>;
    constexpr bool one_index = detail::has_csr_elements<Index, Starts> && detail::has_csr_elements<Index, Columns>;
    constexpr bool one_value = detail::has_csr_elements<T, Values>;
    static_assert(arrays,
                  "starts, columns and values are arrays on the device with one axis: write to_device_array(host, "
                  "stream), or evaluate(expression)");
    static_assert(one_index || !arrays,
                  "starts and columns of a csr_matrix have its index type, int unless it is named: write "
                  "starts.astype<int>()");
    static_assert(one_value || !arrays, "the values of a csr_matrix have its type: write values.astype<T>()");
    if constexpr (arrays && one_index && one_value) {
      *this = csr_matrix(detail::csr_view_of<Index>(starts, "array of starts", where),
                         detail::csr_view_of<Index>(columns, "columns", where),
                         detail::csr_view_of<T>(values, "values", where), extents, unchecked{}, where);
      const auto& order = stream(where);
      const structure& own = checked(where);
      detail::check_side(order, detail::describe(own.starts), "array of starts", where);
      detail::check_side(order, detail::describe(own.columns), "columns", where);
      const device_value<std::int32_t, Port> found(order, 0, where);
      const auto of = operand(where);
      detail::operation_memory operation(order);
      detail::check_memory(operation, of.starts.memory, detail::memory_use::reads, "array of starts", where);
      detail::check_memory(operation, of.columns.memory, detail::memory_use::reads, "columns", where);
      detail::csr_array<Port> flag;
      flag.memory = found.array().view(where).memory();
      detail::run_csr_check<stream_type>(order, flag, of, where);
      if (found.get(where) == 0) return;
      detail::throw_csr_content(detail::wide_numbers(own.starts.to_host(where)),
                                detail::wide_numbers(own.columns.to_host(where)), of.extent, where);
    }
  }

  /// The elements of a matrix that are not 0, of an array, a view or an expression. Effects: waits for their number.
  /// Throws: `logic_error` for more elements than the index type counts; as `evaluate`.
  /// Example: `auto a = yoke::csr_matrix<float>::from_dense(dense);`
  template <detail::array_operand A>
  [[nodiscard]] static csr_matrix from_dense(const A& dense,
                                             const source_location& where = source_location::current()) {
    using given = detail::operand_of<const A&>;
    constexpr bool fits = std::same_as<typename given::value_type, T> && given::rank == 2;
    static_assert(fits, "from_dense takes a matrix of the csr_matrix's type: write from_dense(cast<T>(a))");
    if constexpr (fits) {
      const auto operand = detail::as_operand(dense);
      const yoke::shape<2> extents = operand.shape(where);
      const auto& order = operand.stream(where);
      if (extents[0] == 0 || extents[1] == 0) return empty_of(order, extents, where);
      const auto extent = static_cast<std::int64_t>(extents[1]);
      const auto found = indices_where(operand != T{}, where);
      const auto kept = copy_if(operand, operand != T{}, where);
      const std::size_t count = found.size(where);
      if (count == 0) return empty_of(order, extents, where);
      detail::check_csr_sizes({extents[0] + 1, count, count, extents[0], extents[1]}, sizeof(Index), where);
      const auto all = slice(0, static_cast<std::ptrdiff_t>(count));
      const auto keys = found.elements().view(where).part_at(where, all);
      device_array<T, 1, Port> values(order, yoke::shape<1>(count), array_order::c, where);
      values.view(where).assign(kept.elements().view(where).part_at(where, all), where);
      return of_keys(order, keys, std::move(values), extents, extent, where);
    }
  }
  /// A matrix of elements with their rows and columns, in any order. Elements that occur several times are added in
  /// their order. Each row of the result is sorted by columns. Effects: waits for a check of rows and columns, and for
  /// the number of elements.
  /// Throws: `logic_error` for arrays of different sizes, a row or column outside of the matrix, and more elements than
  /// the index type counts; as `sort_by_key`. Source: SciPy's `coo_matrix(...).tocsr()`.
  /// Example: `auto a = yoke::csr_matrix<float>::from_coordinates(rows, columns, values, {3, 4});`
  template <class Rows, class Columns, class Values>
  [[nodiscard]] static csr_matrix from_coordinates(const Rows& rows, const Columns& columns, const Values& values,
                                                   const yoke::shape<2>& extents,
                                                   const source_location& where = source_location::current()) {
    constexpr bool arrays = detail::is_csr_array<Rows> && detail::is_csr_array<Columns> && detail::is_csr_array<Values>;
    static_assert(arrays,
                  "rows, columns and values are arrays on the device with one axis: write to_device_array(host, "
                  "stream), or evaluate(expression)");
    if constexpr (arrays) {
      constexpr bool fits = detail::is_whole_number<typename Rows::value_type> &&
                            detail::is_whole_number<typename Columns::value_type> &&
                            detail::has_csr_elements<T, Values>;
      static_assert(fits,
                    "rows and columns are integers, and values have the csr_matrix's type: write cast<T>(values)");
      if constexpr (fits) {
        const auto row = detail::view_of_keys(rows, where);
        const auto column = detail::view_of_keys(columns, where);
        const auto value = detail::view_of_keys(values, where);
        const auto& order = value.stream(where);
        const detail::csr_sizes sizes{row.size(), column.size(), value.size(), extents[0], extents[1]};
        detail::check_coordinate_sizes(sizes, where);
        detail::check_csr_sizes({extents[0] + 1, column.size(), value.size(), extents[0], extents[1]}, sizeof(Index),
                                where);
        if (value.empty()) return empty_of(order, extents, where);
        const auto height = static_cast<std::int64_t>(extents[0]);
        const auto extent = static_cast<std::int64_t>(extents[1]);
        const auto wide_row = cast<std::int64_t>(row);
        const auto wide_column = cast<std::int64_t>(column);
        const auto outside =
            wide_row < std::int64_t{0} || wide_row >= height || wide_column < std::int64_t{0} || wide_column >= extent;
        if (any(outside, where).get(where)) {
          detail::throw_coordinates(detail::wide_numbers(row.to_host(where)),
                                    detail::wide_numbers(column.to_host(where)), sizes, where);
        }
        return of_elements(order, wide_row * extent + wide_column, value, extents, extent, where);
      }
    }
  }

  [[nodiscard]] yoke::shape<2> shape() const noexcept { return contents_ ? contents_->of->extents : yoke::shape<2>{}; }
  /// Returns: the number of elements, also of those whose value is 0.
  [[nodiscard]] std::size_t nnz() const noexcept { return contents_ ? contents_->values.size() : 0; }
  /// Whether it has a shape and arrays.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(contents_); }
  // The arrays. Throws: `logic_error` for an empty matrix.
  [[nodiscard]] device_view<const Index, 1, Port> starts(
      const source_location& where = source_location::current()) const {
    return checked(where).starts;
  }
  [[nodiscard]] device_view<const Index, 1, Port> columns(
      const source_location& where = source_location::current()) const {
    return checked(where).columns;
  }
  [[nodiscard]] device_view<const T, 1, Port> values(const source_location& where = source_location::current()) const {
    (void)checked(where);
    return contents_->values;
  }
  /// Returns: the stream of its values. Throws: `logic_error` for an empty matrix.
  [[nodiscard]] const yoke::stream<Port>& stream(const source_location& where = source_location::current()) const {
    (void)checked(where);
    return contents_->values.stream(where);
  }

  /// Returns: the matrix transposed, for products; no copy. At its first product the elements are sorted by columns,
  /// and the matrix and its copies keep that order: 4 or 8 bytes for each element twice.
  [[nodiscard]] csr_transpose<T, Index, Port> transpose() const { return csr_transpose<T, Index, Port>(*this); }
  /// Returns: a matrix with the same starts and columns, and other values: an array or a view, which it shares, or an
  /// expression, which it evaluates. Throws: `logic_error` for another number of values; as `evaluate`.
  /// Example: `auto b = a.with_values(sqrt(a.values()));`
  template <detail::array_operand Values>
  [[nodiscard]] auto with_values(const Values& values,
                                 const source_location& where = source_location::current()) const {
    using given = detail::operand_of<const Values&>;
    using value = typename given::value_type;
    static_assert(given::rank == 1, "a csr_matrix has one axis of values");
    if constexpr (given::rank == 1) {
      const structure& own = checked(where);
      const auto shared = [&](const device_view<const value, 1, Port>& view) {
        if (view.size() != own.columns.size()) detail::throw_csr_values(view.size(), own.columns.size(), where);
        return csr_matrix<value, Index, Port>(contents_->of, view);
      };
      if constexpr (detail::sorted_memory<Values>) {
        return shared(detail::csr_view_of<value>(values, "values", where));
      } else {
        const device_array<value, 1, Port> made(values, where);
        return shared(made.view(where));
      }
    }
  }
  /// Returns: a matrix with the same starts and columns, and converted values. Example: `a.astype<double>()`
  template <class U>
  [[nodiscard]] csr_matrix<U, Index, Port> astype(const source_location& where = source_location::current()) const {
    const device_array<U, 1, Port> made = values(where).template astype<U>(where);
    return with_values(made, where);
  }
  /// Returns: the row of each element. With `columns()` and `values()` these are its coordinates.
  [[nodiscard]] device_array<Index, 1, Port> row_indices(
      const source_location& where = source_location::current()) const {
    const structure& own = checked(where);
    if (nnz() == 0) return device_array<Index, 1, Port>(stream(where), yoke::shape<1>(std::size_t{0}));
    return detail::csr_rows_of(own, arange<Index>(nnz(), stream(where)), where);
  }
  /// Returns: a new array of all elements; those that occur several times are added in their order. Throws: as
  /// `device_array`.
  [[nodiscard]] device_array<T, 2, Port> to_dense(const source_location& where = source_location::current()) const {
    device_array<T, 2, Port> made(stream(where), shape(), array_order::c, where);
    add_to(made, static_cast<std::int64_t>(shape()[1]), 1, false, where);
    return made;
  }
  /// Returns: the elements on the diagonal. Throws: as `device_array`. Source: SciPy's `diagonal`.
  [[nodiscard]] device_array<T, 1, Port> diagonal(const source_location& where = source_location::current()) const {
    const auto extents = shape();
    device_array<T, 1, Port> made(stream(where), yoke::shape<1>(extents[0] < extents[1] ? extents[0] : extents[1]),
                                  array_order::c, where);
    add_to(made, 1, 0, true, where);
    return made;
  }

  // The matrix as kernels take it.
  [[nodiscard]] detail::csr_operand<Port> operand(const source_location& where) const {
    const structure& own = checked(where);
    detail::csr_operand<Port> made;
    made.starts = detail::csr_array_of(own.starts);
    made.columns = detail::csr_array_of(own.columns);
    made.values = detail::csr_array_of(contents_->values);
    made.wide = sizeof(Index) == 8;
    made.kind = detail::kind_of<T>();
    made.rows = static_cast<std::int64_t>(own.extents[0]);
    made.extent = static_cast<std::int64_t>(own.extents[1]);
    made.elements = static_cast<std::int64_t>(nnz());
    return made;
  }
  // The same transposed. Effects: enqueues the sort by columns in the stream of the matrix, if it is the first one.
  [[nodiscard]] detail::csr_operand<Port> transposed_operand(const source_location& where) const {
    detail::csr_operand<Port> made = operand(where);
    const auto& turned = turned_columns(where);
    made.starts = detail::csr_array_of(turned.starts.view(where));
    made.columns = detail::csr_array_of(turned.rows.view(where));
    made.places = detail::csr_array_of(turned.places.view(where));
    made.has_places = true;
    std::swap(made.rows, made.extent);
    return made;
  }
  // The sum of two matrices of one shape. Throws: `logic_error` for different shapes.
  template <class Combine>
  [[nodiscard]] csr_matrix joined(const csr_matrix& other, const Combine& combine, const source_location& where) const {
    const auto own = shape();
    const auto its = other.shape();
    if (own != its) detail::throw_csr_shapes(own.begin(), its.begin(), where);
    const auto& order = stream(where);
    if (nnz() == 0 && other.nnz() == 0) return with_values(values(where).copy(where), where);
    const auto rows = concatenate(row_indices(where), other.row_indices(where));
    const auto columns = concatenate(this->columns(where), other.columns(where));
    const device_array<T, 1, Port> values = combine(this->values(where), other.values(where));
    const auto extent = static_cast<std::int64_t>(own[1]);
    return of_elements(order, cast<std::int64_t>(rows) * extent + cast<std::int64_t>(columns),
                       detail::view_of_keys(values, where), own, extent, where);
  }

 private:
  template <class, class, class>
  friend class csr_matrix;
  template <class, class, class>
  friend class csr_transpose;
  using stream_type = yoke::stream<Port>;
  struct unchecked {};

  csr_matrix(const detail::shared<structure>& of, const device_view<const T, 1, Port>& values)
      : contents_(detail::make_shared<contents>(of, values)) {}
  /// Requires: starts ascend, and columns are in range.
  csr_matrix(const device_view<const Index, 1, Port>& starts, const device_view<const Index, 1, Port>& columns,
             const device_view<const T, 1, Port>& values, const yoke::shape<2>& extents, unchecked,
             const source_location& where) {
    detail::check_csr_sizes({starts.size(), columns.size(), values.size(), extents[0], extents[1]}, sizeof(Index),
                            where);
    contents_ = detail::make_shared<contents>(detail::make_shared<structure>(starts, columns, extents), values);
  }

  [[nodiscard]] const structure& checked(const source_location& where) const {
    if (!contents_) [[unlikely]]
      detail::throw_csr_empty(where);
    return *contents_->of;
  }
  [[nodiscard]] const detail::csr_turned<Index, Port>& turned_columns(const source_location& where) const {
    const structure& own = checked(where);
    return contents_->of->turned.find_or_make(0, [&] { return detail::turn_csr(own, where); });
  }
  [[nodiscard]] static csr_matrix empty_of(const stream_type& order, const yoke::shape<2>& extents,
                                           const source_location& where) {
    device_array<Index, 1, Port> starts(order, yoke::shape<1>(extents[0] + 1), array_order::c, where);
    starts.fill(Index{}, where);
    const yoke::shape<1> nothing(std::size_t{0});
    const device_array<Index, 1, Port> columns(order, nothing, array_order::c, where);
    const device_array<T, 1, Port> values(order, nothing, array_order::c, where);
    return csr_matrix(std::as_const(starts).view(where), columns.view(where), values.view(where), extents, unchecked{},
                      where);
  }
  /// A matrix whose elements have ascending keys: row times extent plus column.
  template <class Keys>
  [[nodiscard]] static csr_matrix of_keys(const stream_type& order, const Keys& keys, device_array<T, 1, Port> values,
                                          const yoke::shape<2>& extents, std::int64_t extent,
                                          const source_location& where) {
    const auto starts = detail::csr_starts_of<Index>(order, keys, extents[0], extent, where);
    const device_array<Index, 1, Port> columns(cast<Index>(keys % extent), where);
    return csr_matrix(starts.view(where), columns.view(where), std::as_const(values).view(where), extents, unchecked{},
                      where);
  }
  /// A matrix whose elements have keys in any order; those of equal keys are added.
  template <class Keys, class Values>
  [[nodiscard]] static csr_matrix of_elements(const stream_type& order, const Keys& keys, const Values& values,
                                              const yoke::shape<2>& extents, std::int64_t extent,
                                              const source_location& where) {
    auto sorted_keys = detail::evaluated_in<std::int64_t>(order, keys, where);
    auto sorted_values = detail::dense_to_sort(order, values, where);
    sort_by_key(sorted_keys, sorted_values, {}, where);
    auto [kept, sums] = reduce_by_key<"a + b", "0">(sorted_keys, sorted_values, where);
    const auto keys_left = std::as_const(kept).view(where);
    if constexpr (std::same_as<typename std::remove_cvref_t<decltype(sums)>::value_type, T>) {
      return of_keys(order, keys_left, std::move(sums), extents, extent, where);
    } else {  // half precision is added in float
      return of_keys(order, keys_left, sums.template astype<T>(where), extents, extent, where);
    }
  }
  template <std::size_t Rank>
  void add_to(device_array<T, Rank, Port>& to, std::int64_t row, std::int64_t column, bool diagonal,
              const source_location& where) const {
    if (to.empty()) return;
    to.fill(T{}, where);
    if (nnz() == 0) return;
    const auto& order = to.stream(where);
    const auto of = operand(where);
    detail::operation_memory operation(order);
    detail::check_memory(operation, of.starts.memory, detail::memory_use::reads, "array of starts", where);
    detail::check_memory(operation, of.columns.memory, detail::memory_use::reads, "columns", where);
    detail::check_memory(operation, of.values.memory, detail::memory_use::reads, "values", where);
    detail::csr_array<Port> destination;
    destination.memory = to.view(where).memory();
    detail::run_csr_elements<stream_type>(order, destination, row, column, diagonal, of, where);
  }

  detail::shared<contents> contents_{};
};
template <detail::sorted_memory Starts, detail::sorted_memory Columns, detail::sorted_memory Values>
csr_matrix(const Starts&, const Columns&, const Values&, const shape<2>&)
    -> csr_matrix<typename Values::value_type, typename Columns::value_type, typename Values::port_type>;

/// A sparse matrix transposed, for products; `csr_matrix::transpose` makes it. It shares the matrix's arrays.
/// Thread safety: a value.
template <class T, class Index = int, class Port = any_port>
class csr_transpose {
 public:
  using value_type = T;
  using index_type = Index;
  using port_type = Port;
  static constexpr bool is_transposed = true;

  explicit csr_transpose(csr_matrix<T, Index, Port> of) noexcept : of_(std::move(of)) {}
  [[nodiscard]] yoke::shape<2> shape() const noexcept {
    const auto own = of_.shape();
    return {own[1], own[0]};
  }
  [[nodiscard]] std::size_t nnz() const noexcept { return of_.nnz(); }
  /// Returns: the matrix.
  [[nodiscard]] const csr_matrix<T, Index, Port>& transpose() const noexcept { return of_; }
  [[nodiscard]] const yoke::stream<Port>& stream(const source_location& where = source_location::current()) const {
    return of_.stream(where);
  }
  /// Returns: the transposed matrix with arrays of its own. Elements of a row keep their order. Throws: as `take`.
  [[nodiscard]] csr_matrix<T, Index, Port> copy(const source_location& where = source_location::current()) const {
    const auto& turned = of_.turned_columns(where);
    const auto starts = turned.starts.view(where).copy(where);
    const auto columns = turned.rows.view(where).copy(where);
    using made = csr_matrix<T, Index, Port>;
    if (of_.nnz() == 0) return made::empty_of(of_.stream(where), shape(), where);
    const auto values = take(of_.values(where), turned.places, where);
    return made(starts.view(where), columns.view(where), values.view(where), shape(), typename made::unchecked{},
                where);
  }
  [[nodiscard]] detail::csr_operand<Port> operand(const source_location& where) const {
    return of_.transposed_operand(where);
  }
  [[nodiscard]] detail::csr_operand<Port> transposed_operand(const source_location& where) const {
    return of_.operand(where);
  }

 private:
  csr_matrix<T, Index, Port> of_;
};

}  // namespace yoke::inline v0_1

#endif
