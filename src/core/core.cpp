// SPDX-License-Identifier: MIT
// The library's part for what every program has of the ground floor.
#include <yoke/core/cleanup.ipp>
#include <yoke/core/environment.ipp>
#include <yoke/core/error.ipp>
#include <yoke/core/extent.ipp>
#include <yoke/core/narrow.ipp>
#include <yoke/core/native.ipp>
#include <yoke/core/once_map.ipp>
#include <yoke/core/text.ipp>
