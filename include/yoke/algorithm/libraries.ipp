// SPDX-License-Identifier: MIT
// Bodies of algorithm/libraries.hpp.
#ifndef YOKE_ALGORITHM_LIBRARIES_IPP
#define YOKE_ALGORITHM_LIBRARIES_IPP

#include <yoke/algorithm/libraries.hpp>
#include <yoke/core/environment.hpp>

namespace yoke::inline v0_1::detail {

linalg_options default_linalg_options() {
  linalg_options options{.libraries = process_environment().libraries};
  check_libraries(options, {});
  return options;
}
void check_libraries(const linalg_options& options, const source_location& where) {
  (void)wish_for(options.libraries, "", where);
}
std::int64_t& least_library_work() noexcept {
  // On an H200 an own call of 32^3 takes half of a library's time, one of 64^3 as long.
  static std::int64_t least = std::int64_t{32} * 32 * 32 + 1;
  return least;
}
std::int64_t& least_library_columns() noexcept {
  static std::int64_t least = 64;
  return least;
}
void throw_has_libraries(const source_location& where) {
  throw_error(errc::invalid_argument,
              "this context has used its libraries already: call use_linalg before the first product or transform, and "
              "only once",
              where);
}

}  // namespace yoke::inline v0_1::detail

#endif
