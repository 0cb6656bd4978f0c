// SPDX-License-Identifier: MIT
// The library's part for files.
#include <yoke/core/impl/file.ipp>
#include <yoke/core/impl/file_functions.ipp>
