# SPDX-License-Identifier: MIT
# Fails, naming them, when words that the dialect's preludes define are in no kernel of the conformance table, not in the
# documentation, or not among those by which a part of the prelude is picked; and when a kernel of the table calls a word
# that the documentation does not have, as one may that both compilers bring along.
"""usage: words.py --compiler CXX --page FILE --table PROGRAM

PROGRAM is yoke_dialect_table, which prints preludes and kernels; FILE is docs/dialect.md. The words are taken from the
preludes as a preprocessor leaves them, so that those which macros make are among them.
"""
import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kernels"))
from words import Words  # noqa: E402

# What makes each compiler's prelude show all that it has.
SETTINGS = {
    "opencl": [
        ["-D__OPENCL_C_VERSION__=120", "-Dcl_khr_fp64", "-Dcl_khr_fp16", "-Dcl_khr_int64_base_atomics",
         "-Dcl_khr_int64_extended_atomics", "-D__NV_CL_C_VERSION=120", "-D__IMAGE_SUPPORT__=1"],
        ["-D__OPENCL_C_VERSION__=300", "-Dcl_khr_subgroups", "-Dcl_khr_subgroup_ballot", "-Dcl_khr_subgroup_shuffle",
         "-Dcl_khr_subgroup_shuffle_relative", "-D__opencl_c_read_write_images=1"],
        ["-D__OPENCL_C_VERSION__=120", "-Dcl_intel_subgroups"],
    ],
    "cuda": [["-D__align__(bytes)="], ["-D__align__(bytes)=", "-D__GNUC__=12"]],
}
# The preludes' own words, and words that only make a type's second name.
OWN = re.compile(r"__|yoke_d_|YOKE_D_|yoke_dynamic_local$|make_yoke_double4$|yoke_double4$")
# They take vectors alone, whose types pick the part. In most kernels they are names of variables.
OF_VECTORS = {"dot", "length", "any", "all"}
# Of words that are made alike, the documentation shows some: sqrtf for the functions of float, two of eight conversions.
FAMILIES = [
    lambda word, page: word.endswith("f") and word[:-1] in page,
    lambda word, page: re.fullmatch(r"convert_\w+?(_sat)?(_rte|_rtz)?", word) and
    any(re.match(r"convert_" + word.split("_")[1] + r"(_|$)", shown) for shown in page),
]


def output(command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def words_of(compiler, prelude, backend):
    found = set()
    for settings in SETTINGS[backend]:
        text = re.sub(r"^#include.*$", "", prelude, flags=re.M)
        text = output([compiler, "-E", "-dD", "-undef", "-x", "c++", "-nostdinc", *settings, "-"], text)
        given = {re.sub(r"-D(\w+).*", r"\1", setting) for setting in settings}
        found |= Words(text).found - given
    return {word for word in found if not OWN.match(word)}


def parts_of(prelude):
    """Each part's words by which it is picked, and its text; None for what every source gets."""
    pieces = re.split(r"^//part (\w+)\n", prelude, flags=re.M)
    yield None, [], pieces[0]
    for name, text in zip(pieces[1::2], pieces[2::2]):
        yield name, " ".join(re.findall(r"^//words (.*)$", text, re.M)).split(), text


def called_in(sources):
    """The words that kernels call, without their own functions and macros, which stand behind a type or a #define."""
    code = re.sub(r"//.*$", "", sources, flags=re.M)
    own = set(re.findall(r"^\s*#\s*define\s+(\w+)\(", code, re.M))
    own |= {name for kind, name in re.findall(r"\b(\w+)\s*\*?[ *](\w+)\s*\([^;{]*\)\s*\{", code)
            if kind not in ("else", "return")}
    return set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", code)) - own - {"if", "for", "while", "switch", "return", "sizeof"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--page", required=True, type=pathlib.Path)
    parser.add_argument("--table", required=True)
    options = parser.parse_args()
    sources = output([options.table, "--sources"])
    kernels = set(re.findall(r"\w+", sources))
    blocks = re.findall(r"^```c dialect\n(.*?)^```", options.page.read_text(), re.M | re.S)
    page = set(re.findall(r"\w+", "".join(blocks)))
    wrong = []
    every = set()
    for backend in SETTINGS:
        prelude = output([options.table, "--prelude", backend])
        words = words_of(options.compiler, prelude, backend)
        every |= words
        for known in {"opencl": ("YOKE_KERNEL", "sqrtf", "yoke_atomic_add", "yoke_sub_group_ballot", "make_double4"),
                      "cuda": ("get_global_id", "convert_uchar_sat_rte", "native_sin", "vload4", "yoke_half")}[backend]:
            if known not in words:
                sys.exit(f"words.py no longer finds {known} in the prelude of {backend}")
        core = next(text for name, _, text in parts_of(prelude) if name is None)
        picked = [pattern for _, patterns, _ in parts_of(prelude) for pattern in patterns]
        for word in sorted(words - OF_VECTORS - set(re.findall(r"\w+", core))):
            if not any(fnmatch.fnmatchcase(word, pattern) for pattern in picked):
                wrong.append(f"{word} of {backend} does not pick its part of the prelude")
        wrong += [f"no kernel of tests/dialect has {word}, of {backend}" for word in sorted(words - kernels)]
        print(f"{backend}: {len(words)} words")
    called = called_in(sources)
    for known in ("sqrt", "atan2", "convert_char_sat_rtz", "get_global_id"):
        if known not in called:
            sys.exit(f"words.py no longer finds the call of {known} in the kernels")
    wrong += [f"no example of docs/dialect.md has {word}" for word in sorted(every | called)
              if word not in page and not any(family(word, page) for family in FAMILIES)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
