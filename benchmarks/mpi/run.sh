#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of messages between two ranks of MPI: benchmarks/mpi/run.sh [LOG2 OF MOST BYTES] [ROUNDS] [DEVICE]. MPICXX and MPIEXEC name another MPI than the first of the path.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p build
cmake -S . -B build/bench_mpi -DCMAKE_BUILD_TYPE=Release -DYOKE_BUILD_TESTS=OFF -DYOKE_BUILD_EXAMPLES=OFF -DYOKE_BUILD_TOOLS=OFF -DYOKE_DEVELOP=OFF >build/bench_mpi.log
cmake --build build/bench_mpi --parallel --target yoke_core >>build/bench_mpi.log
"${MPICXX:-mpicxx}" -std=c++20 -O2 -Iinclude benchmarks/mpi/mpi.cpp "$(find build/bench_mpi -name 'libyoke.a' -o -name 'libyoke.so' | head -n 1)" \
  -Wl,-rpath,"$PWD/build/bench_mpi/src" -ldl -pthread -o build/bench_mpi/yoke_bench_mpi
POCL_MAX_PTHREAD_COUNT=${POCL_MAX_PTHREAD_COUNT:-1} "${MPIEXEC:-mpiexec}" -n 2 build/bench_mpi/yoke_bench_mpi "$@"
