#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of pools: yoke's beside the driver's, then those of Python's libraries: benchmarks/pools/run.sh [SECONDS FOR EACH FIGURE]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p build
cmake -S . -B build/bench_pools -DCMAKE_BUILD_TYPE=Release -DYOKE_BUILD_BENCHMARKS=ON -DYOKE_DEVELOP=OFF >build/bench_pools.log
cmake --build build/bench_pools --parallel --target yoke_bench_pools >>build/bench_pools.log
build/bench_pools/bin/yoke_bench_pools "$@"
python3 benchmarks/pools/pools.py
