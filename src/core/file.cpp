// SPDX-License-Identifier: MIT
// The library's part for files.
#include <yoke/core/file.ipp>
#include <yoke/core/file_functions.ipp>
