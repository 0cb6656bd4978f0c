// SPDX-License-Identifier: MIT
// The structs that a compilation was told of.
#ifndef YOKE_PROGRAM_STRUCTS_IMPL_TOLD_STRUCTS_IPP
#define YOKE_PROGRAM_STRUCTS_IMPL_TOLD_STRUCTS_IPP

#include <yoke/program/structs/device_struct.hpp>

#include <vector>

namespace yoke::inline YOKE_ABI::detail {

struct told_structs {
  std::vector<struct_description> list;
  const struct_functions* functions;
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
