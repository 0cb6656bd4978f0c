// SPDX-License-Identifier: MIT
// The call operator that takes parts of arrays, `a(slice(1, none), 2)`, and knows the place of the call.
#ifndef YOKE_ARRAY_GEOMETRY_SUBSCRIPTS_HPP
#define YOKE_ARRAY_GEOMETRY_SUBSCRIPTS_HPP

#include <yoke/array/geometry/slice.hpp>
#include <yoke/core/source_location.hpp>

namespace yoke::inline v0_1::detail {

/// The first index and the place of the call: a parameter pack of indices leaves no room for a default argument behind
/// it.
template <class Index>
struct placed_index {
  constexpr placed_index(const Index& of, const source_location& at = source_location::current()) noexcept  // NOLINT
      : index(of), where(at) {}
  Index index;
  source_location where;
};
template <>
struct placed_index<std::ptrdiff_t> {
  template <integer Index>
  constexpr placed_index(Index of, const source_location& at = source_location::current()) noexcept  // NOLINT
      : index(slice_bound::clamped(of)), where(at) {}
  std::ptrdiff_t index;
  source_location where;
};

/// The type of `begin` and `data` of arrays, whose name explains why a pointer or an iterator is not available.
template <class Array>
struct elements_are_on_the_device_write_a_span_or_a_to_host {
  auto operator*() const { return typename Array::value_type{}; }
  auto& operator++() { return *this; }
  friend bool operator==(elements_are_on_the_device_write_a_span_or_a_to_host,
                         elements_are_on_the_device_write_a_span_or_a_to_host) = default;
};

/// The call operator of an array or a view, for each kind of first index. `Derived` has `part_at`.
template <class Derived>
class call_operators {
  using place = source_location;

 public:
  // Defines each operator three times: for arrays, const arrays and temporaries.
#define YOKE_SUBSCRIPTS(QUALIFIER)                                                                                     \
  [[nodiscard]] decltype(auto) operator()(const place& where = place::current()) QUALIFIER {                           \
    return static_cast<Derived QUALIFIER>(*this).part_at(where);                                                       \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] decltype(auto) operator()(const placed_index<std::ptrdiff_t>& first, const Rest&... rest) QUALIFIER {  \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] decltype(auto) operator()(const placed_index<slice>& first, const Rest&... rest) QUALIFIER {           \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] decltype(auto) operator()(const placed_index<newaxis_t>& first, const Rest&... rest) QUALIFIER {       \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] decltype(auto) operator()(const placed_index<ellipsis_t>& first, const Rest&... rest) QUALIFIER {      \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }
  YOKE_SUBSCRIPTS(&)
  YOKE_SUBSCRIPTS(const&)
  YOKE_SUBSCRIPTS(&&)
#undef YOKE_SUBSCRIPTS
};

/// The same for elements on the device, which cannot be read one by one.
template <class Derived>
class subscripts : public call_operators<Derived> {
 public:
  // These overloads do not compile: elements on the device cannot be read one by one.
  template <class Index>
  auto operator[](const Index&) const {
    static_assert(
        !std::same_as<Index, Index>,
        "elements are on the device: write a(3).value() to read one, a(3) = x to write one, or a.to_host() for all");
    return typename Derived::value_type{};
  }
  template <class Here = Derived>
  elements_are_on_the_device_write_a_span_or_a_to_host<Here> data() const {
    static_assert(
        !std::same_as<Here, Here>,
        "elements are on the device: write a.to_host() for the host, pass `a` itself to kernels, or a.span() for "
        "its memory");
    return {};
  }
  template <class Here = Derived>
  elements_are_on_the_device_write_a_span_or_a_to_host<Here> begin() const {
    static_assert(!std::same_as<Here, Here>,
                  "elements are on the device: write for (auto x : a.to_host()), or an expression of whole arrays");
    return {};
  }
  template <class Here = Derived>
  elements_are_on_the_device_write_a_span_or_a_to_host<Here> end() const {
    return {};
  }
};

}  // namespace yoke::inline v0_1::detail

#endif
