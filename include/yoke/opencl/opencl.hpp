// SPDX-License-Identifier: MIT
// OpenCL's names: the shared handles over its port, and OpenCL's own features.
#ifndef YOKE_OPENCL_OPENCL_HPP
#define YOKE_OPENCL_OPENCL_HPP

#include <yoke/opencl/compile/compiler.hpp>
#include <yoke/opencl/device/characterize.hpp>
#include <yoke/opencl/device/device.hpp>
#include <yoke/opencl/device/user_event.hpp>
#include <yoke/opencl/memory/buffer.hpp>
#include <yoke/opencl/memory/map.hpp>
#include <yoke/opencl/memory/mapped_scope.hpp>
#include <yoke/opencl/memory/peer_copy.hpp>
#include <yoke/opencl/memory/pipe.hpp>
#include <yoke/opencl/memory/sub_buffer.hpp>
#include <yoke/opencl/memory/svm.hpp>
#include <yoke/opencl/memory/svm_buffer.hpp>
#include <yoke/opencl/memory/svm_span.hpp>
#include <yoke/opencl/names.hpp>
#include <yoke/opencl/vector_types.hpp>

#endif
