# SPDX-License-Identifier: MIT
# Catches a row of the porting pages with a test or a word of yoke that is gone, and a predecessor's symbol without a row.
# Words have to be in the headers and in the code of the row's tests.
# docs/porting/symbols.txt lists the predecessors' symbols: a line has its page and the symbol, and `missing` where yoke has
# nothing yet. Each other one has a row whose first cell names it as the predecessor does, and a missing one has none.
"""usage: porting.py ROOT"""
import functools
import pathlib
import re
import sys

import markdown

LINK = re.compile(r"\[([^\]]*)\]\(([^)]+)\)")
# Cells of the copy matrix are test cases, too.
TEST = re.compile(r"^(?:(?:YOKE_\w*)?TEST_CASE|YOKE_\w*COPY_CELL)\(", re.MULTILINE)
# What stands behind a scope or a dot, or before a call, a list or template arguments, but no variable of a declaration.
WORD = re.compile(r"(?<=::)\w+|(?<=[^\w.]\.)[a-z]\w+|(?<=\w\.)[a-z]\w+|(?<![\w>&*] )\b[a-z]\w+(?=[({<])|\bYOKE_\w+")
# Where the code of a test uses a word: behind a scope, a dot or an arrow, before a call, a list or template arguments. A word
# that a test only declares is no use.
USE = re.compile(r"(?<=::)\w+|(?<=\.)\w+|(?<=->)\w+|(?<=\btemplate )\w+|(?<![\w&*>] )(?<![\w&*])\b\w+(?=\s?[({<])|\bYOKE_\w+|(?<=\busing enum )[\w:]+")
BUILT_IN = {"bool", "char", "double", "float", "int", "nullptr", "unsigned"}
PLACEHOLDER = "x"  # `info::x` is any of them
# What is no code: comments, texts, characters, includes.
NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\bu?8?R"([^\s()\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w'])'(?:\\.|[^'\\\n])+'|^[ \t]*\#[ \t]*include[^\n]*""",
    re.DOTALL | re.MULTILINE)
CAPITALS = re.compile(r"\bYOKE_[A-Z0-9_]+\b")


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


def code_of(text):
    """The code of a text. Names of the environment's variables and the dialect's words stand in texts, and count there."""
    def kept(match):
        found = match[0]
        return " " if found.startswith("/") or "include" in found[:12] else " " + " ".join(CAPITALS.findall(found)) + " "

    return NO_CODE.sub(kept, text)


@functools.cache
def own_words(path):
    """The words of a file's code, and the names of the headers that it includes."""
    text = path.read_text(encoding="utf-8")
    return frozenset(USE.findall(code_of(text))), re.findall(r'#include [<"]([^>"]+)[>"]', text)


@functools.cache
def reached(path, tests):
    """The words of a test's code and of that of the tests' headers that it includes."""
    found, seen, todo = set(), set(), [path]
    while todo:
        file = todo.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        own, names = own_words(file)
        found |= own
        todo += [(tests / name).resolve() for name in names]
    return found


def named(cell):
    """The symbols that a first cell names: those in code, with all their scopes."""
    found = set()
    for code in re.findall(r"`([^`]*)`", cell):
        code = re.sub(r'"[^"]*"', '""', code)
        found.update(re.findall(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*", code))
    return found


def listed(path):
    """The list as {page: {symbol: whether it is missing}}, and what is wrong with it."""
    symbols, problems = {}, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) > 3 or len(words) < 2 or words[2:] not in ([], ["missing"]):
            problems.append(f"{path.name}:{number}: a line is a page, a symbol, and `missing` or nothing")
            continue
        of_page = symbols.setdefault(words[0], {})
        if words[1] in of_page:
            problems.append(f"{path.name}:{number}: {words[1]} is there twice")
        of_page[words[1]] = len(words) == 3
    return symbols, problems


def parameter_problems(path, cells_of):
    """The parameters of the predecessors' signatures that no row with the symbol names."""
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.is_file() else [], 1):
        if not line or line.startswith("#"):
            continue
        page, symbol, *parameters = line.split()
        name = symbol.rsplit(".", 1)[-1]
        rows = [cells for cells in cells_of.get(page, []) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", cells[0])]
        found = {word for cells in rows for word in re.findall(r"\w+", cells[0] + cells[1])}
        lacking = [parameter for parameter in parameters if parameter.strip("*") not in found]
        if lacking:
            problems.append(f"{path.name}:{number}: no row of {page}.md that names {symbol} names {', '.join(lacking)}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    tests = root / "tests"
    headers = "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.glob("include/yoke/**/*pp")))
    known = set(re.findall(r"\w+", headers))
    count, problems, rows, cells_of = 0, [], {}, {}
    for page in sorted(root.glob("docs/porting/*.md")):
        heading, has_headers = 0, False
        for number, line in markdown.read(page)[1]:
            place = f"{page.relative_to(root)}:{number}"
            if not line.startswith("|"):
                heading = 0
                has_headers = has_headers and not line.startswith("#")
                if line.startswith("Headers: "):
                    has_headers = True
                    problems += [f"{place}: there is no <{name}>" for name in re.findall(r"<([^>]+)>", line)
                                 if not (root / "include" / name).is_file()]
                continue
            heading += 1
            if heading == 1 and not has_headers:
                problems.append(f"{place}: no line `Headers: ...` stands before this table")
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if heading <= 2:
                if heading == 1 and (len(cells) != 3 or cells[1:] != ["yoke", "test"]):
                    problems.append(f"{place}: a table of porting has three columns, the last are yoke and test")
                continue
            count += 1
            if len(cells) != 3 or not all(cells):
                problems.append(f"{place}: a row has a symbol, yoke's spelling and a test")
                continue
            rows.setdefault(page.stem, set()).update(named(cells[0]))
            cells_of.setdefault(page.stem, []).append(cells)
            links = LINK.findall(cells[2])
            if not links or LINK.sub("", cells[2]).strip(", "):
                problems.append(f"{place}: the last column has links to tests, and nothing else")
            used = set()
            for name, target in links:
                problem = test_problem(page, name, target, tests)
                if problem:
                    problems.append(f"{place}: [{name}]({target}) {problem}")
                else:
                    used |= reached((page.parent / target).resolve(), tests)
            for word in words(cells[1]):
                if word in BUILT_IN:
                    continue
                if word not in known:
                    problems.append(f"{place}: {word} is not in include/")
                elif used and word not in used:
                    problems.append(f"{place}: no test of the row says {word}")
    listing = root / "docs/porting/symbols.txt"
    symbols, wrong = listed(listing) if listing.is_file() else ({}, ["docs/porting/symbols.txt is not there"])
    problems += wrong
    for page, of_page in sorted(symbols.items()):
        if not (root / f"docs/porting/{page}.md").is_file():
            problems.append(f"{listing.name}: there is no docs/porting/{page}.md")
            continue
        for symbol, is_missing in of_page.items():
            has_row = symbol in rows.get(page, set())
            if is_missing and has_row:
                problems.append(f"{listing.name}: {symbol} has a row in {page}.md, and is said to be missing")
            elif not is_missing and not has_row:
                problems.append(f"{listing.name}: no row of {page}.md names {symbol}")
    problems += parameter_problems(root / "docs/porting/parameters.txt", cells_of)
    if count == 0:
        problems.append("there is no row")
    done = sum(not missing for of_page in symbols.values() for missing in of_page.values())
    print("\n".join(problems + [f"{count} rows, {done} symbols, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
