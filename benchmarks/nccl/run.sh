#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of NCCL's verbs by yoke and by a raw loop, and Python's libraries beside them: benchmarks/nccl/run.sh [LOG2 OF MOST BYTES] [ROUNDS] [GPUS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake -S . -B build/bench_nccl -DCMAKE_BUILD_TYPE=Release -DYOKE_BUILD_BENCHMARKS=ON -DYOKE_DEVELOP=OFF >build/bench_nccl.log
cmake --build build/bench_nccl --parallel --target yoke_bench_nccl >>build/bench_nccl.log
build/bench_nccl/bin/yoke_bench_nccl "$@" || exit
python3 benchmarks/nccl/python_rows.py "$@"
