#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Holds the benchmarks, their page and the headers to a size that a person reads.
import pathlib
import statistics
import sys

root = pathlib.Path(sys.argv[1])


def lines(paths):
    return [len(each.read_text().splitlines()) for each in paths if each.is_file() and "__pycache__" not in each.parts]


found = [
    ("words in docs/performance.md", len((root / "docs/performance.md").read_text().split()), 1500),
    ("lines in benchmarks/", sum(lines((root / "benchmarks").rglob("*"))), 4000),
    ("lines in include/yoke/driver/any", sum(lines((root / "include/yoke/driver/any").rglob("*"))), 499),
    ("lines in the median header", int(statistics.median(lines((root / "include").rglob("*.hpp")))), 150),
]
for what, count, most in found:
    print(f"{count} {what}, of at most {most}" + (": TOO MANY" if count > most else ""))
sys.exit(any(count > most for _, count, most in found))
