// SPDX-License-Identifier: MIT
// The library's part for operations of CUDA's streams on words of memory.
#include <yoke/cuda/device/mem_op.ipp>
