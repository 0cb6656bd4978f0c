// SPDX-License-Identifier: MIT
// The umbrella for programs that use only CUDA.
#ifndef YOKE_CUDA_HPP
#define YOKE_CUDA_HPP

#include <yoke/cuda/cuda.hpp>

#endif
