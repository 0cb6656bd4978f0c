// SPDX-License-Identifier: MIT
// The library's part for signatures of kernels.
#include <yoke/program/kernel/compared_structs.ipp>
#include <yoke/program/kernel/signature.ipp>
