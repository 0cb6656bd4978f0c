# SPDX-License-Identifier: MIT
# Each row of the porting pages names tests that are in the tree, and yoke's words are in the headers and in these tests.
"""usage: porting.py ROOT"""
import pathlib
import re
import sys

import markdown

LINK = re.compile(r"\[([^\]]*)\]\(([^)]+)\)")
# Cells of the copy matrix are test cases, too.
TEST = re.compile(r"^(?:(?:YOKE_\w*)?TEST_CASE|YOKE_\w*COPY_CELL)\(", re.MULTILINE)
# What stands behind a scope or a dot, or before a call, a list or template arguments, but no variable of a declaration.
WORD = re.compile(r"(?<=::)\w+|(?<=[^\w.]\.)[a-z]\w+|(?<=\w\.)[a-z]\w+|(?<!\w )\b[a-z]\w+(?=[({<])|\bYOKE_\w+")
PLACEHOLDER = "x"  # `info::x` is any of them


def words(cell):
    """yoke's names in the code of a cell, without what is in quotes there."""
    found = []
    for code in re.findall(r"`([^`]*)`", cell):
        code = re.sub(r'"[^"]*"', '""', code)
        if re.fullmatch(r"[a-z]\w+", code):  # a word alone
            found.append(code)
        found += [word for word in WORD.findall(" " + code) if word != PLACEHOLDER and not word.isdigit()]
    return found


def test_problem(page, name, target, tests):
    """Why a link leads to no test of that name; "" when it does."""
    path = (page.parent / target).resolve()
    if not path.is_relative_to(tests) or not path.is_file():
        return "is no file below tests/"
    rejected = path.parent == tests / "compile_fail"
    if path.suffix != ".cpp" or path.stem != (name if rejected else name + "_test"):
        return f"is called {name}"
    text = path.read_text(encoding="utf-8")
    if rejected and "YOKE_BAD" not in text:
        return "has no part that must not compile"
    return "" if rejected or TEST.search(text) else "has no test case"


def reached(path, tests, seen):
    """A test's text with those of the tests' headers that it includes."""
    if path in seen or not path.is_file():
        return ""
    seen.add(path)
    text = path.read_text(encoding="utf-8")
    names = re.findall(r'#include [<"]([^>"]+)[>"]', text)
    return text + "".join(reached((tests / name).resolve(), tests, seen) for name in names)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    tests = root / "tests"
    headers = "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.glob("include/yoke/**/*pp")))
    known = set(re.findall(r"\w+", headers))
    count, problems = 0, []
    for page in sorted(root.glob("docs/porting/*.md")):
        heading = 0
        for number, line in markdown.read(page)[1]:
            if not line.startswith("|"):
                heading = 0
                continue
            heading += 1
            place = f"{page.relative_to(root)}:{number}"
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if heading <= 2:
                if heading == 1 and (len(cells) != 3 or cells[1:] != ["yoke", "test"]):
                    problems.append(f"{place}: a table of porting has three columns, the last are yoke and test")
                continue
            count += 1
            if len(cells) != 3 or not all(cells):
                problems.append(f"{place}: a row has a symbol, yoke's spelling and a test")
                continue
            links = LINK.findall(cells[2])
            if not links or LINK.sub("", cells[2]).strip(", "):
                problems.append(f"{place}: the last column has links to tests, and nothing else")
            text = ""
            for name, target in links:
                problem = test_problem(page, name, target, tests)
                if problem:
                    problems.append(f"{place}: [{name}]({target}) {problem}")
                else:
                    text += reached((page.parent / target).resolve(), tests, set())
            used = set(re.findall(r"\w+", text))
            for word in words(cells[1]):
                if word not in known:
                    problems.append(f"{place}: {word} is not in include/")
                elif text and word not in used:
                    problems.append(f"{place}: no test of the row says {word}")
    if count == 0:
        problems.append("there is no row")
    print("\n".join(problems + [f"{count} rows, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
