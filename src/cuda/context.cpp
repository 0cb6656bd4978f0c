// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's contexts have.
#include <yoke/driver/cuda/context_options.ipp>
#include <yoke/cuda/device/context.ipp>
