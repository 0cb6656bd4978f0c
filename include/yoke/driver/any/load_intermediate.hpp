// SPDX-License-Identifier: MIT
// Intermediate code, loaded by the port that is chosen at run time.
#ifndef YOKE_DRIVER_ANY_LOAD_INTERMEDIATE_HPP
#define YOKE_DRIVER_ANY_LOAD_INTERMEDIATE_HPP

#include <yoke/driver/any/handles.hpp>

namespace yoke::inline v0_1 {

/// Loads a backend's intermediate code for `any_port`. Only programs that load intermediate code link this table,
/// because on CUDA it links the linkers, too.
struct any_intermediate_operations : any_handles {
  YOKE_RARE_PROGRAM_OPERATIONS(YOKE_ANY_ENTRY)
};

namespace detail {
/// Returns: the table of the backend at index `backend` in the list.
[[nodiscard]] YOKE_API const any_intermediate_operations& intermediate_table_of(std::size_t backend) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/any/load_intermediate.ipp>
#endif

#endif
