// SPDX-License-Identifier: MIT
// The library's part for structs that host and kernels share.
#include <yoke/language/device_words.ipp>
#include <yoke/program/structs/device_struct.ipp>
#include <yoke/program/structs/linked_structs.ipp>
#include <yoke/program/structs/struct_record.ipp>
