// SPDX-License-Identifier: MIT
// CUDA's names: the shared handles over its port, and CUDA's own features.
#ifndef YOKE_CUDA_CUDA_HPP
#define YOKE_CUDA_CUDA_HPP

#include <yoke/cuda/address_range.hpp>
#include <yoke/cuda/compile.hpp>
#include <yoke/cuda/compile_to.hpp>
#include <yoke/cuda/context.hpp>
#include <yoke/cuda/device.hpp>
#include <yoke/cuda/driver_pool.hpp>
#include <yoke/cuda/file_descriptor.hpp>
#include <yoke/cuda/global.hpp>
#include <yoke/cuda/growing_allocation.hpp>
#include <yoke/cuda/ipc.hpp>
#include <yoke/cuda/kernel_info.hpp>
#include <yoke/cuda/managed_advice.hpp>
#include <yoke/cuda/managed_allocation.hpp>
#include <yoke/cuda/managed_span.hpp>
#include <yoke/cuda/memory_mapping.hpp>
#include <yoke/cuda/names.hpp>
#include <yoke/cuda/nvcc.hpp>
#include <yoke/cuda/nvrtc.hpp>
#include <yoke/cuda/occupancy.hpp>
#include <yoke/cuda/peer.hpp>
#include <yoke/cuda/physical_memory.hpp>
#include <yoke/cuda/pinned_scope.hpp>
#include <yoke/cuda/pitched_allocation.hpp>
#include <yoke/cuda/pointer.hpp>
#include <yoke/cuda/profile_scope.hpp>
#include <yoke/cuda/registered_memory.hpp>
#include <yoke/cuda/shared_native.hpp>
#include <yoke/cuda/stream.hpp>
#include <yoke/cuda/vector_types.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/image/ptx.hpp>
#include <yoke/program/specialise.hpp>

#endif
