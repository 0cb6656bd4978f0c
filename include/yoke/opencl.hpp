// SPDX-License-Identifier: MIT
// The umbrella for programs that use only OpenCL.
#ifndef YOKE_OPENCL_HPP
#define YOKE_OPENCL_HPP

#include <yoke/opencl/opencl.hpp>

#endif
