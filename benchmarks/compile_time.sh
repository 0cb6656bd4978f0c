#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a file takes to compile that only includes yoke, or OpenCL-CLHPP: medians of interleaved runs, user time.
# With --instructions, how many million instructions the compiler needs for it: Valgrind counts, other work does not matter.
# usage: compile_time.sh [--runs=N] [--instructions]; $CXX alone, or g++ and clang++ where they are
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
runs=9
count_instructions=false
for argument in "$@"; do
  case $argument in
    --runs=*) runs=${argument#--runs=} ;;
    --instructions) count_instructions=true ;;
  esac
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '#include <yoke/yoke.hpp>' >yoke.cpp
printf '#define YOKE_HEADER_ONLY\n#include <yoke/yoke.hpp>\n' >yoke_header_only.cpp
printf '#define CL_HPP_TARGET_OPENCL_VERSION 300\n#include <CL/opencl.hpp>\n' >clhpp.cpp
printf '#define CL_HPP_TARGET_OPENCL_VERSION 300\n#define CL_HPP_ENABLE_EXCEPTIONS\n#include <CL/opencl.hpp>\n' >clhpp_exceptions.cpp
names=(yoke yoke_header_only clhpp clhpp_exceptions)

compilers=()
for compiler in ${CXX:-g++ clang++}; do
  if command -v "$compiler" >/dev/null; then compilers+=("$compiler"); fi
done

if $count_instructions; then
  command -v valgrind >/dev/null || { echo "compile_time.sh: --instructions needs valgrind" >&2; exit 1; }
  for compiler in "${compilers[@]}"; do
    echo "$("$compiler" --version | head -n 1): $compiler -std=c++20 -O2 -S, million instructions"
    for name in "${names[@]}"; do
      # Of the processes that a compiler starts, the one that reads the headers has by far the most.
      valgrind --trace-children=yes --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
        "$compiler" -std=c++20 -O2 -I"$root/include" -S "$name.cpp" -o out.s 2>&1 |
        awk -v name="$name" '/I +refs:/ { gsub(",", "", $NF); if ($NF + 0 > most) most = $NF + 0 }
          END { if (!most) exit 1; printf "  %-18s %d\n", name, most / 1e6 }'
    done
  done
  exit 0
fi

TIMEFORMAT=%U
for compiler in "${compilers[@]}"; do
  for ((run = 0; run <= runs; ++run)); do # the first one warms the files up
    for name in "${names[@]}"; do
      seconds=$({ time "$compiler" -std=c++20 -O2 -I"$root/include" -c "$name.cpp" -o out.o; } 2>&1)
      [ $run -eq 0 ] || echo "$seconds" >>"$compiler.$name"
    done
  done
  echo "$("$compiler" --version | head -n 1): $compiler -std=c++20 -O2 -c, user seconds, median (lowest to highest) of $runs"
  for name in "${names[@]}"; do
    sort -n "$compiler.$name" | awk -v name="$name" '{ t[NR] = $1 }
      END { printf "  %-18s %.2f (%.2f to %.2f)\n", name, t[int((NR + 1) / 2)], t[1], t[NR] }'
  done
done
