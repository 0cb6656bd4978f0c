# SPDX-License-Identifier: MIT
# Catches a compile_cost.py that overlooks a header that costs more than before, or tells wrong parts of what headers cost.
"""usage: compile_cost_self_test.py --compiler=CXX"""
import argparse
import contextlib
import io
import pathlib
import re
import shutil
import sys
import tempfile

import compile_cost
import costs

HEAVY = "".join(f"int heavy_{i}(int a, long b, const char* c);\n" for i in range(500))
TREE = {
    "yoke/yoke.hpp": "#pragma once\n#include <yoke/memory/m.hpp>\n#include <yoke/core/c.hpp>\n",
    "yoke/memory/m.hpp": "#pragma once\n#include <cstddef>\n#include <yoke/core/heavy.hpp>\n",
    "yoke/core/c.hpp": "#pragma once\n#include <cstddef>\n#if defined(NEVER)\n#include <string>\n#endif\n",
    "yoke/core/heavy.hpp": "#pragma once\n" + HEAVY,
}


def report(files, *arguments):
    """How the check ends, and what it says, with a yardstick that is soon read."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as root, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        try:
            code = compile_cost.main([root, *arguments])
        except SystemExit as e:
            code = e.code
    return code, said.getvalue()


def rows_of(output):
    return [(name, int(count)) for name, count in re.findall(r"(?m)^\| (.+?) \| (-?\d+) \|$", output)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", required=True)
    compiler = f"--compiler={parser.parse_args().compiler}"
    if shutil.which("valgrind") is None:
        print("not counted: there is no valgrind")
        return 77
    wrong = []

    def expect(what, output, good):
        if not good:
            wrong.append(what)
            print(f"{what}:\n{output}")

    # Lowest floor first, one row a folder; what is not included by any file that is read has none.
    code, output = report(TREE, compiler, "--parts", "yoke/yoke.hpp")
    rows = rows_of(output)
    names = ["an empty file", "`<cstddef>`", "yoke/core", "yoke/memory", "yoke/yoke.hpp", "all"]
    expect("parts by folder", output, code == 0 and [name for name, _ in rows] == names)
    counts = dict(rows)
    expect("the parts are all of it", output, sum(count for name, count in rows[:-1]) == counts.get("all"))
    expect("the heavy folder is seen", output, counts.get("yoke/core", 0) > 10 > abs(counts.get("yoke/memory", 99)))

    # In the order in which they are read to the end.
    code, output = report(TREE, compiler, "--parts", "yoke/yoke.hpp", "--each")
    rows = rows_of(output)
    names = ["an empty file", "`<cstddef>`", "yoke/core/heavy.hpp", "yoke/memory/m.hpp", "yoke/core/c.hpp", "yoke/yoke.hpp", "all"]
    expect("parts by header", output, code == 0 and [name for name, _ in rows] == names)
    expect("the heavy header is seen", output, dict(rows).get("yoke/core/heavy.hpp", 0) > 10)

    code, output = report(TREE, compiler, "--parts", "yoke/none.hpp")
    expect("a header that is not there", output, code == 1 and "<yoke/none.hpp> cannot be compiled" in output)
    code, output = report(TREE, compiler, "--each")
    expect("--each alone", output, code == 2 and "--each is for --parts" in output)

    # The bar itself: figures that are kept, and a header that costs more since.
    light = {"yoke/yoke.hpp": "#pragma once\n" + HEAVY, "yoke/cuda.hpp": "#pragma once\n" + HEAVY}
    heavy = {**light, "yoke/yoke.hpp": light["yoke/yoke.hpp"] + HEAVY.replace("heavy_", "heavier_")}
    with tempfile.TemporaryDirectory() as folder:
        costs.FILE = pathlib.Path(folder, "costs.json")
        costs.FILE.write_text("{}", encoding="utf-8")
        code, output = report(light, compiler, "--read")
        expect("no figures", output, code == 77 and "has no figures of" in output)
        code, output = report(light, compiler, "--read", "--update")
        expect("figures are written", output, code == 0 and "<yoke/yoke.hpp>" in costs.FILE.read_text(encoding="utf-8"))
        code, output = report(light, compiler, "--read")
        expect("the same again", output, code == 0 and "<yoke/cuda.hpp>" in output)
        code, output = report(heavy, compiler, "--read")
        expect("one that has grown", output, code == 1 and "<yoke/yoke.hpp> has grown by more than 5 %" in output and
               "./dev costs" in output and "<yoke/cuda.hpp> has grown" not in output)
        code, output = report({**light, "yoke/opencl.hpp": HEAVY}, compiler, "--read")
        expect("one without a figure", output, code == 1 and "<yoke/opencl.hpp> is new" in output)
        code, output = report({**light, "yoke/opencl.hpp": "#error\n#include <no/such/header.hpp>\n"}, compiler, "--read")
        expect("one that cannot be compiled", output, code == 1 and "<yoke/opencl.hpp> cannot be" in output)

        # A use of arrays costs what it adds to arrays.
        times = "#pragma once\nnamespace yoke { template <class T, int> struct device_array { T value; };\n" \
                "template <int N> int f() { if constexpr (N > 0) return f<N - 1>() + N; return 0; }\n" \
                "template <class A> int operator*(int a, const A& of) { return a * int(of.value) + f<DEPTH>(); } }\n"
        compile_cost.USES = {"an expression": "y.value = float(2 * a);", "nothing": ""}
        code, output = report({"yoke/yoke.hpp": "", "yoke/array.hpp": times.replace("DEPTH", "200")}, compiler, "--update")
        expect("a use of arrays", output, code == 0 and "an expression more: " in output)
        code, output = report({"yoke/yoke.hpp": "", "yoke/array.hpp": times.replace("DEPTH", "800")}, compiler)
        expect("a use that has grown", output, code == 1 and "an expression more has grown" in output and
               "<yoke/array.hpp> has grown" not in output)
    print(f"{len(wrong)} not as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
