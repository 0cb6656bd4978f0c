// SPDX-License-Identifier: MIT
// The library's part for images of every backend.
#include <yoke/driver/impl/image_types.ipp>

#include <yoke/image/impl/image.ipp>
#include <yoke/image/impl/image_argument.ipp>
#include <yoke/image/impl/image_place.ipp>
