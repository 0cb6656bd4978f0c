// SPDX-License-Identifier: MIT
// The library's part for arguments that are objects: in a unit of its own, so that programs without them have none of it.
#include <yoke/program/kernel/object_argument.ipp>
