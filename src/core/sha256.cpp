// SPDX-License-Identifier: MIT
// The library's part for digests.
#include <yoke/core/impl/sha256.ipp>
