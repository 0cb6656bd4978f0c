// SPDX-License-Identifier: MIT
// Body of driver/any/port.hpp: intermediate code, for which CUDA's port needs a linker.
#ifndef YOKE_DRIVER_ANY_LOAD_INTERMEDIATE_IPP
#define YOKE_DRIVER_ANY_LOAD_INTERMEDIATE_IPP

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1 {

YOKE_RARE_PROGRAM_OPERATIONS(YOKE_DEFINE_BEHIND)

}  // namespace yoke::inline v0_1

#endif
