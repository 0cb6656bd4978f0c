// SPDX-License-Identifier: MIT
// Body of core/narrow.hpp: refuses a number that no enumerator has.
#ifndef YOKE_CORE_NARROW_IPP
#define YOKE_CORE_NARROW_IPP

#include <yoke/core/narrow.hpp>

namespace yoke::inline v0_1 {

void detail::throw_no_enumerator(const char* name, unsigned long long value, const std::string& all,
                                 const source_location& where) {
  throw_error(errc::invalid_argument, where, name, " is ", value, ", none of ", all);
}

}  // namespace yoke::inline v0_1

#endif
