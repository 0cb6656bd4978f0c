// SPDX-License-Identifier: MIT
// OpenCL's names: the shared handles over its port, and OpenCL's own features.
#ifndef YOKE_OPENCL_OPENCL_HPP
#define YOKE_OPENCL_OPENCL_HPP

#include <yoke/opencl/buffer.hpp>
#include <yoke/opencl/characterize.hpp>
#include <yoke/opencl/compiler.hpp>
#include <yoke/opencl/device.hpp>
#include <yoke/opencl/map.hpp>
#include <yoke/opencl/mapped_scope.hpp>
#include <yoke/opencl/names.hpp>
#include <yoke/opencl/peer_copy.hpp>
#include <yoke/opencl/pipe.hpp>
#include <yoke/opencl/sub_buffer.hpp>
#include <yoke/opencl/svm.hpp>
#include <yoke/opencl/svm_buffer.hpp>
#include <yoke/opencl/svm_span.hpp>
#include <yoke/opencl/user_event.hpp>
#include <yoke/opencl/vector_types.hpp>

#endif
