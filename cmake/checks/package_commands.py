# SPDX-License-Identifier: MIT
# Catches a command of the page on packages that fails: runs each in a copy of the tree with a home folder of its own.
"""package_commands.py ROOT PLACE [TEXT]: with TEXT, only blocks that hold it"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import markdown

PARTS = ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "README.md", "conanfile.py", "cmake", "include", "packaging", "src")
# What a block needs beyond compilers and CMake; without it the block is skipped, which is said.
TOOLS = ("conan", "vcpkg", "spack", "dpkg-buildpackage")
ROOT_ONLY = 'if [ "$(id -u)" != 0 ]; then apt-get() { sudo apt-get "$@"; }; fi\n'


def ccache_folder():
    if shutil.which("ccache") is None:
        return {}
    asked = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True, check=False)
    return {"CCACHE_DIR": asked.stdout.strip()} if asked.returncode == 0 else {}


def main(root, place, text=""):
    root, place = pathlib.Path(root).resolve(), pathlib.Path(place).resolve()
    blocks = [block for block in markdown.read(root / "docs/packages.md")[0] if block.kind in ("sh", "bash", "console")]
    problems = [f"{block.path.name}:{block.line}: commands stand in blocks of sh, which are run" for block in blocks
                if block.kind != "sh"]
    for tool in TOOLS:
        if not any(re.search(rf"\b{tool}\b", block.text) for block in blocks):
            problems.append(f"docs/packages.md: no command with {tool}")
    ran = 0
    for block in blocks:
        where = f"{block.path.name}:{block.line}"
        if text not in block.text:
            continue
        shutil.rmtree(place, ignore_errors=True)
        tree = place / "yoke"
        tree.mkdir(parents=True)
        for part in PARTS:
            source = root / part
            if source.is_dir():
                shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__", "build"))
            else:
                shutil.copy(source, tree / part)
        shutil.copy(root / "tests/consumers/main.cpp", tree / "program.cpp")
        environment = {**os.environ, **ccache_folder(), "HOME": str(place / "home"), "CONAN_HOME": str(place / "conan"),
                       "PATH": f"{os.environ['PATH']}:{root / 'build/pypi/bin'}"}
        (place / "home").mkdir()
        missing = [tool for tool in TOOLS if re.search(rf"^{tool} |&& {tool} ", block.text, re.M)
                   and shutil.which(tool, path=environment["PATH"]) is None]
        if missing:
            print(f"YOKE-SKIP: {where}: no {missing[0]}")
            continue
        if "conan" in block.text:
            for setup in (["profile", "detect"], ["remote", "disable", "*"]):
                subprocess.run(["conan", *setup], env=environment, check=True, capture_output=True)
        ran += 1
        script = "set -euo pipefail\n" + ROOT_ONLY + block.text + "[ ! -e program ] || ./program\n"
        if "dpkg-buildpackage" in block.text:
            script += f"bash '{root}/tests/consumers/debian.sh' '{root}' '{place}'\n"
        done = subprocess.run(["bash", "-c", script], cwd=tree, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            problems.append(f"{where}: fails with {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
        print(f"{where}: {'fails' if done.returncode else 'works'}", flush=True)
    print("\n".join(problems))
    print(f"{ran} of {len(blocks)} blocks of commands ran, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
