// SPDX-License-Identifier: MIT
// Compiles the bodies of floor 4.
#include <yoke/program/impl/compile.ipp>
#include <yoke/program/impl/signature.ipp>
