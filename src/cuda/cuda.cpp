// SPDX-License-Identifier: MIT
// Compiles the bodies of the CUDA tables: loaders, error codes, device attributes.
#include <yoke/driver/cuda/impl/device_info.ipp>
#include <yoke/driver/cuda/impl/error.ipp>
#include <yoke/driver/cuda/impl/loader.ipp>
#include <yoke/driver/cuda/impl/nvrtc_loader.ipp>
