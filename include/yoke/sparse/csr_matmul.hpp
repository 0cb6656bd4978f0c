// SPDX-License-Identifier: MIT
// Products of sparse matrices with vectors and dense matrices, and elementwise operators.
#ifndef YOKE_SPARSE_CSR_MATMUL_HPP
#define YOKE_SPARSE_CSR_MATMUL_HPP

#include <yoke/linalg/matmul.hpp>
#include <yoke/sparse/csr_matrix.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The form of a product for its shapes and messages.
template <csr_side Side, std::size_t Rank>
[[nodiscard]] constexpr product_form csr_form(const char* name) noexcept {
  if (Side == csr_side::left) return {name, true, Rank == 2, true};
  return {name, Rank == 2, true, true};
}

/// A product of a sparse matrix, with its factors, and an array that is added: a `const` view, or `nothing_added`.
/// `Vectors`: it is of a sparse matrix and a vector alone, by `matvec` or `vecmat`.
template <csr_side Side, bool Vectors, class To, class S, class E, class Added = nothing_added>
class [[nodiscard]] csr_product_item : product_operators<csr_product_item<Side, Vectors, To, S, E, Added>> {
  static constexpr std::size_t own_rank = E::rank;
  static constexpr bool adds = !std::same_as<Added, nothing_added>;

 public:
  using pass_tag = void;
  using product_tag = void;
  using value_type = To;
  using port_type = typename S::port_type;
  using result = device_array<To, own_rank, port_type>;
  static constexpr bool is_sum = adds;

  csr_product_item(const char* name, S sparse, E dense, const product_factor& alpha = {},
                   const product_factor& beta = {}, Added added = {})
      : name_(name),
        sparse_(std::move(sparse)),
        dense_(std::move(dense)),
        alpha_(alpha),
        beta_(beta),
        added_(std::move(added)) {}
  [[nodiscard]] const auto& stream(const source_location& where) const {
    if constexpr (Side == csr_side::left) {
      return sparse_.stream(where);
    } else {
      return dense_.stream(where);
    }
  }
  [[nodiscard]] yoke::shape<own_rank> shape(const source_location& where) const {
    (void)sparse_.stream(where);
    const yoke::shape<2> sparse = sparse_.shape();
    const auto dense = dense_.shape(where);
    constexpr std::size_t rank = E::rank;
    std::size_t extents[own_rank]{};
    const product_form form = csr_form<Side, rank>(name_);
    if constexpr (Side == csr_side::left) {
      product_extents(extents, form, sparse.begin(), 2, dense.begin(), rank, where);
    } else {
      product_extents(extents, form, dense.begin(), rank, sparse.begin(), 2, where);
    }
    yoke::shape<own_rank> made;
    for (std::size_t axis = 0; axis < own_rank; ++axis) made[axis] = extents[axis];
    return made;
  }

  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& where) const {
    constexpr bool fits = std::same_as<T, To> && Rank == own_rank && std::same_as<Port, port_type>;
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(fits || std::is_const_v<T>,
                  "a product is assigned to as many axes, of its own type and backend: name the type, as "
                  "matmul<float>(a, b)");
    if constexpr (fits) {
      const auto own = shape(where);
      check_result_shape(own.begin(), to.shape().begin(), Rank, where);
      product_terms<Port> terms;
      terms.alpha = alpha_;
      terms.beta = beta_;
      if constexpr (adds) {
        check_result_shape(added_.shape().begin(), to.shape().begin(), Rank, where);
        (void)added_.stream(where);
        if (!beta_.is(0)) {
          terms.added.emplace(product_operand<Port>{added_.memory(), byte_layout(added_.layout()), kind_of<To>()});
        }
      }
      if (to.empty()) {
        operation_memory operation(order);
        return check_destination(operation, to, where);
      }
      const csr_operand<Port> sparse =
          Side == csr_side::left ? sparse_.operand(where) : sparse_.transposed_operand(where);
      given_product_operand<E, Order> dense(order, dense_, where);
      if constexpr (Vectors && Side == csr_side::right && complex_element<typename E::value_type>) {  // as `vecmat`
        dense.operand.conjugated = !dense.operand.conjugated;
      }
      // An operand without elements has no memory; none of it is read.
      if (dense.is_empty()) dense.operand.memory = to.memory();
      run_csr_product_of<Order>(order, Side, {to.memory(), byte_layout(to.layout()), kind_of<To>()}, sparse,
                                dense.operand, terms, where);
    }
  }

  /// Returns: the product times a number. Requires: nothing is added yet.
  template <class F>
  [[nodiscard]] csr_product_item scaled(const F& factor) const {
    csr_product_item made = *this;
    made.alpha_ = product_of_factors<To>(product_factor_of<To>(factor, source_location{}), alpha_);  // without a place
    return made;
  }
  [[nodiscard]] csr_product_item negated() const {
    csr_product_item made = *this;
    made.alpha_ = alpha_.negated();
    return made;
  }
  template <class Other>
  [[nodiscard]] auto plus(const product_factor& beta, const Other& added) const {
    return csr_product_item<Side, Vectors, To, S, E, Other>(name_, sparse_, dense_, alpha_, beta, added);
  }

 private:
  const char* name_;
  S sparse_;
  E dense_;
  product_factor alpha_, beta_;
  Added added_;
};

/// Returns: the item of a product of a sparse matrix with an array.
template <csr_side Side, class To, bool Vectors, class S, class A>
[[nodiscard]] auto csr_product_with(const char* name, const S& sparse, A&& dense) {
  using operand = operand_of<A>;
  using left = std::conditional_t<Side == csr_side::left, typename S::value_type, typename operand::value_type>;
  using right = std::conditional_t<Side == csr_side::left, typename operand::value_type, typename S::value_type>;
  constexpr bool one_backend = std::same_as<typename S::port_type, typename operand::port_type>;
  constexpr bool ranks = operand::rank == 1 || (operand::rank == 2 && !Vectors);
  static_assert(one_backend, "the arrays of a product are of one backend");
  static_assert(ranks || Vectors, "a sparse matrix is multiplied by a vector or a matrix: an array of rank 1 or 2");
  static_assert(ranks || !Vectors,
                "matvec and vecmat of a sparse matrix take a vector: write matmul for a matrix of several");
  if constexpr (check_product<To, left, right>() && one_backend && ranks) {
    return csr_product_item<Side, Vectors, product_result<To, left, right>, S, operand>(
        name, sparse, as_operand(std::forward<A>(dense)));
  }
}
/// Does not compile: chosen where both operands of a product are sparse.
template <class S>
auto refuse_csr_product() {
  static_assert(!std::same_as<S, S>, "a product of two sparse matrices is dense here: write matmul(a, b.to_dense())");
  return 0;
}

}  // namespace detail

// A sparse matrix, or its transpose, is the left or the right operand; the other one is an array, a view or an
// expression of rank 1 or 2 and of any strides, as in products of arrays. Types, factors, `pass::matmul(s, x)`, its
// forms `y = k * pass::matmul(s, x) + h * d`, `y += ...` and `y -= ...`, and recorders are those of <yoke/linalg.hpp>.
// Each sum of a row has a fixed order, which depends on the mean length of rows alone: the bits are the same on every
// device. Throws: `logic_error` for shapes that do not fit, before anything is enqueued; as `evaluate`.
namespace pass {
template <class To = void, detail::csr_like S, detail::array_operand A>
[[nodiscard]] auto matmul(const S& a, A&& x) {
  return detail::csr_product_with<detail::csr_side::left, To, false>("matmul", a, std::forward<A>(x));
}
template <class To = void, detail::array_operand A, detail::csr_like S>
[[nodiscard]] auto matmul(A&& x, const S& a) {
  return detail::csr_product_with<detail::csr_side::right, To, false>("matmul", a, std::forward<A>(x));
}
template <class To = void, detail::csr_like S, detail::array_operand A>
[[nodiscard]] auto matvec(const S& a, A&& x) {
  return detail::csr_product_with<detail::csr_side::left, To, true>("matvec", a, std::forward<A>(x));
}
template <class To = void, detail::array_operand A, detail::csr_like S>
[[nodiscard]] auto vecmat(A&& x, const S& a) {
  return detail::csr_product_with<detail::csr_side::right, To, true>("vecmat", a, std::forward<A>(x));
}
template <class To = void, detail::csr_like S, detail::csr_like Other>
auto matmul(const S&, const Other&) {
  return detail::refuse_csr_product<S>();
}
}  // namespace pass

/// Returns: the product of a sparse matrix and a vector or a dense matrix, as a new array in the first operand's stream.
/// `To`: as for arrays. Source: SciPy's `a @ x`. Example: `auto y = yoke::matmul(a.transpose(), x);`
template <class To = void, detail::csr_like S, detail::array_operand A>
[[nodiscard]] auto matmul(const S& a, A&& x, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::matmul<To>(a, std::forward<A>(x)); }, where);
}
/// The same with the sparse matrix on the right; a vector is a row.
template <class To = void, detail::array_operand A, detail::csr_like S>
[[nodiscard]] auto matmul(A&& x, const S& a, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::matmul<To>(std::forward<A>(x), a); }, where);
}
/// The same for vectors alone. `vecmat` conjugates complex vectors, as that of arrays; `matmul(x, a)` does not.
template <class To = void, detail::csr_like S, detail::array_operand A>
[[nodiscard]] auto matvec(const S& a, A&& x, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::matvec<To>(a, std::forward<A>(x)); }, where);
}
template <class To = void, detail::array_operand A, detail::csr_like S>
[[nodiscard]] auto vecmat(A&& x, const S& a, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::vecmat<To>(std::forward<A>(x), a); }, where);
}
template <class To = void, detail::csr_like S, detail::csr_like Other>
auto matmul(const S&, const Other&) {
  return detail::refuse_csr_product<S>();
}

// Operators. They have no place in the program.

/// A matrix with every value multiplied or divided by a number, or negated; it shares starts and columns.
template <class F, class T, class Index, class Port>
  requires detail::number_element<F>
[[nodiscard]] csr_matrix<T, Index, Port> operator*(const F& factor, const csr_matrix<T, Index, Port>& of) {
  const device_array<T, 1, Port> made(of.values() * detail::given_element<T>(factor, "factor", source_location{}));
  return of.with_values(made);
}
template <class F, class T, class Index, class Port>
  requires detail::number_element<F>
[[nodiscard]] csr_matrix<T, Index, Port> operator*(const csr_matrix<T, Index, Port>& of, const F& factor) {
  return factor * of;
}
template <class F, class T, class Index, class Port>
  requires detail::number_element<F>
[[nodiscard]] csr_matrix<T, Index, Port> operator/(const csr_matrix<T, Index, Port>& of, const F& divisor) {
  const device_array<T, 1, Port> made(of.values() / detail::given_element<T>(divisor, "divisor", source_location{}));
  return of.with_values(made);
}
template <class T, class Index, class Port>
[[nodiscard]] csr_matrix<T, Index, Port> operator-(const csr_matrix<T, Index, Port>& of) {
  return of * T(-1);
}
/// The sum or difference of two matrices of one shape. Elements of both are added; rows are sorted by columns.
/// Effects: waits for the number of elements. Throws: `logic_error` for different shapes; as `from_coordinates`.
template <class T, class Index, class Port>
[[nodiscard]] csr_matrix<T, Index, Port> operator+(const csr_matrix<T, Index, Port>& left,
                                                   const csr_matrix<T, Index, Port>& right) {
  return left.joined(
      right, [](const auto& one, const auto& other) { return concatenate(one, other); }, source_location{});
}
template <class T, class Index, class Port>
[[nodiscard]] csr_matrix<T, Index, Port> operator-(const csr_matrix<T, Index, Port>& left,
                                                   const csr_matrix<T, Index, Port>& right) {
  return left + -right;
}
/// Does not compile: it could mean a product of matrices or one of elements.
template <class L, class R>
  requires((detail::csr_like<L> && (detail::array_operand<R> || detail::csr_like<R>)) ||
           (detail::csr_like<R> && detail::array_operand<L>))
auto operator*(const L&, const R&) {
  static_assert(!std::same_as<L, L>,
                "a * b of a sparse matrix could mean two things: write matmul(a, x) for the product");
}

}  // namespace yoke::inline v0_1

#endif
