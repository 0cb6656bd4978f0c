# SPDX-License-Identifier: MIT
# Catches a porting.py that sees a fault no more: a small tree with one fault of each kind, and one with none.
"""usage: porting_self_test.py"""
import sys

import self_test

PAGE = "docs/porting/other.md"
LIST = "docs/porting/symbols.txt"
HEAD = "# From other\n\nHeaders: `<yoke/memory/fill.hpp>`.\n\n| other | yoke | test |\n| --- | --- | --- |\n"
ROW = "| `fill` | `auto mine{ctx}; yoke::fill(x, \"a(b)\")`, `YOKE_DEVICE` | [fill](../../tests/memory/fill_test.cpp) |\n"
REJECTED = "| `bad` | `yoke::fill(x)` | [bad_fill](../../tests/compile_fail/bad_fill.cpp) |\n"
GOOD = {
    "include/yoke/memory/fill.hpp": "void fill();  // see YOKE_DEVICE\nvoid unused();\n",
    "tests/memory/fill_test.cpp": "#include <support/shared.hpp>\nTEST_CASE(\"fills\") { yoke::fill(); }\n",
    "tests/support/shared.hpp": "inline const char* variable = \"YOKE_DEVICE\";  // a text\n",
    "tests/memory/copy_test.cpp": "YOKE_COPY_CELL(a, b)\n",
    "tests/compile_fail/bad_fill.cpp": "#if defined(YOKE_BAD)\nyoke::fill(x);\n#endif\n",
    PAGE: HEAD + ROW + REJECTED,
    "docs/porting/parameters.txt": "# parameters\nother fill\n",
    LIST: "# symbols\nother fill\nother bad\nother Later.x missing\n",
}
# the file that is changed, its text, what the report must say
FAULTS = [
    (PAGE, "# From other\n", "there is no row"),
    (PAGE, HEAD.replace("test |", "where |") + ROW, "the last are yoke and test"),
    (PAGE, HEAD + "| `fill` | `yoke::fill(x)` |\n", "a row has a symbol"),
    (PAGE, HEAD + "| `fill` | `yoke::fill(x)` | |\n", "a row has a symbol"),
    (PAGE, HEAD + "| `fill` | `yoke::fill(x)` | fill_test |\n", "links to tests, and nothing else"),
    (PAGE, HEAD + ROW.replace("fill_test.cpp", "full_test.cpp"), "is no file below tests/"),
    (PAGE, HEAD + ROW.replace("../../tests/memory/fill_test.cpp", "other.md"), "is no file below tests/"),
    (PAGE, HEAD + ROW.replace("[fill]", "[copy]"), "is called copy"),
    (PAGE, HEAD + ROW.replace("[fill](../../tests/memory/fill_test.cpp)", "[shared](../../tests/support/shared.hpp)"),
     "is called shared"),
    (PAGE, HEAD + ROW.replace("yoke::fill", "yoke::full"), "full is not in include/"),
    (PAGE, HEAD + ROW.replace("YOKE_DEVICE", "YOKE_DIVICE"), "YOKE_DIVICE is not in include/"),
    (PAGE, HEAD + ROW.replace("yoke::fill", "yoke::unused"), "no test of the row says unused"),
    ("tests/memory/fill_test.cpp", "// TEST_CASE(fill, YOKE_DEVICE)\n", "has no test case"),
    ("tests/memory/fill_test.cpp", "TEST_CASE(\"fills\") { set(\"YOKE_DEVICE\"); }  // fill\n", "no test of the row says fill"),
    ("tests/memory/fill_test.cpp", "TEST_CASE(\"fill\") { set(\"YOKE_DEVICE\"); }\n", "no test of the row says fill"),
    ("tests/memory/fill_test.cpp", "TEST_CASE(\"x\") { set(R\"(YOKE_DEVICE fill)\"); }\n", "no test of the row says fill"),
    ("tests/memory/fill_test.cpp", "#include <yoke/fill>\nTEST_CASE(\"x\") { set(\"YOKE_DEVICE\"); /* fill */ }\n",
     "no test of the row says fill"),
    ("tests/memory/fill_test.cpp", "TEST_CASE(\"x\") { int fill = 1; set(\"YOKE_DEVICE\"); }\n", "no test of the row says fill"),
    ("tests/memory/fill_test.cpp", "TEST_CASE(\"x\") { void fill(int); set(\"YOKE_DEVICE\"); }\n", "no test of the row says fill"),
    (PAGE, HEAD.replace("Headers: ", "") + ROW + REJECTED, "no line `Headers: ...` stands before this table"),
    (PAGE, HEAD.replace("fill.hpp", "full.hpp") + ROW + REJECTED, "there is no <yoke/memory/full.hpp>"),
    ("docs/porting/parameters.txt", "other fill pattern\n", "no row of other.md that names fill names pattern"),
    (LIST, "other fill\nother empty\n", "no row of other.md names empty"),
    (LIST, "other Fill.all\n", "no row of other.md names Fill.all"),
    (LIST, "other fill missing\n", "fill has a row in other.md, and is said to be missing"),
    (LIST, "other fill\nother fill\n", "fill is there twice"),
    (LIST, "nobody fill\n", "there is no docs/porting/nobody.md"),
    (LIST, "other fill absent\n", "a line is a page, a symbol"),
    ("tests/compile_fail/bad_fill.cpp", "yoke::fill(x);\n", "has no part that must not compile"),
]


if __name__ == "__main__":
    sys.exit(self_test.run("porting.py", GOOD, [(lambda root: [root], "2 rows, 2 symbols, 0 problems")],
                           [(lambda root: [root], *fault) for fault in FAULTS]))
