#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of arrays beside the device copy, CUB, SciPy, CuPy and PyTorch, where they are: benchmarks/arrays/run.sh [LOG2 OF ELEMENTS] [ROUNDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake -S . -B build/bench_arrays -DCMAKE_BUILD_TYPE=Release -DYOKE_BUILD_BENCHMARKS=ON -DYOKE_DEVELOP=OFF >build/bench_arrays.log
cmake --build build/bench_arrays --parallel --target yoke_bench_arrays >>build/bench_arrays.log
build/bench_arrays/bin/yoke_bench_arrays "$@" || exit
PATH=$PATH:/usr/local/cuda/bin
if command -v nvcc >/dev/null; then
  nvcc -O3 -std=c++20 -arch=native benchmarks/arrays/cub.cu -o build/bench_arrays/cub && build/bench_arrays/cub "$@"
fi
if python3 -c 'import scipy' 2>/dev/null; then python3 benchmarks/arrays/scipy_rows.py "$@"; fi
if python3 -c 'import cupy' 2>/dev/null; then python3 benchmarks/arrays/cupy_rows.py "$@"; fi
if python3 -c 'import torch' 2>/dev/null; then python3 benchmarks/arrays/torch_rows.py "$@"; fi
