#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Instructions of one launch outside the driver, counted by callgrind: the same figures on every run.
# usage: instructions.sh PROGRAM, the built benchmarks/instructions.cpp; without valgrind it says so and ends well
set -euo pipefail
program=$(readlink -f "$1")
command -v valgrind >/dev/null || {
  echo "instructions: valgrind is not installed"
  exit 0
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count() { # count KIND ARGUMENTS LAUNCHES
  valgrind --tool=callgrind --toggle-collect=yoke_measured --callgrind-out-file="$folder/out" \
    "$program" "$1" "$2" "$3" >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
  }
  sed -n 's/^.*Collected : //p' "$folder/log"
}

printf '%-10s %6s %6s %9s   (instructions of one launch; the driver returns at once)\n' arguments raw yoke any_port
for arguments in 0 1 8; do
  printf '%-10s' "$arguments"
  for kind in raw yoke any; do
    printf ' %6s' $(($(count $kind "$arguments" 10000) / 10000))
  done
  printf '\n'
done
