// SPDX-License-Identifier: MIT
// The library's part for headers as texts.
#include <yoke/program/source/embedded_header.ipp>
