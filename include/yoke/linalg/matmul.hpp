// SPDX-License-Identifier: MIT
// Products of matrices and vectors: `auto c = yoke::matmul(a, b)`, and `c = k * yoke::pass::matmul(a, b) + h * d`.
#ifndef YOKE_LINALG_MATMUL_HPP
#define YOKE_LINALG_MATMUL_HPP

#include <yoke/array/reduction/recorded_view.hpp>
#include <yoke/array/reduction/scan.hpp>
#include <yoke/linalg/product_run.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The element type of a product: that of both operands, or the complex one where the other is its part.
template <class L, class R>
struct product_value {
  using type = void;
};
template <class T>
struct product_value<T, T> {
  using type = T;
};
template <complex_element L, class R>
  requires std::same_as<typename L::value_type, R>
struct product_value<L, R> {
  using type = L;
};
template <class L, complex_element R>
  requires std::same_as<L, typename R::value_type>
struct product_value<L, R> {
  using type = R;
};
template <class T>
inline constexpr bool is_whole_number = std::is_integral_v<T> && !std::same_as<T, bool>;
template <class T>
inline constexpr bool is_short_float = std::same_as<T, half> || std::same_as<T, bfloat16>;
/// Whether products of two types have elements of a third: their own, `float` of half precision, or any integer of
/// integers.
template <class To, class L, class R>
inline constexpr bool is_product_type = std::same_as<To, typename product_value<L, R>::type> ||
                                        (std::same_as<L, R> && is_short_float<L> && std::same_as<To, float>) ||
                                        (std::same_as<L, R> && is_whole_number<L> && is_whole_number<To>);

/// Does not compile for operands that cannot be multiplied. Returns: whether they can.
template <class To, class L, class R>
consteval bool check_product() {
  constexpr bool numbers = number_element<L> && number_element<R>;
  constexpr bool no_bools = !std::same_as<L, bool> && !std::same_as<R, bool>;
  static_assert(numbers, "products are of numbers: structs have no product, name members as a.member<&S::x>()");
  static_assert(no_bools, "products are of numbers: write cast<int>(a) for an array of bool");
  if constexpr (numbers && no_bools) {
    if constexpr (std::is_void_v<To>) {
      constexpr bool fits = !std::is_void_v<typename product_value<L, R>::type>;
      static_assert(fits,
                    "a product is of two arrays of one type, or of a complex and its real type: cast one of them");
      return fits;
    } else {
      constexpr bool fits = is_product_type<To, L, R>;
      static_assert(fits,
                    "the result of a product has the type of its operands; products of half and bfloat16 can be float, "
                    "those of integers any integer");
      return fits;
    }
  }
  return false;
}
template <class To, class L, class R>
using product_result = std::conditional_t<std::is_void_v<To>, typename product_value<L, R>::type, To>;

/// The factors of products whose elements are `T`.
template <class T, class F>
[[nodiscard]] product_factor product_factor_of(const F& factor, const source_location& where) {
  product_factor made;
  using number = computed<T>;
  const auto value = given_element<number>(factor, "factor", where);
  if constexpr (complex_element<number>) {
    made.real = value.real();
    made.imag = value.imag();
    made.whole = value == number(1) ? 1 : 0;
  } else if constexpr (std::is_integral_v<number>) {
    made.whole = static_cast<std::int64_t>(value);
    made.real = value == 1 ? 1 : 0;
  } else {
    made.real = value;
    made.whole = value == 1 ? 1 : 0;
  }
  return made;
}

/// Returns: the product of two factors of products whose elements are `T`.
template <class T>
[[nodiscard]] product_factor product_of_factors(const product_factor& by, const product_factor& of) noexcept {
  if (of.is(1)) return by;
  product_factor made = by;
  if constexpr (std::is_integral_v<computed<T>>) {
    made.whole = static_cast<std::int64_t>(static_cast<std::uint64_t>(by.whole) * static_cast<std::uint64_t>(of.whole));
    made.real = made.whole == 1 ? 1 : 0;
  } else {
    made.real = by.real * of.real - by.imag * of.imag;
    made.imag = by.real * of.imag + by.imag * of.real;
    made.whole = made.real == 1 && made.imag == 0 ? 1 : 0;
  }
  return made;
}

/// Arrays and views, plain or conjugated, are read where they are; other expressions are calculated first.
template <class E>
struct product_input {
  static constexpr bool direct = false;
  static constexpr bool conjugated = false;
};
template <class T, std::size_t Rank, class Port>
struct product_input<array_input<T, Rank, Port>> {
  static constexpr bool direct = true;
  static constexpr bool conjugated = false;
};
template <class T, std::size_t Rank, class Port>
struct product_input<expression<conj_operation, array_input<T, Rank, Port>>> {
  static constexpr bool direct = true;
  static constexpr bool conjugated = true;
};
/// An operand of a product, and the memory of one that had to be calculated.
template <class E, class Order>
struct given_product_operand {
  using value = typename E::value_type;
  using port = port_of_order<Order>;
  using dense = dense_elements<value, E::rank, Order>;
  given_product_operand(const Order& order, const E& of, const source_location& where) : extents(of.shape(where)) {
    operand.kind = kind_of<value>();
    if constexpr (product_input<E>::direct) {
      evaluation_operand<port> input;
      evaluation_operand<port>* to = &input;
      of.add_inputs(to);
      operand.memory = input.memory;
      operand.side = input.side;
      if (volume(extents.begin(), E::rank) == 0 || has_whole_strides(operand.side)) {
        operand.conjugated = product_input<E>::conjugated;
        return;
      }
    }
    // Nothing is calculated for an array without elements: its product adds nothing.
    if (volume(extents.begin(), E::rank) == 0) {
      layout.emplace(extents, sizeof(value), array_order::c, where);
      operand.side = byte_layout(*layout);
      return;
    }
    made.emplace(order, extents, of.stream(where), where);
    if constexpr (product_input<E>::direct && !product_input<E>::conjugated) {
      assign_in(order, made->view(), of.view, where);
    } else {
      assign_in(order, made->view(), of, where);
    }
    view.emplace(made->view());
    operand.memory = view->memory();
    operand.side = byte_layout(view->layout());
  }
  given_product_operand(const given_product_operand&) = delete;
  given_product_operand& operator=(const given_product_operand&) = delete;

  [[nodiscard]] bool is_empty() const noexcept { return volume(extents.begin(), E::rank) == 0; }

  shape<E::rank> extents;
  std::optional<array_layout<E::rank>> layout{};
  std::optional<dense> made{};
  std::optional<device_view<value, E::rank, port>> view{};
  product_operand<port> operand{};
};

/// Nothing is added to a product.
struct nothing_added {};

template <class E>
concept product_like = requires { typename std::remove_cvref_t<E>::product_tag; };
/// Returns: a product to which `added` is added, or from which it is subtracted.
template <bool Minus, class P, class D>
[[nodiscard]] auto add_to_product(const P& of, D&& added);

/// The operators of products: times a number; plus or minus an array, or `h * d`; `c += product`, in place. They are
/// friends, so that they are found whatever the backend of the arrays. Throws: as an assignment.
template <class Product>
class product_operators {
  template <operand F>
  [[nodiscard]] friend auto operator*(const F& factor, const Product& of) {
    constexpr bool number = !array_operand<F> && !Product::is_sum;
    static_assert(number, "assign the product first, or write k * pass::matmul(a, b) + h * d");
    if constexpr (number) return of.scaled(factor);
  }
  template <operand F>
  [[nodiscard]] friend auto operator*(const Product& of, const F& factor) {
    return factor * of;
  }
  [[nodiscard]] friend auto operator-(const Product& of) {
    static_assert(!Product::is_sum, "assign the product first, or write k * pass::matmul(a, b) + h * d");
    return of.negated();
  }
  template <array_operand D>
  [[nodiscard]] friend auto operator+(const Product& of, D&& added) {
    return add_to_product<false>(of, std::forward<D>(added));
  }
  template <array_operand D>
  [[nodiscard]] friend auto operator+(D&& added, const Product& of) {
    return add_to_product<false>(of, std::forward<D>(added));
  }
  template <array_operand D>
  [[nodiscard]] friend auto operator-(const Product& of, D&& subtracted) {
    return add_to_product<true>(of, std::forward<D>(subtracted));
  }
  template <array_operand D>
  [[nodiscard]] friend auto operator-(D&& from, const Product& of) {
    return add_to_product<false>(-of, std::forward<D>(from));
  }
  template <product_like Other>
  friend auto operator+(const Product&, const Other&) {
    static_assert(!std::same_as<Other, Other>, "assign the product first, or write k * pass::matmul(a, b) + h * d");
  }
  template <assignable_operand A>
  friend A&& operator+=(A&& to, const Product& by) {
    written_of(to).assign(by + read_of(to), source_location{});  // operators have no place
    return std::forward<A>(to);
  }
  template <assignable_operand A>
  friend A&& operator-=(A&& to, const Product& by) {
    written_of(to).assign(read_of(to) - by, source_location{});
    return std::forward<A>(to);
  }
};

/// A product with its factors, and an array that is added: a `const` view, or `nothing_added`.
template <product_kind Kind, class To, class L, class R, class Added = nothing_added>
class [[nodiscard]] product_item : product_operators<product_item<Kind, To, L, R, Added>> {
  static constexpr product_form form = form_of(Kind, L::rank, R::rank);
  static constexpr std::size_t own_rank = product_rank(form, L::rank, R::rank);
  static constexpr bool adds = !std::same_as<Added, nothing_added>;

 public:
  using pass_tag = void;
  using product_tag = void;
  using value_type = To;
  using port_type = typename L::port_type;
  using result = device_array<To, own_rank, port_type>;
  static constexpr bool is_sum = adds;

  product_item(L left, R right, const product_factor& alpha = {}, const product_factor& beta = {}, Added added = {})
      : left_(std::move(left)), right_(std::move(right)), alpha_(alpha), beta_(beta), added_(std::move(added)) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return left_.stream(where); }
  [[nodiscard]] yoke::shape<own_rank> shape(const source_location& where) const {
    const auto left = left_.shape(where);
    const auto right = right_.shape(where);
    std::size_t extents[own_rank + 1]{};
    product_extents(extents, form, left.begin(), L::rank, right.begin(), R::rank, where);
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
      product_terms<Port> terms{alpha_, beta_};
      if constexpr (adds) {
        check_result_shape(added_.shape().begin(), to.shape().begin(), Rank, where);
        (void)added_.stream(where);
        if (!beta_.is(0)) {
          terms.added.emplace(product_operand<Port>{added_.memory(), byte_layout(added_.layout()), kind_of<To>()});
        }
      }
      given_product_operand<L, Order> left(order, left_, where);
      given_product_operand<R, Order> right(order, right_, where);
      if constexpr (Kind == product_kind::vecmat && complex_element<typename L::value_type>) {
        left.operand.conjugated = !left.operand.conjugated;
      }
      // An operand without elements has no memory; none of it is read.
      if (left.is_empty()) left.operand.memory = to.memory();
      if (right.is_empty()) right.operand.memory = to.memory();
      run_product_of<Order>(order, form, {to.memory(), byte_layout(to.layout()), kind_of<To>()}, left.operand,
                            right.operand, terms, where);
    }
  }

  /// Returns: the product times a number. Requires: nothing is added yet.
  template <class F>
  [[nodiscard]] product_item scaled(const F& factor) const {
    product_item made = *this;
    made.alpha_ = product_of_factors<To>(product_factor_of<To>(factor, source_location{}), alpha_);  // without a place
    return made;
  }
  [[nodiscard]] product_item negated() const {
    product_item made = *this;
    made.alpha_ = alpha_.negated();
    return made;
  }
  template <class Other>
  [[nodiscard]] auto plus(const product_factor& beta, const Other& added) const {
    return product_item<Kind, To, L, R, Other>(left_, right_, alpha_, beta, added);
  }

 private:
  L left_;
  R right_;
  product_factor alpha_, beta_;
  Added added_;
};

/// An array that is added to a product, and its factor.
template <class E>
struct product_addend {
  static constexpr bool found = false;
};
template <class T, std::size_t Rank, class Port>
struct product_addend<array_input<T, Rank, Port>> {
  static constexpr bool found = true;
  template <class To>
  static product_factor factor(const array_input<T, Rank, Port>&) {
    return {};
  }
};
template <class F, class T, std::size_t Rank, class Port>
struct product_addend<expression<times_operation, scalar_input<F>, array_input<T, Rank, Port>>> {
  static constexpr bool found = true;
  template <class To, class E>
  static product_factor factor(const E& of) {
    kernel_argument argument{};
    kernel_argument* to = &argument;
    of.add_scalars(to);
    // Numbers wait in the type in which kernels take them.
    return product_factor_of<To>(static_cast<F>(*static_cast<const typename scalar_input<F>::word*>(argument.data)),
                                 source_location{});
  }
};
template <class F, class T, std::size_t Rank, class Port>
struct product_addend<expression<times_operation, array_input<T, Rank, Port>, scalar_input<F>>>
    : product_addend<expression<times_operation, scalar_input<F>, array_input<T, Rank, Port>>> {};
/// Returns: the view that an addend reads.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<const T, Rank, Port> view_of_addend(const array_input<T, Rank, Port>& of) {
  return of.view;
}
template <class L, class R>
[[nodiscard]] auto view_of_addend(const expression<times_operation, L, R>& of) {
  if constexpr (L::inputs == 1) {
    return view_of_addend(std::get<0>(of.operands()));
  } else {
    return view_of_addend(std::get<1>(of.operands()));
  }
}

template <bool Minus, class P, class D>
[[nodiscard]] auto add_to_product(const P& of, D&& added) {
  using operand = operand_of<D>;
  constexpr bool fits = product_addend<operand>::found && !P::is_sum;
  static_assert(fits, "assign the product first, or write k * pass::matmul(a, b) + h * d");
  if constexpr (fits) {
    constexpr bool same =
        std::same_as<typename decltype(view_of_addend(std::declval<operand>()))::value_type, typename P::value_type>;
    static_assert(same, "an array that is added to a product has the product's type: cast it first");
    if constexpr (same) {
      const auto given = as_operand(std::forward<D>(added));
      product_factor beta = product_addend<operand>::template factor<typename P::value_type>(given);
      if (Minus) beta = beta.negated();
      return of.plus(beta, view_of_addend(given));
    }
  }
}

/// Returns: the item of a product of two operands.
template <product_kind Kind, class To, class L, class R>
[[nodiscard]] auto product_of(L&& left, R&& right) {
  using left_operand = operand_of<L>;
  using right_operand = operand_of<R>;
  using left_value = typename left_operand::value_type;
  using right_value = typename right_operand::value_type;
  constexpr bool one_backend = std::same_as<typename left_operand::port_type, typename right_operand::port_type>;
  constexpr bool ranks = has_product_ranks(Kind, left_operand::rank, right_operand::rank);
  static_assert(one_backend, "the arrays of a product are of one backend");
  static_assert(ranks || Kind != product_kind::matmul,
                "matmul is of arrays of at least one axis: write k * a for a number or an array of rank 0");
  static_assert(ranks || Kind != product_kind::matvec, "matvec is of a matrix and a vector: of ranks from 2 and 1 on");
  static_assert(ranks || Kind != product_kind::vecmat, "vecmat is of a vector and a matrix: of ranks from 1 and 2 on");
  static_assert(ranks || Kind != product_kind::outer, "outer is of two vectors: of rank 1 each");
  if constexpr (check_product<To, left_value, right_value>() && one_backend && ranks) {
    return product_item<Kind, product_result<To, left_value, right_value>, left_operand, right_operand>(
        as_operand(std::forward<L>(left)), as_operand(std::forward<R>(right)));
  }
}

/// Returns: a new array of a product's elements; nothing where a message has said why there is no product.
template <class Make>
[[nodiscard]] auto made_of_product(const Make& make, const source_location& where) {
  if constexpr (!std::is_void_v<decltype(make())>) {
    const auto item = make();
    return typename decltype(item)::result(item, where);
  }
}

}  // namespace detail

// The functions multiply arrays, views and expressions. Views of any strides are read where they are: transposed,
// reversed, sliced, broadcast ones, and `conj(x)` of them; other expressions are first calculated. Elements of half and
// bfloat16 are added in `float`, and integers wrap around. Each sum is a chain of fused terms in the order of the
// shared axis, in parts of 512 terms that are added in order: the bits depend on type and shape alone.

// `c = pass::matmul(a, b)` writes to elements that exist, of any layout, in the destination's stream or on a recorder:
// `c.bind(record) = pass::matmul(a, b)`. These forms make no temporary: `c = k * pass::matmul(a, b) + h * d`, where `d`
// is `c` or another array, `c += k * pass::matmul(a, b)` and `c -= pass::matmul(a, b)`. With `h == 0` `d` is not read.
// A destination that shares memory with `a` or `b` is written through a temporary.
namespace pass {
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto matmul(L&& a, R&& b) {
  return detail::product_of<detail::product_kind::matmul, To>(std::forward<L>(a), std::forward<R>(b));
}
template <class To = void, class L, class R>
  requires detail::one_array<L, R>
void matmul(L&&, R&&) {
  detail::refuse_one_array<L, R>();
}
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto matvec(L&& a, R&& b) {
  return detail::product_of<detail::product_kind::matvec, To>(std::forward<L>(a), std::forward<R>(b));
}
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto vecmat(L&& a, R&& b) {
  return detail::product_of<detail::product_kind::vecmat, To>(std::forward<L>(a), std::forward<R>(b));
}
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto outer(L&& a, R&& b) {
  return detail::product_of<detail::product_kind::outer, To>(std::forward<L>(a), std::forward<R>(b));
}
}  // namespace pass

/// Returns: the product of matrices by NumPy's rules, as a new array in the first operand's stream. An operand of rank
/// 1 is a row on the left, a column on the right, and its axis is not in the result; axes before the last two count
/// matrices, and broadcast.
/// `To`: the type of the result, where it differs from that of the operands: `float` for half precision, any integer
/// for integers.
/// Throws: `logic_error` for shapes that do not fit, with both, before anything is enqueued; as `evaluate`. Source:
/// NumPy's `matmul`. Example: `auto c = yoke::matmul(a, b.transpose());`
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto matmul(L&& a, R&& b, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::matmul<To>(std::forward<L>(a), std::forward<R>(b)); }, where);
}
/// Does not compile: numbers and host memory are no operands.
template <class To = void, class L, class R>
  requires detail::one_array<L, R>
void matmul(L&&, R&&) {
  detail::refuse_one_array<L, R>();
}

/// Returns: the products of matrices and vectors: of shapes (..., m, k) and (..., k). Axes before these broadcast.
/// `To`, throws: as `matmul`. Source: NumPy's `matvec`.
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto matvec(L&& a, R&& b, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::matvec<To>(std::forward<L>(a), std::forward<R>(b)); }, where);
}

/// Returns: the products of vectors and matrices: of shapes (..., k) and (..., k, n). Axes before these broadcast.
/// Complex vectors are conjugated, as those on the left of `vdot`: `matmul(x, a)` does not conjugate.
/// `To`, throws: as `matmul`. Source: NumPy's `vecmat`.
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto vecmat(L&& a, R&& b, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::vecmat<To>(std::forward<L>(a), std::forward<R>(b)); }, where);
}

/// Returns: the products of each element of one vector with each of another: of shapes (m) and (n) a matrix (m, n).
/// `To`, throws: as `matmul`. Source: NumPy's `outer`.
template <class To = void, detail::array_operand L, detail::array_operand R>
[[nodiscard]] auto outer(L&& a, R&& b, const source_location& where = source_location::current()) {
  return detail::made_of_product([&] { return pass::outer<To>(std::forward<L>(a), std::forward<R>(b)); }, where);
}

}  // namespace yoke::inline v0_1

#endif
