// SPDX-License-Identifier: MIT
// The library's part for tensor maps.
#include <yoke/cuda/impl/tensor_map.ipp>
#include <yoke/driver/cuda/impl/tensor_map.ipp>
