# SPDX-License-Identifier: MIT
# Ranks of MPI that are killed, stopped, late, or throw: the job ends soon, with an error that says why, and never hangs.
"""usage: failing_ranks.py [--seconds N] -- LAUNCHER [FLAG...] PROGRAM"""
import argparse
import concurrent.futures
import os
import signal
import subprocess
import sys
import time

# How a rank fails, when; whether the job succeeds, None for either; words that it has to print, one of each group.
CASES = [
    ("none", "", True, [["done"]]),
    ("late", "", True, [["done"]]),
    ("too_late", "", False, [["has not ended within 3 s"], ["another rank is late or has ended"], ["ends the job"]]),
    ("too_late_once", "", True, [["caught: all_reduce of 1 int has not ended within 500 ms"], ["done"]]),
    ("killed", "before", False, [["killed", "signal 9", "KILLED", "Killed"]]),
    ("killed", "between", False, [["killed", "signal 9", "KILLED", "Killed"]]),
    ("killed", "in_flight", False, [["killed", "signal 9", "KILLED", "Killed"]]),
    ("stopped", "between", False, [["has not ended within 3 s"], ["ends the job"]]),
    ("exits", "between", False, [[]]),
    ("leaves", "between", None, [[]]),  # MPICH takes this for a success
    ("throws", "before", False, [["yoke: rank 1 of "], ["ends the job: the model has no weights"]]),
    ("throws", "between", False, [["yoke: rank 1 of "], ["ends the job: the model has no weights"]]),
    ("throws", "in_flight", False, [["yoke: rank 1 of "], ["ends the job: the model has no weights"]]),
    ("throws", "caught", False, [["caught: the model has no weights", "has not ended within 3 s"]]),
    ("mismatched", "", False, [["does not match the other ranks: rank"], ["ends the job"]]),
    ("mismatched", "debug", False, [["does not match the other ranks: rank"], ["ends the job"]]),
]


def run(command, seconds):
    """Returns: the code, what was printed, the seconds; the code is None for a job that does not end."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True) as job:
        try:
            said, _ = job.communicate(timeout=seconds)
            code = job.returncode
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            said, _ = job.communicate()
            code = None
    return code, said, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    problems = 0
    # They wait more than they work.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        ran = list(pool.map(lambda case: run([*options.command, case[0], *([case[1]] if case[1] else [])], options.seconds), CASES))
    for (how, when, succeeds, words), (code, said, seconds) in zip(CASES, ran):
        wrong = []
        if code is None:
            wrong.append(f"the job has not ended after {options.seconds:g} s")
        elif succeeds is not None and (code == 0) != succeeds:
            wrong.append(f"the job ended with {code}")
        wrong += [f"nothing said {' or '.join(group)}" for group in words if group and not any(word in said for word in group)]
        print(f"{how} {when}: {seconds:.1f} s, code {code}{''.join('; ' + each for each in wrong)}")
        if wrong:
            problems += 1
            print("\n".join(line[:300] for line in said.splitlines()))
    print(f"{len(CASES)} jobs, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
