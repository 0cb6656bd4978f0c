#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of products and transforms beside the vendor's calls and Python's libraries: benchmarks/linalg/run.sh [LOG2 OF SIDE] [ROUNDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake -S . -B build/bench_linalg -DCMAKE_BUILD_TYPE=Release -DYOKE_BUILD_BENCHMARKS=ON -DYOKE_DEVELOP=OFF >build/bench_linalg.log
cmake --build build/bench_linalg --parallel --target yoke_bench_linalg >>build/bench_linalg.log
build/bench_linalg/bin/yoke_bench_linalg "$@" || exit
python3 benchmarks/linalg/python_rows.py "$@"
