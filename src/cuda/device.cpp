// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's devices have.
#include <yoke/driver/cuda/impl/pci_bus_id.ipp>

#include <yoke/cuda/impl/device.ipp>
