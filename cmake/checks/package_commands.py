# SPDX-License-Identifier: MIT
# Runs every shell command of the page on packages, in a copy of the tree with a home folder of its own.
"""package_commands.py ROOT PLACE"""
import os
import pathlib
import shutil
import subprocess
import sys

import markdown

PARTS = ("CMakeLists.txt", "LICENSE", "conanfile.py", "cmake", "include", "packaging", "src")


def main(root, place):
    root, place = pathlib.Path(root).resolve(), pathlib.Path(place).resolve()
    blocks = [block for block in markdown.read(root / "docs/packages.md")[0] if block.kind == "sh"]
    if len(blocks) < 4:
        print(f"docs/packages.md has {len(blocks)} shell blocks, fewer than channels")
        return 1
    failed = 0
    for block in blocks:
        shutil.rmtree(place, ignore_errors=True)
        tree = place / "yoke"
        tree.mkdir(parents=True)
        for part in PARTS:
            source = root / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, tree / part)
        shutil.copy(root / "tests/consumers/main.cpp", tree / "program.cpp")
        environment = {**os.environ, "HOME": str(place / "home"), "CONAN_HOME": str(place / "conan"),
                       "PATH": f"{root / 'build/pypi/bin'}:{os.environ['PATH']}"}
        (place / "home").mkdir()
        if "conan" in block.text:
            if shutil.which("conan", path=environment["PATH"]) is None:
                print(f"YOKE-SKIP: no conan: {block.path.name}:{block.line}")
                continue
            for setup in (["profile", "detect"], ["remote", "disable", "*"]):
                subprocess.run(["conan", *setup], env=environment, check=True, capture_output=True)
        script = "set -euo pipefail\n" + block.text + "[ ! -e program ] || ./program\n"
        done = subprocess.run(["bash", "-c", script], cwd=tree, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            failed += 1
            print(f"{block.path.name}:{block.line}: fails with {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{len(blocks)} blocks of commands, {failed} of them wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
