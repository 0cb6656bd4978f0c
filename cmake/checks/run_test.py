# SPDX-License-Identifier: MIT
# Runs one test program and fails, too, when it ran nothing or skipped a test that tests/skips.txt does not list.
"""usage: run_test.py --skips FILE [--cuda-simulator LIBRARY] [--skip-code N] -- PROGRAM [ARGUMENT...]

The tests print `YOKE-SKIP: <test name> : <reason>`; FILE lists `<test name> : <reason>`, where * stands for anything.
With --skip-code, a program that skipped ends with that code, so that ctest calls it skipped.
Where the arguments select cases by several files' tags, as in `[#a_test]~[.],[#b_test]~[.]`, each file must have some.
Where there is no CUDA driver and none is named by YOKE_CUDA_DRIVER, the simulator is used.
"""
import argparse
import ctypes
import os
import re
import subprocess
import sys


def listed_skips(path):
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file]
    except FileNotFoundError:
        return []
    lines = [line for line in lines if line and not line.startswith("#")]
    for line in lines:
        if " : " not in line:
            sys.exit(f"{path}: not `<test name> : <reason>`: {line}")
    return [re.compile(".*".join(re.escape(part) for part in line.split("*"))) for line in lines]


def has_cuda_driver():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def environment(simulator):
    variables = dict(os.environ)
    if simulator and "YOKE_CUDA_DRIVER" not in variables and not has_cuda_driver():
        variables["YOKE_CUDA_DRIVER"] = simulator
    return variables


def files_without_cases(command, variables):
    """Those of several files in the selection of Catch2 that have no case to run; of one file it says so itself."""
    files = re.findall(r"\[#\w+\]", command[-1])
    if len(files) < 2:
        return []
    listed = subprocess.run([*command, "--list-tests"], capture_output=True, text=True, check=False, env=variables).stdout
    return [file for file in files if file not in listed]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--skips", required=True)
    parser.add_argument("--cuda-simulator", default="")
    parser.add_argument("--skip-code", type=int, default=0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    allowed = listed_skips(options.skips)

    variables = environment(options.cuda_simulator)
    without_cases = files_without_cases(options.command, variables)
    skipped, unlisted, ran_nothing = False, [], False
    with subprocess.Popen(options.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables) as process:
        for raw in process.stdout:
            line = raw.decode("utf-8", "replace")
            sys.stdout.write(line)
            sys.stdout.flush()
            if line.startswith("YOKE-SKIP:"):
                skip = line.removeprefix("YOKE-SKIP:").strip()
                skipped = True
                if not any(pattern.fullmatch(skip) for pattern in allowed):
                    unlisted.append(skip)
            ran_nothing = ran_nothing or line.startswith(("No test cases matched", "No tests ran"))
    for skip in sorted(set(unlisted)):
        print(f"skipped, but not listed in {options.skips}: {skip}")
    if ran_nothing:
        print("no test ran")
    for file in without_cases:
        print(f"no test of {file} ran")
    if process.returncode < 0:
        print(f"ended by signal {-process.returncode}")
    if process.returncode != 0 or unlisted or ran_nothing or without_cases:
        return 1
    return options.skip_code if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
