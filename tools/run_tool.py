# SPDX-License-Identifier: MIT
# Runs a tool and compares its exit code and what it prints with what is expected.
"""usage: run_tool.py --returns=CODE [--prints=REGEX...] -- PROGRAM [ARGUMENT...]

The regex `json` means: what stands on the standard output is one JSON document.
"""
import argparse
import json
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--returns", type=int, required=True)
    parser.add_argument("--prints", action="append", default=[])
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    done = subprocess.run(options.command, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    problems = []
    if done.returncode != options.returns:
        problems.append(f"returned {done.returncode}, not {options.returns}")
    for expected in options.prints:
        if expected == "json":
            try:
                json.loads(done.stdout)
            except ValueError as error:
                problems.append(f"not JSON: {error}")
        elif not re.search(expected, done.stdout + done.stderr):
            problems.append(f"does not print {expected}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
