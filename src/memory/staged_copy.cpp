// SPDX-License-Identifier: MIT
// Compiles the bodies of staged copies.
#include <yoke/memory/staged_copy.ipp>
