# SPDX-License-Identifier: MIT
# Holds what the umbrellas cost a compiler below parts of what <CL/opencl.hpp> does: instructions, which do not vary.
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

YARDSTICK = "#define CL_HPP_TARGET_OPENCL_VERSION 300\n#include <CL/opencl.hpp>\n"
# The part of <CL/opencl.hpp>, counted with the same compiler and C++ library, that each umbrella may cost. For
# <yoke/cuda.hpp> a third of cuda-api-wrappers is 0.545 (1.8 s against 1.1 s), of which the C++ library's headers alone take
# 0.36. It takes 0.532 with GCC 12, and 0.583 with Clang 14, to which <CL/opencl.hpp> costs less.
CUDA_PART = {"gcc": 0.545, "clang": 0.60}


def budgets(compiler):
    return {"yoke/yoke.hpp": 1.0, "yoke/cuda.hpp": CUDA_PART["clang" if "clang" in compiler else "gcc"]}


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
            limits = budgets(compiler)
            texts = [YARDSTICK] + [f"#include <{header}>\n" for header in limits]
            theirs, *ours = pool.map(lambda text: millions(compiler, options.include_dir, text), texts)
            if theirs is None:
                print(f"{compiler}: left out: <CL/opencl.hpp> cannot be compiled")
                continue
            for (header, part), count in zip(limits.items(), ours):
                most = int(theirs * part)
                print(f"{compiler}: million instructions: <{header}> {count}, of {most}: {part} of <CL/opencl.hpp>'s {theirs}")
                if count is None or count >= most:
                    print(f"{compiler}: <{header}> costs too much, or cannot be compiled")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
