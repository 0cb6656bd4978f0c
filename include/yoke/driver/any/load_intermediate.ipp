// SPDX-License-Identifier: MIT
// Body of driver/any/load_intermediate.hpp: a table for each backend.
#ifndef YOKE_DRIVER_ANY_LOAD_INTERMEDIATE_IPP
#define YOKE_DRIVER_ANY_LOAD_INTERMEDIATE_IPP

#include <yoke/driver/any/load_intermediate.hpp>

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1::detail {

template <class Port>
constexpr any_intermediate_operations make_intermediate_table() noexcept {
  any_intermediate_operations table{};
  YOKE_RARE_PROGRAM_OPERATIONS(YOKE_ENTER)
  return table;
}

const any_intermediate_operations& intermediate_table_of(std::size_t backend) noexcept {
  static constexpr auto tables =
      of_each_backend([]<class Backend>(Backend) { return make_intermediate_table<typename Backend::port>(); });
  return tables[backend];
}

}  // namespace yoke::inline v0_1::detail

#endif
