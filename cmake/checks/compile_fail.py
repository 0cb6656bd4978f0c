# SPDX-License-Identifier: MIT
# Compiles a rejected program and its good twin: the twin must pass, the program must fail for the reason it states.
"""usage: compile_fail.py --compiler=CXX... [--include=DIR...] FILE

FILE states, in the comment lines at its top, what the compilers say when YOKE_BAD is defined:
    // expect: REGEX              one variant, under `#ifdef YOKE_BAD`
    // expect 2: REGEX            variant 2, under `#if YOKE_BAD == 2`
Without YOKE_BAD it must compile. The expression is searched in the first error line, so that this line is the one that
explains; `expect anywhere:` or `expect 2 anywhere:` searches all the output.
"""
import argparse
import re
import subprocess
import sys

STATEMENT = re.compile(r"//\s*expect(?:\s+(?P<variant>\d+))?(?P<anywhere>\s+anywhere)?:\s*(?P<pattern>.+)")


def stated(path):
    """The variants of a file: (value of YOKE_BAD, expression, whether to search everywhere)."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("//") and line.strip():
                break
            match = STATEMENT.match(line)
            if match:
                found.append((int(match["variant"] or 1), re.compile(match["pattern"].strip()), bool(match["anywhere"])))
    return found


def compile_once(compiler, includes, path, defines):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-fdiagnostics-color=never"]
    command += [f"-I{directory}" for directory in includes] + [f"-D{define}" for define in defines] + [path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("file")
    options = parser.parse_args()

    variants = stated(options.file)
    if not variants:
        print(f"{options.file} states no expectation")
        return 1
    failures = []
    for compiler in options.compiler:
        good, output = compile_once(compiler, options.include, options.file, [])
        if not good:
            failures.append(f"{compiler}: the good twin did not compile:\n{output}")
            continue
        for value, pattern, anywhere in variants:
            good, output = compile_once(compiler, options.include, options.file, [f"YOKE_BAD={value}"])
            errors = [line for line in output.splitlines() if re.search(r"\berror: ", line)]
            where = output if anywhere else (errors[0] if errors else "")
            if good:
                failures.append(f"{compiler}: the bad twin compiled (YOKE_BAD={value})")
            elif not pattern.search(where):
                failures.append(
                    f"{compiler}: YOKE_BAD={value} failed for another reason than /{pattern.pattern}/:\n{output[:4000]}")
    for failure in failures:
        print(failure)
    if not failures:
        print(f"ok: {len(variants)} rejected, {len(options.compiler)} compilers")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
