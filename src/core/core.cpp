// SPDX-License-Identifier: MIT
// Compiles the bodies of the ground floor.
#include <yoke/core/impl/cleanup.ipp>
#include <yoke/core/impl/environment.ipp>
#include <yoke/core/impl/error.ipp>
#include <yoke/core/impl/extent.ipp>
#include <yoke/core/impl/file.ipp>
#include <yoke/core/impl/file_functions.ipp>
#include <yoke/core/impl/narrow.ipp>
#include <yoke/core/impl/native.ipp>
#include <yoke/core/impl/sha256.ipp>
#include <yoke/core/impl/text.ipp>
