# SPDX-License-Identifier: MIT
# Shows that porting.py sees each fault it is there for: a small tree with one fault of each kind, and one with none.
"""usage: porting_self_test.py"""
import sys

import self_test

PAGE = "docs/porting/other.md"
HEAD = "# From other\n\n| other | yoke | test |\n| --- | --- | --- |\n"
ROW = "| `fill` | `auto mine{ctx}; yoke::fill(x, \"a(b)\")`, `YOKE_DEVICE` | [fill](../../tests/memory/fill_test.cpp) |\n"
REJECTED = "| `bad` | `yoke::fill(x)` | [bad_fill](../../tests/compile_fail/bad_fill.cpp) |\n"
GOOD = {
    "include/yoke/memory/fill.hpp": "void fill();  // see YOKE_DEVICE\nvoid unused();\n",
    "tests/memory/fill_test.cpp": "#include <support/shared.hpp>\nTEST_CASE(\"fills\") { yoke::fill(); }\n",
    "tests/support/shared.hpp": "// sets YOKE_DEVICE\n",
    "tests/memory/copy_test.cpp": "YOKE_COPY_CELL(a, b)\n",
    "tests/compile_fail/bad_fill.cpp": "#if defined(YOKE_BAD)\nfill\n#endif\n",
    PAGE: HEAD + ROW + REJECTED,
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
    ("tests/compile_fail/bad_fill.cpp", "fill\n", "has no part that must not compile"),
]


if __name__ == "__main__":
    sys.exit(self_test.run("porting.py", GOOD, [(lambda root: [root], "2 rows, 0 problems")],
                           [(lambda root: [root], *fault) for fault in FAULTS]))
