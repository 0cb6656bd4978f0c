// SPDX-License-Identifier: MIT
// The library's part for images of every backend.
#include <yoke/driver/image_types.ipp>

#include <yoke/image/image.ipp>
#include <yoke/image/image_argument.ipp>
#include <yoke/image/image_place.ipp>
