# SPDX-License-Identifier: MIT
# Holds the promise that <yoke/yoke.hpp> costs a compiler less than <CL/opencl.hpp>: instructions, which do not vary.
"""usage: compile_cost.py INCLUDE_DIR --compiler=CXX..."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = {
    "<yoke/yoke.hpp>": "#include <yoke/yoke.hpp>\n",
    "<CL/opencl.hpp>": "#define CL_HPP_TARGET_OPENCL_VERSION 300\n#include <CL/opencl.hpp>\n",
}


def millions(compiler, include_dir, text):
    """How many million instructions reading the text takes. None: it cannot be compiled, or not be counted."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "source.cpp")
        source.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["valgrind", "--trace-children=yes", "--tool=cachegrind", "--cache-sim=no",
             "--cachegrind-out-file=/dev/null", compiler, "-std=c++20", f"-I{include_dir}", "-fsyntax-only", source],
            capture_output=True, text=True, check=False)
    # Of the processes that a compiler starts, the one that reads the headers has by far the most.
    counts = [int(each.replace(",", "")) for each in re.findall(r"I +refs: +([\d,]+)", done.stderr)]
    return max(counts) // 10**6 if done.returncode == 0 and counts else None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("include_dir")
    parser.add_argument("--compiler", action="append", required=True)
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("not counted: there is no valgrind")
        return 77
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for compiler in options.compiler:
            ours, theirs = pool.map(lambda text: millions(compiler, options.include_dir, text), SOURCES.values())
            print(f"{compiler}: million instructions: <yoke/yoke.hpp> {ours}, <CL/opencl.hpp> {theirs}")
            if theirs is None:
                print(f"{compiler}: left out: <CL/opencl.hpp> cannot be compiled")
            elif ours is None or ours >= theirs:
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
