# SPDX-License-Identifier: MIT
# What the checks' own tests share: a small tree without a fault, on which the check says nothing, and one for each fault.
import pathlib
import subprocess
import sys
import tempfile


def report(check, files, arguments):
    """Returns: the status and the output of the script `check` on a tree of these files; `arguments(root)` are its own."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        script = pathlib.Path(__file__).with_name(check)
        done = subprocess.run([sys.executable, script, *arguments(root)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def run(check, good, good_runs, faults):
    """`good_runs` are pairs of arguments and what the report has to say of the tree `good`; `faults` are arguments, the file
    that is changed, its text, what the report has to say. Returns: the exit status of the test."""
    wrong = 0
    for arguments, message in good_runs:
        code, output = report(check, good, arguments)
        if code != 0 or message not in output:
            wrong += 1
            print(f"{' '.join(arguments('.'))}: {check} complains about a good tree:\n{output}")
    for arguments, name, text, message in faults:
        code, output = report(check, {**good, name: text}, arguments)
        if code != 1 or message not in output:
            wrong += 1
            print(f"{' '.join(arguments('.'))}: {check} does not say `{message}` of {name}:\n{output}")
    print(f"{len(faults)} faults, {wrong} not seen as they should be")
    return 1 if wrong else 0
