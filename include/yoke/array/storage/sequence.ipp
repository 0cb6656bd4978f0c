// SPDX-License-Identifier: MIT
// Body of array/storage/sequence.hpp.
#ifndef YOKE_ARRAY_STORAGE_SEQUENCE_IPP
#define YOKE_ARRAY_STORAGE_SEQUENCE_IPP

#include <yoke/array/storage/sequence.hpp>

namespace yoke::inline v0_1::detail {

void throw_sequence(const char* why, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a sequence with ", why);
}

}  // namespace yoke::inline v0_1::detail

#endif
