// SPDX-License-Identifier: MIT
// Bodies of program/source/embedded_header.hpp: the list, which every compilation reads.
#ifndef YOKE_PROGRAM_SOURCE_IMPL_GIVEN_HEADERS_IPP
#define YOKE_PROGRAM_SOURCE_IMPL_GIVEN_HEADERS_IPP

#include <yoke/program/source/embedded_header.hpp>

namespace yoke::inline YOKE_ABI {

YOKE_COLD std::span<const embedded_header> headers_option::list() const& noexcept {
  return given_ ? std::span<const embedded_header>(given_->list) : std::span<const embedded_header>();
}
YOKE_COLD const detail::header_functions& headers_option::functions() const noexcept { return *given_->functions; }

}  // namespace yoke::inline YOKE_ABI

#endif
