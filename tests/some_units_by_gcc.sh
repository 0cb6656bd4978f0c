#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A compiler launcher: where Clang builds, GCC compiles one unit in five, always the same ones, so that every change meets both.
# some_units_by_gcc.sh CLANG ARGUMENT...
set -euo pipefail

# The header has a pragma of Clang's; GCC also notes how it passed structs before 4.4.
arguments=(-Wno-unknown-pragmas -Wno-psabi) output='' is_header=no
for ((i = 2; i <= $#; ++i)); do
  case ${!i} in
  -Xclang | -fpch-instantiate-templates) ;;
  -emit-pch) is_header=yes ;;
  -include-pch) # behind it stands another -Xclang, and Clang's file; GCC finds its own beside the header
    i=$((i + 2))
    ;;
  -o)
    i=$((i + 1)) output=${!i}
    arguments+=(-o "$output")
    ;;
  *) arguments+=("${!i}") ;;
  esac
done

if [ $is_header = yes ]; then
  # One precompiled header for each of them. `-include HEADER` names it, and the source is an empty file.
  header=${output%.pch} words=()
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    case ${arguments[i]} in
    -o | -include | -MT | -MF | -x) i=$((i + 1)) ;;
    -c | -MD | *.hxx.cxx) ;;
    *) words+=("${arguments[i]}") ;;
    esac
  done
  g++ "${words[@]}" -x c++-header -o "$header.gch" -c "$header" &
  "$@"
  wait $!
  exit
fi

number=$(cksum <<<"${output##*/}")
if [ -z "$output" ] || [ $((${number%% *} % 5)) != 0 ]; then exec "$@"; fi
exec g++ "${arguments[@]}"
