// SPDX-License-Identifier: MIT
// The vendors' libraries of the port that is chosen at run time.
#ifndef YOKE_DRIVER_ANY_MATH_HPP
#define YOKE_DRIVER_ANY_MATH_HPP

#include <yoke/driver/any/handles.hpp>

namespace yoke::inline v0_1 {

/// A backend's operations of vendors' libraries for `any_port`. Only a program that multiplies or transforms links them.
struct any_math_operations : any_handles {
  YOKE_MATH_OPERATIONS(YOKE_ANY_ENTRY)
};

namespace detail {
/// Returns: the table of the backend at index `backend` in the list.
[[nodiscard]] YOKE_API const any_math_operations& math_table_of(std::size_t backend) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/any/math.ipp>
#endif

#endif
