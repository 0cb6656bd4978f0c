// SPDX-License-Identifier: MIT
// Compiles the bodies of the CUDA port and of what only CUDA has.
#include <yoke/driver/cuda/compiler/impl/build.ipp>
#include <yoke/driver/cuda/compiler/impl/link.ipp>
#include <yoke/driver/cuda/compiler/impl/nvjitlink.ipp>
#include <yoke/driver/cuda/compiler/impl/nvrtc.ipp>
#include <yoke/driver/cuda/impl/context.ipp>
#include <yoke/driver/cuda/impl/device.ipp>
#include <yoke/driver/cuda/impl/device_info.ipp>
#include <yoke/driver/cuda/impl/error.ipp>
#include <yoke/driver/cuda/impl/event.ipp>
#include <yoke/driver/cuda/impl/host_memory.ipp>
#include <yoke/driver/cuda/impl/kernel.ipp>
#include <yoke/driver/cuda/impl/language.ipp>
#include <yoke/driver/cuda/impl/launch.ipp>
#include <yoke/driver/cuda/impl/loader.ipp>
#include <yoke/driver/cuda/impl/managed_memory.ipp>
#include <yoke/driver/cuda/impl/memory.ipp>
#include <yoke/driver/cuda/impl/occupancy.ipp>
#include <yoke/driver/cuda/impl/port.ipp>
#include <yoke/driver/cuda/impl/program.ipp>
#include <yoke/driver/cuda/impl/stream.ipp>

// After the port: its parameters have the names of the roof's types.
#include <yoke/cuda/impl/compile.ipp>
#include <yoke/cuda/impl/compile_to.ipp>
#include <yoke/cuda/impl/context.ipp>
#include <yoke/cuda/impl/device.ipp>
#include <yoke/cuda/impl/global.ipp>
#include <yoke/cuda/impl/kernel_info.ipp>
#include <yoke/cuda/impl/link.ipp>
#include <yoke/cuda/impl/managed_span.ipp>
#include <yoke/cuda/impl/names.ipp>
#include <yoke/cuda/impl/nvcc.ipp>
#include <yoke/cuda/impl/nvrtc.ipp>
#include <yoke/cuda/impl/occupancy.ipp>
#include <yoke/cuda/impl/pointer.ipp>
#include <yoke/cuda/impl/registered_memory.ipp>
#include <yoke/cuda/impl/stream.ipp>
