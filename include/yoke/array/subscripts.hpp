// SPDX-License-Identifier: MIT
// Parts of arrays, `a(slice(1, none), 2)`, with the place of the call.
#ifndef YOKE_ARRAY_SUBSCRIPTS_HPP
#define YOKE_ARRAY_SUBSCRIPTS_HPP

#include <yoke/array/slice.hpp>
#include <yoke/core/source_location.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// The first index, and the place of its call. A default argument for the place cannot follow a list of any length.
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

/// The call operator of an array or a view; `Derived` has `part_at`. There is one for each kind of first index.
template <class Derived>
class subscripts {
  using place = source_location;

 public:
  // Each operator once, for arrays, for const ones, and for temporaries.
#define YOKE_SUBSCRIPTS(QUALIFIER)                                                                                     \
  [[nodiscard]] auto operator()(const place& where = place::current()) QUALIFIER {                                     \
    return static_cast<Derived QUALIFIER>(*this).part_at(where);                                                       \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] auto operator()(const placed_index<std::ptrdiff_t>& first, const Rest&... rest) QUALIFIER {            \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] auto operator()(const placed_index<slice>& first, const Rest&... rest) QUALIFIER {                     \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] auto operator()(const placed_index<newaxis_t>& first, const Rest&... rest) QUALIFIER {                 \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }                                                                                                                    \
  template <array_index... Rest>                                                                                       \
  [[nodiscard]] auto operator()(const placed_index<ellipsis_t>& first, const Rest&... rest) QUALIFIER {                \
    return static_cast<Derived QUALIFIER>(*this).part_at(first.where, first.index, rest...);                           \
  }
  YOKE_SUBSCRIPTS(&)
  YOKE_SUBSCRIPTS(const&)
  YOKE_SUBSCRIPTS(&&)
#undef YOKE_SUBSCRIPTS
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
