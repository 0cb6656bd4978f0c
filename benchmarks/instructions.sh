#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Counts the instructions of launches, records and waits outside the driver with callgrind: the same figures on every run.
# usage: instructions.sh PROGRAM [--cuda-driver FILE] [--budgets FILE] [--backend NAME]
#   PROGRAM is the built benchmarks/instructions.cpp. With budgets it fails when an operation adds more to the raw calls than
#   the file allows. Without valgrind it says so and ends with 77.
set -euo pipefail
program=$(readlink -f "$1")
shift
budgets=
backends="opencl cuda"
while [ $# -gt 0 ]; do
  case $1 in
    --cuda-driver) export YOKE_CUDA_DRIVER=$2 ;;
    --budgets) budgets=$(readlink -f "$2") ;;
    --backend) backends=$2 ;;
    *) echo "instructions: unknown option $1" >&2 && exit 2 ;;
  esac
  shift 2
done
command -v valgrind >/dev/null || {
  echo "instructions: valgrind is not installed"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for backend in $backends; do
  # PoCL's compiler runs in this process, and in its cache are programs for the processor that valgrind shows: it is filled by
  # the tool that counts nothing, which takes a quarter of the time. What fails here fails below.
  [ "$backend" != opencl ] || valgrind --tool=none "$program" "$backend" >"$folder/operations" 2>"$folder/log" || true
  # Each operation is run a thousand times in one call of yoke_measured, behind which the count is written.
  valgrind --tool=callgrind --toggle-collect=yoke_measured --dump-after=yoke_measured \
    --callgrind-out-file="$folder/$backend" "$program" "$backend" >"$folder/operations" 2>"$folder/log" || {
    cat "$folder/log" >&2
    exit 1
  }
  number=0
  while read -r operation; do
    number=$((number + 1))
    count=$(sed -n 's/^\(summary\|totals\): //p' "$folder/$backend.$number" | head -n 1)
    echo "$operation $((count / 1000))"
  done <"$folder/operations"
done >"$folder/counts"

awk -v budgets="$budgets" '
  BEGIN {
    while (budgets != "" && (getline line < budgets) > 0) {
      if (line ~ /^#/ || line ~ /^[ \t]*$/) continue
      split(line, word, /[ \t]+/)
      budget[word[1] " " word[2] " " word[3]] = word[4]
    }
    printf "%-8s %-20s %6s %6s %6s %6s %6s   (instructions; the driver returns at once)\n",
           "backend", "operation", "raw", "yoke", "added", "any", "added"
  }
  { count[$1 " " $2 " " $3] = $4 }
  $2 == "raw" { order[++rows] = $1 " " $3 }
  END {
    for (i = 1; i <= rows; ++i) {
      split(order[i], word, " ")
      raw = count[word[1] " raw " word[2]]
      yoke = count[word[1] " yoke " word[2]]
      any = count[word[1] " any " word[2]]
      printf "%-8s %-20s %6d %6d %6d %6d %6d\n", word[1], word[2], raw, yoke, yoke - raw, any, any - raw
      if (budgets == "") continue
      for (k = 1; k <= 2; ++k) {
        kind = k == 1 ? "yoke" : "any"
        name = word[1] " " kind " " word[2]
        added = (k == 1 ? yoke : any) - raw
        if (!(name in budget)) { print "no budget for " name; failed = 1 }
        else if (added > budget[name] + 0) {
          print name " adds " added " instructions to the raw calls, more than the " budget[name] " that it may"
          failed = 1
        }
      }
    }
    if (rows == 0) { print "nothing was counted"; failed = 1 }
    exit failed
  }' "$folder/counts"
