# SPDX-License-Identifier: MIT
# Catches a public name of the umbrellas that `import yoke;` lacks, and an internal one that it shows.
"""usage: module_names.py --clang=CLANG++ --include=FOLDER --module=FILE.cppm [--update]"""
import argparse
import pathlib
import re
import subprocess
import sys

UMBRELLAS = ("yoke/yoke.hpp", "yoke/array.hpp", "yoke/cache.hpp", "yoke/struct.hpp", "yoke/link.hpp", "yoke/distributed.hpp", "yoke/dlpack.hpp", "yoke/fft.hpp", "yoke/graph.hpp",
             "yoke/image.hpp", "yoke/linalg.hpp", "yoke/local.hpp", "yoke/nccl.hpp", "yoke/prepare.hpp", "yoke/random.hpp", "yoke/sparse.hpp", "yoke/algorithm.hpp", "yoke/trace.hpp", "yoke/cuda/mem_op.hpp",
             "yoke/cuda/tensor_map.hpp")
HEAD = """// SPDX-License-Identifier: MIT
// The module `yoke`: every public name of the umbrellas. `./dev lists` writes it.
module;
{includes}
export module yoke;
"""


def compiled(clang, include, text, *options):
    return subprocess.run([clang, "-std=c++20", f"-I{include}", "-fsyntax-only", "-ferror-limit=0", *options, "-x", "c++", "-"],
                          input="".join(f"#include <{each}>\n" for each in UMBRELLAS) + text, capture_output=True, text=True)


def accepted(clang, include, lines):
    """-> those of the lines, each a declaration, that compile behind the umbrellas."""
    output = compiled(clang, include, "".join(f"{line}\n" for line in lines)).stderr
    refused = {int(number) - len(UMBRELLAS) for number in re.findall(r"^<stdin>:(\d+):\d+: error", output, re.M)}
    return [line for number, line in enumerate(lines, 1) if number not in refused]


def names(clang, include):
    """-> {namespace: {name}} of what the umbrellas declare outside of `detail`."""
    listed = {line for line in compiled(clang, include, "", "-Xclang", "-ast-list").stdout.splitlines()
              if re.match(r"yoke::(?!.*\bdetail\b)[\w:]*(operator\W+)?$", line)}
    # The list holds parameters and members, too, and does not tell what is a namespace: the compiler does.
    above = sorted({line.rpartition("::")[0] for line in listed})
    spaces = {line.split()[3][:-1] for line in accepted(clang, include, [f"namespace n{k} = {each};" for k, each in enumerate(above)])}
    inside = sorted(line for line in listed if line.rpartition("::")[0] in spaces and line not in spaces)
    found = {}
    for line in accepted(clang, include, [f"namespace n{k} {{ using {each}; }}" for k, each in enumerate(inside)]):
        space, _, name = line.split(" using ")[1].removesuffix("; }").rpartition("::")
        found.setdefault(space, set()).add(name)
    return found


def module(found):
    out = HEAD.format(includes="\n".join(f"#include <{each}>" for each in UMBRELLAS))
    for space in sorted(found):
        out += f"\nexport namespace {space} {{\n" + "".join(f"using {space}::{name};\n" for name in sorted(found[space])) + "}\n"
    return out


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    file = pathlib.Path(options.module)
    found = names(options.clang, options.include)
    if options.update:
        file.write_text(module(found), encoding="utf-8")
    written = set(re.findall(r"^using (.*);$", file.read_text(encoding="utf-8"), re.M))
    declared = {f"{space}::{name}" for space in found for name in found[space]}
    problems = [f"not exported: {each}" for each in sorted(declared - written)]
    problems += [f"exported, but not declared: {each}" for each in sorted(written - declared)]
    if len(declared) < 500:
        problems.append(f"only {len(declared)} names were found")
    print("\n".join(problems + [f"{len(declared)} names, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
