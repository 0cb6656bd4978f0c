// SPDX-License-Identifier: MIT
// The library's part for what every program has of the ground floor.
#include <yoke/core/impl/cleanup.ipp>
#include <yoke/core/impl/environment.ipp>
#include <yoke/core/impl/error.ipp>
#include <yoke/core/impl/extent.ipp>
#include <yoke/core/impl/narrow.ipp>
#include <yoke/core/impl/native.ipp>
#include <yoke/core/impl/once_map.ipp>
#include <yoke/core/impl/text.ipp>
