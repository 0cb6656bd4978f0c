// SPDX-License-Identifier: MIT
// Body of driver/any/math.hpp: a table for each backend.
#ifndef YOKE_DRIVER_ANY_MATH_IPP
#define YOKE_DRIVER_ANY_MATH_IPP

#include <yoke/driver/any/math.hpp>

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1::detail {

template <class Port>
constexpr any_math_operations make_math_table() noexcept {
  any_math_operations table{};
  YOKE_MATH_OPERATIONS(YOKE_ENTER_OR_DEFAULT)
  return table;
}

const any_math_operations& math_table_of(std::size_t backend) noexcept {
  static constexpr auto tables =
      of_each_backend([]<class Backend>(Backend) { return make_math_table<typename Backend::port>(); });
  return tables[backend];
}

}  // namespace yoke::inline v0_1::detail

#endif
