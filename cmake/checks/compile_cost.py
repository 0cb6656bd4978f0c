# SPDX-License-Identifier: MIT
# Holds what the umbrellas cost a compiler near what <CL/opencl.hpp> does, and arrays and their uses near <yoke/yoke.hpp>:
# instructions, which do not vary.
"""usage: compile_cost.py INCLUDE_DIR --compiler=CXX... [--parts HEADER [--each]]
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

import headers

YARDSTICK = "#define CL_HPP_TARGET_OPENCL_VERSION 300\n#include <CL/opencl.hpp>\n"
# The part of <CL/opencl.hpp>, counted with the same compiler and C++ library, that each umbrella may cost. <yoke/yoke.hpp> has
# CUDA, too.
BUDGETS = {"yoke/yoke.hpp": 1.19, "yoke/cuda.hpp": 1.02, "yoke/opencl.hpp": 1.0}
# A file with arrays, and the same with something that they do: the part of a file with <yoke/yoke.hpp> that the first may cost, and
# that each use may add. All are compiled to the end, because what templates come to is most of it.
PLAIN = "#include <yoke/yoke.hpp>\n"
ARRAYS = "#include <yoke/array.hpp>\n" + PLAIN
USES = {"an expression": "y = 2 * a;", "a sum": "(void)yoke::sum(a).get();", "a scan": "y = yoke::cumsum(a);",
        "a sequence": "y = yoke::arange<float>(9, y.stream());"}
ARRAYS_PART, USE_PART = 1.5, 0.4


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


def check_arrays(compiler, counts):
    """Returns: how many of the budgets of arrays are not kept. `counts` has those of PLAIN, ARRAYS and each of USES."""
    if None in counts:
        print(f"{compiler}: arrays, or a use of them, cannot be compiled")
        return 1
    plain, arrays, *uses = counts
    wrong = 0
    for title, count, part in [("<yoke/array.hpp>", arrays, ARRAYS_PART),
                               *((f"{use} more", count - arrays, USE_PART) for use, count in zip(USES, uses))]:
        most = int(plain * part)
        print(f"{compiler}: million instructions: {title} {count}, of {most}: {part} of <yoke/yoke.hpp>'s {plain}")
        if count >= most:
            print(f"{compiler}: {title} costs too much")
            wrong += 1
    return wrong


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("include_dir")
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--parts", metavar="HEADER")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args(arguments)
    if options.each and not options.parts:
        parser.error("--each is for --parts")
    if shutil.which("valgrind") is None:
        print("not counted: there is no valgrind")
        return 77
    wrong = 0
    has_arrays = pathlib.Path(options.include_dir, "yoke/array.hpp").exists()
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        if options.parts:
            printed = [print_parts(compiler, options.include_dir, options.parts, options.each, pool)
                       for compiler in options.compiler]
            return 0 if all(printed) else 1
        # All at once, so that no core waits for the other between two compilers; the yardstick is the longest.
        counted = [(compiler, [pool.submit(millions, compiler, options.include_dir, text) for text in
                               [YARDSTICK] + [f"#include <{header}>\n" for header in BUDGETS]],
                    [pool.submit(millions, compiler, options.include_dir, text, ("-c", "-o", "/dev/null")) for text in
                     [PLAIN, ARRAYS, *map(using, USES.values())] if has_arrays])
                   for compiler in options.compiler]
        for compiler, counts, of_arrays in counted:
            if of_arrays:
                wrong += check_arrays(compiler, [count.result() for count in of_arrays])
            theirs, *ours = [count.result() for count in counts]
            if theirs is None:
                print(f"{compiler}: left out: <CL/opencl.hpp> cannot be compiled")
                continue
            for (header, part), count in zip(BUDGETS.items(), ours):
                most = int(theirs * part)
                print(f"{compiler}: million instructions: <{header}> {count}, of {most}: {part} of <CL/opencl.hpp>'s {theirs}")
                if count is None or count >= most:
                    print(f"{compiler}: <{header}> costs too much, or cannot be compiled")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
