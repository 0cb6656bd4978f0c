// SPDX-License-Identifier: MIT
// The library's part for digests.
#include <yoke/core/sha256.ipp>
