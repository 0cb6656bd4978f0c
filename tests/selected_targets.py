# SPDX-License-Identifier: MIT
# Prints the build's outputs that the tests selected by ctest's arguments run or load, so that nothing else has to be built.
"""usage: selected_targets.py BUILD [CTEST-ARGUMENT...]"""
import json
import pathlib
import re
import subprocess
import sys


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1", *sys.argv[2:]], capture_output=True, text=True,
                            check=False)
    if listed.returncode != 0:
        sys.exit(listed.stdout + listed.stderr)
    tests = json.loads(listed.stdout)["tests"]
    if any(test["name"].startswith("consumers.") for test in tests):  # they take the build as a user would
        print("all")
        return
    outputs = set()
    for line in (build / "build.ninja").read_text(encoding="utf-8").splitlines():
        match = re.match(r"build ((?:[^:$]|\$.)+): \S+(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY)_LINKER", line)
        if match:
            outputs |= set(match[1].split(" | ")[0].split())
    wanted = set()
    for test in tests:
        words = list(test.get("command", []))
        words += [entry for each in test["properties"] if each["name"] == "ENVIRONMENT" for entry in each["value"]]
        for word in words:
            for part in re.split(r"[=;,]", word):
                if part.startswith(f"{build}/"):
                    wanted.add(str(pathlib.Path(part).relative_to(build)))
    # A check of the house may build by itself; what it names beside that is no output.
    print("\n".join(sorted(wanted & outputs)))


if __name__ == "__main__":
    main()
