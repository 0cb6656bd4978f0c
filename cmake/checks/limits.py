#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Holds the benchmarks and their page to a size that a person reads.
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
words = len((root / "docs/performance.md").read_text().split())
files = [each for each in (root / "benchmarks").rglob("*") if each.is_file() and "__pycache__" not in each.parts]
lines = sum(len(each.read_text().splitlines()) for each in files)
print(f"docs/performance.md has {words} words of at most 1500, benchmarks/ {lines} lines of at most 4000")
sys.exit(words > 1500 or lines > 4000)
