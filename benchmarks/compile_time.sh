#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a file takes to compile that only includes yoke, or OpenCL-CLHPP: medians of interleaved runs, user time.
# usage: compile_time.sh [--runs=N]; $CXX alone, or g++ and clang++ where they are; other arguments are left alone
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
runs=9
for argument in "$@"; do
  case $argument in --runs=*) runs=${argument#--runs=} ;; esac
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
