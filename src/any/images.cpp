// SPDX-License-Identifier: MIT
// The library's part for images of any backend.
#include <yoke/driver/any/images.ipp>
