// SPDX-License-Identifier: MIT
// The umbrella for programs that are OpenCL's alone.
#ifndef YOKE_OPENCL_HPP
#define YOKE_OPENCL_HPP

#include <yoke/opencl/opencl.hpp>

#endif
