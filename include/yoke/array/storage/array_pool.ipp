// SPDX-License-Identifier: MIT
// Bodies of array/storage/array_pool.hpp.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_POOL_IPP
#define YOKE_ARRAY_STORAGE_ARRAY_POOL_IPP

#include <yoke/array/storage/array_pool.hpp>
#include <yoke/core/environment.hpp>

namespace yoke::inline v0_1::detail {

array_pool_options default_array_pool_options() { return {.enabled = process_environment().array_pool != "off"}; }
bool wants_guarded_arrays(const array_pool_options& options) {
  return options.guarded && process_environment().array_pool != "keep";
}
void throw_has_array_pool(const source_location& where) {
  throw_error(errc::invalid_argument,
              "the arrays of this context have a pool already: say what it does before the first array", where);
}

}  // namespace yoke::inline v0_1::detail

#endif
