// SPDX-License-Identifier: MIT
// Bodies of driver/any/port.hpp: images and samplers.
#ifndef YOKE_DRIVER_ANY_IMAGES_IPP
#define YOKE_DRIVER_ANY_IMAGES_IPP

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1 {

static_assert(image_port<any_port> && image_port<cuda::port> && image_port<opencl::port>);
YOKE_IMAGE_OPERATIONS(YOKE_DEFINE_BEHIND, YOKE_DEFINE_DEFAULTED)

}  // namespace yoke::inline v0_1

#endif
