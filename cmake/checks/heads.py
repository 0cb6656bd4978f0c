# SPDX-License-Identifier: MIT
# Catches a source file that does not say under which licence it is, and what it is for.
"""usage: heads.py ROOT"""
import pathlib
import re
import sys

FOLDERS = (".ci", "benchmarks", "cmake", "docs", "examples", "include", "src", "tests", "tools")
SUFFIXES = {".h", ".hpp", ".ipp", ".cpp", ".cl", ".py", ".cmake", ".in", ".map", ".sh", ".supp"}
LICENCE = "SPDX-License-Identifier: MIT"
SENTENCE = re.compile(r"(//|#|/\*)\s*\S.{8,}")


def problem(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    if not lines or LICENCE not in lines[0]:
        return f"{path}: the first line is not `{LICENCE}`"
    if len(lines) < 2 or not SENTENCE.match(lines[1]):
        return f"{path}: the second line does not say what the file is for"
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    files = [root / "dev", root / ".ci/run", root / "CMakeLists.txt"]
    for name in FOLDERS:
        files += [path for path in root.glob(f"{name}/**/*")
                  if path.suffix in SUFFIXES or path.name == "CMakeLists.txt"]
    problems = [text for text in map(problem, sorted(set(files))) if text]
    print("\n".join(problems + [f"{len(files)} files, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
