# SPDX-License-Identifier: MIT
# Catches a test program that runs nothing, and a skip that tests/skips.txt does not list.
"""usage: run_test.py --skips FILE [--cuda-simulator LIBRARY] [--skip-code N] -- PROGRAM [ARGUMENT...]
       run_test.py --again FILE

The tests print `YOKE-SKIP: <test name> : <reason>`; FILE lists `<test name> : <reason>`, where * stands for anything.
With --skip-code, a program that skipped ends with that code, so that ctest calls it skipped.
Where the arguments select cases by several files' tags, as in `[#a_test]~[.],[#b_test]~[.]`, each file must have some.
Where there is no CUDA driver and none is named by YOKE_CUDA_DRIVER, the simulator is used.
YOKE_TEST_WITHOUT_TOOLKIT names a file that gets what was skipped for want of a CUDA toolkit; --again runs that, and no skip is
allowed then.
"""
import argparse
import ctypes
import json
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


TOOLKIT = re.compile(r"(.*) : (?:no NVRTC: |no nvJitLink: |no nvcc is installed|no CUDA toolkit's headers|CUDA's headers are not there|cuda_bf16\.h).*")


def note(command, skips, variables):
    """Adds what was skipped for want of a toolkit to the file for --again, with the settings that it ran under."""
    names = sorted({match[1] for match in map(TOOLKIT.fullmatch, skips) if match})
    path = os.environ.get("YOKE_TEST_WITHOUT_TOOLKIT")
    if not names or not path:
        return
    if "-#" in command:  # Catch2's words have a meaning in names
        command = [*command[:command.index("-#")], ",".join(re.sub(r'([\\,\[\]"~*])', r"\\\1", name) for name in names)]
    settings = {name: value for name, value in variables.items() if name.startswith(("YOKE_", "POCL_", "OCL_"))}
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps({"command": command, "settings": settings}) + "\n")


def again(path):
    """Runs what was noted. Returns: the exit code."""
    with open(path, encoding="utf-8") as file:
        noted = [json.loads(line) for line in file]
    problems = []
    for each in noted:
        done = subprocess.run(each["command"], capture_output=True, text=True, errors="replace", check=False,
                              env={**os.environ, **each["settings"]})
        sys.stdout.write(done.stdout + done.stderr)
        skips = [line for line in done.stdout.splitlines() if line.startswith("YOKE-SKIP:") and TOOLKIT.fullmatch(line)]
        if done.returncode != 0 or skips or "No test cases matched" in done.stdout:
            problems.append(" ".join(each["command"]))
    print("\n".join(problems + [f"{len(noted)} runs that wanted a CUDA toolkit, {len(problems)} problems"]))
    return 1 if problems or not noted else 0


def main():
    if sys.argv[1:2] == ["--again"]:
        return again(sys.argv[2])
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--skips", required=True)
    parser.add_argument("--cuda-simulator", default="")
    parser.add_argument("--skip-code", type=int, default=0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    allowed = listed_skips(options.skips)

    variables = environment(options.cuda_simulator)
    without_cases = files_without_cases(options.command, variables)
    skips, unlisted, ran_nothing = [], [], False
    with subprocess.Popen(options.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables) as process:
        for raw in process.stdout:
            line = raw.decode("utf-8", "replace")
            sys.stdout.write(line)
            sys.stdout.flush()
            if line.startswith("YOKE-SKIP:"):
                skip = line.removeprefix("YOKE-SKIP:").strip()
                skips.append(skip)
                if not any(pattern.fullmatch(skip) for pattern in allowed):
                    unlisted.append(skip)
            ran_nothing = ran_nothing or line.startswith(("No test cases matched", "No tests ran"))
    note(options.command, skips, variables)
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
    return options.skip_code if skips else 0


if __name__ == "__main__":
    sys.exit(main())
