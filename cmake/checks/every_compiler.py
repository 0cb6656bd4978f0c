# SPDX-License-Identifier: MIT
# Catches a program that works by one compiler alone: builds it by each, not optimised, with the library as it is, and runs it.
"""usage: every_compiler.py PROGRAM.cpp --compiler=CXX... [--include=DIR...] [--link=WORD...]"""
import argparse
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--link", action="append", default=[])
    options = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as place:
        for number, compiler in enumerate(options.compiler):
            output = pathlib.Path(place) / f"program_{number}"
            command = [compiler, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", *(f"-I{each}" for each in options.include),
                       str(options.program), "-o", str(output), *options.link]
            built = subprocess.run(command, check=False)
            if built.returncode != 0 or subprocess.run([str(output)], check=False).returncode != 0:
                failed.append(compiler)
    print(f"{options.program.name}: {len(options.compiler)} compilers, {len(failed)} problems {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
