// SPDX-License-Identifier: MIT
// Operations of CUDA's streams on words of memory; opt-in, because most programs do not use them.
#ifndef YOKE_CUDA_MEM_OP_HPP
#define YOKE_CUDA_MEM_OP_HPP

#include <yoke/cuda/device/mem_op.hpp>

#endif
