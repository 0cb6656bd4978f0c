// SPDX-License-Identifier: MIT
// Everything this header of CUDA declares for kernels is there without an include.
