// SPDX-License-Identifier: MIT
// The library's part for tensor maps.
#include <yoke/cuda/tensor/tensor_map.ipp>
#include <yoke/driver/cuda/image/tensor_map.ipp>
