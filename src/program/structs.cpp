// SPDX-License-Identifier: MIT
// The library's part for structs that host and kernels share.
#include <yoke/program/structs/impl/device_struct.ipp>
#include <yoke/program/structs/impl/linked_structs.ipp>
#include <yoke/program/structs/impl/struct_record.ipp>
