# SPDX-License-Identifier: MIT
# Catches an include or a template by which every file of a user that has an umbrella, or uses arrays, compiles longer.
"""usage: compile_cost.py INCLUDE_DIR --compiler=CXX... [--read | --parts HEADER [--each]] [--update]
The figures are instructions of the compiler, which do not vary, and take minutes to count. --read: the bytes that it reads instead,
which take a second. costs.py compares them with those in costs.json; --update writes them there.
With --parts it prints what a header costs instead: what each part adds to those above it, as a table. The parts are the headers of
the C++ library that it comes to, and the folders of INCLUDE_DIR, the lowest floor first; --each: each header, in the order in
which they are read to the end, which takes minutes.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import costs
import headers

ARRAY = "yoke/array.hpp"
# A file with arrays, and the same with something that they do. They are compiled to the end, because templates are most of it.
ARRAYS = f"#include <{ARRAY}>\n#include <yoke/yoke.hpp>\n"
USES = {"an expression": "y = 2 * a;", "a sum": "(void)yoke::sum(a).get();", "a scan": "y = yoke::cumsum(a);",
        "a sequence": "y = yoke::arange<float>(9, y.stream());"}
ADVICE = "`compile_cost.py include --compiler={compiler} --parts yoke/yoke.hpp` shows what each folder adds."


def umbrellas(include_dir):
    names = ("yoke/yoke.hpp", "yoke/cuda.hpp", "yoke/opencl.hpp", ARRAY)
    return [name for name in names if pathlib.Path(include_dir, name).exists()]


def using(statement):
    head = "void use(yoke::device_array<float, 1>& y, const yoke::device_array<float, 1>& a)"
    return f"{ARRAYS}{head};\n{head} {{ {statement} }}\n"


def millions(compiler, include_dir, text, output=("-fsyntax-only",)):
    """How many million instructions reading the text takes. None: it cannot be compiled, or not be counted."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "source.cpp")
        source.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["valgrind", "--trace-children=yes", "--tool=cachegrind", "--cache-sim=no",
             "--cachegrind-out-file=/dev/null", compiler, "-std=c++20", f"-I{include_dir}", *output, source],
            capture_output=True, text=True, check=False)
    # Of the processes that a compiler starts, the one that reads the headers has by far the most.
    counts = [int(each.replace(",", "")) for each in re.findall(r"I +refs: +([\d,]+)", done.stderr)]
    return max(counts) // 10**6 if done.returncode == 0 and counts else None


def reading_order(compiler, include_dir, header):
    """The files that a header comes to, in the order in which they are read to the end. Throws ValueError: it cannot be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "source.cpp")
        source.write_text(f"#include <{header}>\n", encoding="utf-8")
        done = subprocess.run([compiler, "-std=c++20", f"-I{include_dir}", "-fsyntax-only", "-H", source], capture_output=True,
                              text=True, check=False)
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if "error" in line), "")
        raise ValueError(f"<{header}> cannot be compiled: {first}")
    order, open_ones = [], []
    for dots, file in [*re.findall(r"(?m)^(\.+) (\S+)$", done.stderr), (".", "")]:
        while open_ones and open_ones[-1][0] >= len(dots):
            order.append(open_ones.pop()[1])
        open_ones.append((len(dots), file))
    return list(dict.fromkeys(order))


def parts_of(compiler, include_dir, header, each):
    """Pairs of a title and the headers that belong to it, those first that others include."""
    root = pathlib.Path(include_dir)
    order = reading_order(compiler, include_dir, header)
    ours = [pathlib.Path(os.path.relpath(file, root)) for file in order if root.resolve() in pathlib.Path(file).resolve().parents]
    standard = []
    for file in ours:
        for _, name in headers.INCLUDE.findall((root / file).read_text(encoding="utf-8")):
            if not (root / name).exists() and name not in standard and any(other.endswith("/" + name) for other in order):
                standard.append(name)
    result = [(f"`<{name}>`", [name]) for name in standard]
    if each:
        return result + [(file.as_posix(), [file.as_posix()]) for file in ours]
    folders = {}
    for file in ours:
        folders.setdefault(headers.folder(file), []).append(file.as_posix())
    for name in sorted(folders, key=lambda name: headers.FLOOR.get(name, len(headers.FLOORS))):
        result.append((folders[name][-1] if name == "." else f"yoke/{name}", folders[name]))
    return result


def print_parts(compiler, include_dir, header, each, pool):
    """Returns: whether it could be counted."""
    try:
        parts = parts_of(compiler, include_dir, header, each)
    except ValueError as e:
        print(f"{compiler}: {e}")
        return False
    so_far, texts = "", [""]
    for _, names in parts:
        so_far += "".join(f"#include <{name}>\n" for name in names)
        texts.append(so_far)
    counts = list(pool.map(lambda text: millions(compiler, include_dir, text), texts))
    if None in counts:
        print(f"{compiler}: {parts[counts.index(None) - 1][0]} cannot be compiled behind what stands above it, or not be counted")
        return False
    print(f"| {compiler}, `<{header}>` | million instructions |\n| --- | --- |\n| an empty file | {counts[0]} |")
    for (title, _), before, count in zip(parts, counts, counts[1:]):
        print(f"| {title} | {count - before} |")
    print(f"| all | {counts[-1]} |")
    return True


def kilobytes(compiler, include_dir, header):
    """Returns: how many thousand bytes the compiler reads behind the preprocessor. Throws ValueError: it cannot be preprocessed."""
    done = subprocess.run([compiler, "-std=c++20", f"-I{include_dir}", "-E", "-P", "-x", "c++", "-"], input=f"#include <{header}>\n",
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"<{header}> cannot be preprocessed:\n{done.stderr}")
    return len(done.stdout) // 1000


def count(compiler, include_dir, pool):
    """Returns: for each title what waits for the count of its text."""
    def later(text, *output):
        return pool.submit(millions, compiler, include_dir, text, output or ("-fsyntax-only",))

    counts = {f"<{header}>": later(f"#include <{header}>\n") for header in umbrellas(include_dir) if header != ARRAY}
    if ARRAY in umbrellas(include_dir):
        to_the_end = ("-c", "-o", "/dev/null")
        counts[f"<{ARRAY}>"] = later(ARRAYS, *to_the_end)
        counts |= {use: later(using(statement), *to_the_end) for use, statement in USES.items()}
    return counts


def figures_of(counts):
    """Returns: the figures; a use of arrays costs what it adds. Throws ValueError: something cannot be compiled."""
    figures = {title: each.result() for title, each in counts.items()}
    for title, figure in figures.items():
        if figure is None:
            raise ValueError(f"{title} cannot be compiled, or not be counted")
    return {f"{title} more" if title in USES else title: figure - (figures[f"<{ARRAY}>"] if title in USES else 0)
            for title, figure in figures.items()}


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("include_dir")
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--parts", metavar="HEADER")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args(arguments)
    if options.each and not options.parts:
        parser.error("--each is for --parts")
    if not options.read and shutil.which("valgrind") is None:
        print("not counted: there is no valgrind")
        return 77
    results = []

    def settle(kind, compiler, figures):
        results.append(costs.settle(options.update, kind, compiler, figures, ADVICE.format(compiler=compiler)))

    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        if options.parts:
            printed = [print_parts(compiler, options.include_dir, options.parts, options.each, pool)
                       for compiler in options.compiler]
            return 0 if all(printed) else 1
        try:
            if options.read:
                for compiler in options.compiler:
                    settle("kB read by a compiler", compiler, {f"<{header}>": kilobytes(compiler, options.include_dir, header)
                                                               for header in umbrellas(options.include_dir)})
                return costs.status(results)
            # All at once, so that no core waits for the other between two compilers.
            for compiler, counts in [(each, count(each, options.include_dir, pool)) for each in options.compiler]:
                settle("million instructions of a compiler", compiler, figures_of(counts))
        except ValueError as failure:
            print(failure)
            return 1
    return costs.status(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
