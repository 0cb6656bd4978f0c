// SPDX-License-Identifier: MIT
// The facts that arrays and views tell of their layout.
#ifndef YOKE_ARRAY_GEOMETRY_LAYOUT_FACTS_HPP
#define YOKE_ARRAY_GEOMETRY_LAYOUT_FACTS_HPP

#include <yoke/array/geometry/array_layout.hpp>

#include <array>
#include <cstddef>

namespace yoke::inline v0_1::detail {

/// Gives an array or a view the facts of its layout. `Derived` has `layout`.
template <class Derived, std::size_t Rank>
class layout_facts {
 public:
  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] const yoke::shape<Rank>& shape() const noexcept { return self().layout().shape(); }
  /// Returns: the extent of an axis; axes below 0 count from the end. Throws: `logic_error` for an axis that does not
  /// exist.
  template <integer Axis>
  [[nodiscard]] std::size_t extent(Axis axis, const source_location& where = source_location::current()) const {
    return self().layout().extent(axis, where);
  }
  /// Units: bytes.
  [[nodiscard]] const std::array<std::ptrdiff_t, Rank>& strides() const noexcept { return self().layout().strides(); }
  [[nodiscard]] std::size_t size() const noexcept { return self().layout().size(); }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return self().layout().size_bytes(); }
  [[nodiscard]] bool empty() const noexcept { return self().layout().empty(); }
  [[nodiscard]] bool is_c_contiguous() const noexcept { return self().layout().is_c_contiguous(); }
  [[nodiscard]] bool is_f_contiguous() const noexcept { return self().layout().is_f_contiguous(); }

 private:
  [[nodiscard]] const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}  // namespace yoke::inline v0_1::detail

#endif
