#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of own kernels on a processor beside OpenBLAS, FFTW, LAPACK and SciPy: benchmarks/linalg/processors.sh [LOG2 OF SIDE] [ROUNDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake -S . -B build/bench_linalg -DCMAKE_BUILD_TYPE=Release -DYOKE_BUILD_BENCHMARKS=ON -DYOKE_DEVELOP=OFF >build/bench_linalg.log
cmake --build build/bench_linalg --parallel --target yoke_bench_processors >>build/bench_linalg.log
YOKE_DEVICE="${YOKE_DEVICE:-opencl:cpu}" build/bench_linalg/bin/yoke_bench_processors "$@"
"${PYTHON:-python3}" benchmarks/linalg/processors.py "$@"
