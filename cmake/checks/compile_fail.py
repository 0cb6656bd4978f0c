# SPDX-License-Identifier: MIT
# Catches a mistake of a user that compiles, or whose message is about something else: a rejected program must fail for the reason
# that it states, and its good twin must pass.
"""usage: compile_fail.py --compiler=CXX... [--include=DIR...] [--precompiled=DIR] [--sampled] FILE
       compile_fail.py --compiler=CXX... [--include=DIR...] --precompile=DIR FILE...

FILE states, in the comment lines at its top, what the compilers say when YOKE_BAD is defined:
    // expect: REGEX              one variant, under `#ifdef YOKE_BAD`
    // expect 2: REGEX            variant 2, under `#if YOKE_BAD == 2`
Without YOKE_BAD it must compile. The expression is searched in the first error line of each compiler, so that this line
is the one that explains.

Nearly all the time goes into reading the headers that FILE begins with, over and over. --precompile has each compiler
read the library's headers at the top of the files once, and keeps what it read in DIR; --precompiled takes it from there. What
a file sees is the same. DIR does not notice that a header has changed: precompile first.

--sampled: of more than three variants the first, the last and every third, unless YOKE_TEST_FAULTS is "all".
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import precompiled

STATEMENT = re.compile(r"//\s*expect(?:\s+(?P<variant>\d+))?:\s*(?P<pattern>.+)")


def stated(path):
    """The variants of a file: (value of YOKE_BAD, expression)."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("//") and line.strip():
                break
            match = STATEMENT.match(line)
            if match:
                found.append((int(match["variant"] or 1), re.compile(match["pattern"].strip())))
    return found


def sample(variants):
    """Those that a sampled run takes."""
    if os.environ.get("YOKE_TEST_FAULTS") == "all":
        return variants
    return [each for at, each in enumerate(variants) if at % 3 == 0 or at == len(variants) - 1]


def first_headers(path):
    return precompiled.beginning(pathlib.Path(path).read_text(encoding="utf-8"))


def command_line(compiler, includes):
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fdiagnostics-color=never"]
    return command + [f"-I{directory}" for directory in includes]


def precompile(options):
    def task(compiler, headers):
        path = precompiled.stand_in(options.precompile, compiler, headers)
        return precompiled.make(command_line(compiler, options.include), path, headers)

    beginnings = sorted({headers for headers in map(first_headers, options.file) if headers})
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        tasks = [pool.submit(task, compiler, headers) for compiler in options.compiler for headers in beginnings]
    problems = [each.result() for each in tasks if each.result()]
    print("\n".join(problems + [f"{len(beginnings)} beginnings, {len(options.compiler)} compilers, {len(problems)} problems"]))
    return 1 if problems or not beginnings else 0


def compile_once(compiler, options, path, defines):
    # Only the first error is looked at.
    command = command_line(compiler, options.include) + ["-fsyntax-only", "-Wfatal-errors"] + [f"-D{define}" for define in defines]
    headers = first_headers(path) if options.precompiled else ()
    if headers:
        command += precompiled.use(precompiled.stand_in(options.precompiled, compiler, headers))
    done = subprocess.run([*command, path], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--precompile")
    parser.add_argument("--precompiled")
    parser.add_argument("--sampled", action="store_true")
    parser.add_argument("file", nargs="+")
    options = parser.parse_args()
    if options.precompile:
        return precompile(options)
    if len(options.file) != 1:
        parser.error("one file is expected")
    file = options.file[0]

    every = stated(file)
    if not every:
        print(f"{file} states no expectation")
        return 1
    variants = sample(every) if options.sampled and len(every) > 3 else every
    failures = []
    for compiler in options.compiler:
        good, output = compile_once(compiler, options, file, [])
        if not good:
            failures.append(f"{compiler}: the good twin did not compile:\n{output}")
            continue
        for value, pattern in variants:
            good, output = compile_once(compiler, options, file, [f"YOKE_BAD={value}"])
            errors = [line for line in output.splitlines() if re.search(r"\berror: ", line)]
            if good:
                failures.append(f"{compiler}: the bad twin compiled (YOKE_BAD={value})")
            elif not errors or not pattern.search(errors[0]):
                failures.append(
                    f"{compiler}: YOKE_BAD={value} failed for another reason than /{pattern.pattern}/:\n{output[:4000]}")
    for failure in failures:
        print(failure)
    if not failures:
        print(f"ok: {len(variants)} of {len(every)} rejected, {len(options.compiler)} compilers")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
