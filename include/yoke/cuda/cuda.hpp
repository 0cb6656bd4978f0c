// SPDX-License-Identifier: MIT
// CUDA's names: the shared handles over its port, and CUDA's own features.
#ifndef YOKE_CUDA_CUDA_HPP
#define YOKE_CUDA_CUDA_HPP

#include <yoke/cuda/compile/compile.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/compile/global.hpp>
#include <yoke/cuda/compile/nvcc.hpp>
#include <yoke/cuda/compile/nvrtc.hpp>
#include <yoke/cuda/device/context.hpp>
#include <yoke/cuda/device/device.hpp>
#include <yoke/cuda/device/kernel_info.hpp>
#include <yoke/cuda/device/occupancy.hpp>
#include <yoke/cuda/device/peer.hpp>
#include <yoke/cuda/device/profile_scope.hpp>
#include <yoke/cuda/device/shared_native.hpp>
#include <yoke/cuda/device/stream.hpp>
#include <yoke/cuda/memory/address_range.hpp>
#include <yoke/cuda/memory/driver_pool.hpp>
#include <yoke/cuda/memory/file_descriptor.hpp>
#include <yoke/cuda/memory/growing_allocation.hpp>
#include <yoke/cuda/memory/ipc.hpp>
#include <yoke/cuda/memory/managed_advice.hpp>
#include <yoke/cuda/memory/managed_allocation.hpp>
#include <yoke/cuda/memory/managed_span.hpp>
#include <yoke/cuda/memory/memory_mapping.hpp>
#include <yoke/cuda/memory/physical_memory.hpp>
#include <yoke/cuda/memory/pinned_scope.hpp>
#include <yoke/cuda/memory/pitched_allocation.hpp>
#include <yoke/cuda/memory/pointer.hpp>
#include <yoke/cuda/memory/registered_memory.hpp>
#include <yoke/cuda/names.hpp>
#include <yoke/cuda/vector_types.hpp>
#include <yoke/driver/cuda/binary/ptx.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/program/specialise.hpp>

#endif
