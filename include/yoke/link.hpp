// SPDX-License-Identifier: MIT
// The umbrella for programs of several parts: sources, images and libraries that are linked, on OpenCL and on CUDA.
#ifndef YOKE_LINK_HPP
#define YOKE_LINK_HPP

#include <yoke/cuda/compile/link.hpp>
#include <yoke/opencl/compile/link.hpp>

#endif
