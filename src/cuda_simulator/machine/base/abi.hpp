// SPDX-License-Identifier: MIT
// The library's own declarations of the driver's binary interface, under a short name.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_ABI_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_ABI_HPP

#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/cuda/abi/abi_graphs.hpp>
#include <yoke/driver/cuda/abi/abi_images.hpp>
#include <yoke/driver/cuda/abi/abi_memory.hpp>
#include <yoke/driver/cuda/abi/status_codes.hpp>

namespace yoke::simulator {

namespace abi = yoke::cuda::abi;

}  // namespace yoke::simulator

#endif
