# SPDX-License-Identifier: MIT
# Shows a developer which lines of the library and the simulator no test has run, by gcov's counters.
"""usage: coverage.py BUILD_DIR [--lines]
BUILD_DIR is a build with the preset `coverage` whose tests have run. --lines lists the lines that did not run, too.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import pathlib
import subprocess
import sys


def lines_of(data, root):
    """How often each line of include/ and src/ ran, as the counters of one object tell."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=data.parent, capture_output=True, check=False)
    counts = collections.Counter()
    text = gzip.decompress(done.stdout) if done.stdout[:2] == b"\x1f\x8b" else done.stdout
    for document in text.splitlines():
        if not document.strip():
            continue
        told = json.loads(document)
        for file in told["files"]:
            path = pathlib.Path(told["current_working_directory"], file["file"]).resolve()
            if not (path.is_relative_to(root / "include") or path.is_relative_to(root / "src")):
                continue
            for line in file["lines"]:
                counts[str(path.relative_to(root)), line["line_number"]] += line["count"]
    return counts


def ranges(numbers):
    """"3-5, 9" of [3, 4, 5, 9]."""
    runs = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--lines", action="store_true")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    total = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for counts in pool.map(lambda data: lines_of(data, root), sorted(options.build.resolve().rglob("*.gcda"))):
            for line, count in counts.items():
                total[line] = total.get(line, 0) + count
    if not total:
        sys.exit(f"{options.build} has no counters: build the preset `coverage`, and run its tests")
    folders = collections.defaultdict(lambda: [0, 0])
    missed = collections.defaultdict(list)
    for (file, number), count in total.items():
        parts = pathlib.PurePath(file).parts[:-1]
        folder = folders["/".join(parts)]
        folder[0] += count != 0
        folder[1] += 1
        if count == 0:
            missed[file].append(number)
    for folder, (ran, all_lines) in sorted(folders.items()):
        print(f"{folder:40} {ran:6} of {all_lines:6} lines {100 * ran / all_lines:6.1f} %")
    ran = sum(count != 0 for count in total.values())
    print(f"{'all':40} {ran:6} of {len(total):6} lines {100 * ran / len(total):6.1f} %")
    if options.lines:
        for file, numbers in sorted(missed.items()):
            print(f"{file}: {ranges(numbers)}")


if __name__ == "__main__":
    main()
