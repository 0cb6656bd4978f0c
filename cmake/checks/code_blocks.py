# SPDX-License-Identifier: MIT
# Catches a code block of the documentation that does not compile, before a reader copies it.
"""usage: code_blocks.py ROOT --compiler=CXX [--include=DIR...] [--page=FILE...]

```cpp            a file as it stands
```cpp fragment   statements inside a function, after docs/preamble.hpp, which declares the names they use
A block that includes VENDOR_HEADERS' key is left out where its header is missing, which is a skip that tests/skips.txt lists.
Other languages are left alone; `docs.kernels` compiles kernels, those in strings and those in blocks (```c dialect).
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import markdown
import precompiled


VENDOR_HEADERS = {"yoke/cuda/interop.hpp": "cuda_bf16.h", "yoke/mpi.hpp": "mpi.h"}


def quoted(path):
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def as_file(block):
    return f'#line {block.line} "{quoted(block.path)}"\n{block.text}'


def as_functions(blocks):
    """All fragments of one page in one file, each in a function of its own, after the preamble and their includes."""
    includes, bodies = [], []
    for number, block in enumerate(blocks):
        includes += re.findall(r"^\s*#\s*include.*$", block.text, re.MULTILINE)
        body = re.sub(r"^\s*#\s*include.*$", "", block.text, flags=re.MULTILINE)
        bodies.append(f'void fragment_{number}() {{\n#line {block.line} "{quoted(block.path)}"\n{body}}}\n')
    return "\n".join(["#include <preamble.hpp>"] + includes + bodies)


def beginnings_of(texts):
    """For each text the headers at its top that are worth precompiling: those that several others begin with, too."""
    runs = [precompiled.beginning(text, r"yoke/[^>]+|preamble\.hpp") for text in texts]
    counts = collections.Counter(run[:length] for run in runs for length in range(1, len(run) + 1))

    def longest(run, of):
        return next((run[:length] for length in range(len(run), 0, -1) if run[:length] in of), ())

    shared = {run for run, count in counts.items() if count >= 3}
    used = collections.Counter(longest(run, shared) for run in runs)
    shared = {run for run in shared if used[run] >= 3}
    return [longest(run, shared) for run in runs]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("root")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--page", action="append", default=[])
    options = parser.parse_args()
    root = pathlib.Path(options.root)
    pages = [pathlib.Path(page) for page in options.page] or markdown.pages(root)

    def missing(header):
        text = f"#if !__has_include(<{header}>)\n#error\n#endif\n"
        done = subprocess.run([options.compiler, *(f"-I{folder}" for folder in options.include), "-E", "-x", "c++", "-"], input=text, capture_output=True, text=True,
                              check=False)
        return done.returncode != 0

    without = {ours: theirs for ours, theirs in VENDOR_HEADERS.items() if missing(theirs)}

    def takes(block):
        lacking = [theirs for ours, theirs in without.items() if re.search(rf"#\s*include\s*<{re.escape(ours)}>", block.text)]
        for theirs in lacking:
            print(f"YOKE-SKIP: docs.code_blocks : {theirs} is missing")
        return not lacking

    count, texts = 0, []
    for page in pages:
        blocks = [block for block in markdown.read(page)[0] if block.kind.split()[:1] in (["cpp"], ["c++"]) and takes(block)]
        fragments = [block for block in blocks if block.kind.split()[1:] == ["fragment"]]
        count += len(blocks)
        texts += [as_file(block) for block in blocks if block not in fragments]
        texts += [as_functions(fragments)] if fragments else []

    command = [options.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-fdiagnostics-color=never",
               *(f"-I{directory}" for directory in options.include), f"-I{root / 'docs'}"]

    def compile_text(text, begins, place):
        first = precompiled.use(precompiled.stand_in(place, options.compiler, begins)) if begins else []
        done = subprocess.run([*command, "-fsyntax-only", *first, "-x", "c++", "-"], input=text, capture_output=True, text=True,
                              check=False)
        return (done.stderr or f"{options.compiler} ends with {done.returncode}") if done.returncode else ""

    beginnings = beginnings_of(texts)
    with tempfile.TemporaryDirectory() as place, \
            concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        made = pool.map(lambda headers: precompiled.make(command, precompiled.stand_in(place, options.compiler, headers), headers),
                        sorted(set(beginnings) - {()}))
        problems = [output for output in made if output]
        if not problems:
            compiled = pool.map(compile_text, texts, beginnings, [place] * len(texts))
            problems = [output for output in compiled if output]
    print("\n".join(problems + [f"{count} code blocks in {len(texts)} files, {len(problems)} of them wrong"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
