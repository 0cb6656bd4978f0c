// SPDX-License-Identifier: MIT
// Compiles the bodies of staged copies.
#include <yoke/memory/impl/staged_copy.ipp>
