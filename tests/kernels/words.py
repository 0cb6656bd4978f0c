# SPDX-License-Identifier: MIT
# Fails, naming them, when words that the simulator's prelude defines are in no kernel of the table.
"""usage: words.py --compiler CXX --prelude FOLDER -- PROGRAM [ARGUMENT...]

FOLDER is src/cuda_simulator; PROGRAM prints the text of every kernel. The words are taken from the preprocessed text
itself: what it declares outside the simulator's own namespaces, the members of its groups, and its macros.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# Words that no kernel can have, each with its reason.
EXCEPTIONS = {
    "cudaRoundMode": "the type of cudaRoundNearest and its like, which are there",
    "warp_group": "the simulator's own base of tiles and coalesced threads",
    "lanes": "the simulator's own",
    "members": "the simulator's own, of tiles and coalesced threads",
    "group_of_one": "the simulator's own name for what this_thread() gives",
    "cudaGraphSetConditional": "it needs a condition of a graph: tests/graph/graph_condition_test.cpp has it",
    "cudaGraphConditionalHandle": "the type of its condition",
    "__cudart_builtin__": "of its declaration",
    "CUDARTAPI": "of its declaration",
    "arrival": "the simulator's own name for an arrival_token",
    "volume": "the simulator's own",
    "parent_threads": "the simulator's own",
}
# Headers whose words are not CUDA's.
OWN_HEADERS = {
    "simulated_tensor_tiles.h": "the functions of cuda::tensor_tiles: tests/cuda/tensor/cuda_tensor_map_test.cpp has kernels with them",
}
OWN_NAMESPACES = ("yoke_simulator",)
OWN_CLASSES = ("lanes", "parent_threads", "wide_lock")


def preprocessed(compiler, folder):
    listed = re.search(r"set\(prelude_parts(.*?)\)", (folder / "CMakeLists.txt").read_text(), re.S)
    text = "".join((folder / "prelude" / part).read_text() for part in listed.group(1).split())
    headers = folder / "prelude" / "include"
    for header in sorted(headers.rglob("*.h")):
        if header.name in OWN_HEADERS:
            continue
        text += f"#include <{header.relative_to(headers)}>\n"
    command = [compiler, "-E", "-dD", "-undef", "-x", "c++", "-nostdinc", f"-I{headers}", "-std=c++17", "-"]
    output = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return re.sub(r'\A.*?^# 1 "<stdin>" 2$', "", output, flags=re.S | re.M)  # without the compiler's own macros


def balanced(tokens, at):
    """The index behind the bracket that closes the one at `at`."""
    opening, closing = tokens[at], {"(": ")", "{": "}", "<": ">"}[tokens[at]]
    depth = 0
    while True:
        depth += (tokens[at] == opening) - (tokens[at] == closing)
        at += 1
        if depth == 0:
            return at


def plain(declaration):
    """A declaration without templates' heads, attributes and the like."""
    while declaration and declaration[0] == "template":
        declaration = declaration[balanced(declaration, 1):]
    result, at = [], 0
    while at < len(declaration):
        if declaration[at] in ("__attribute__", "alignas", "decltype", "noexcept", "__asm__") and \
                declaration[at + 1:at + 2] == ["("]:
            at = balanced(declaration, at + 1)
        else:
            result.append(declaration[at])
            at += 1
    return result


class Words:
    """Collects what a preprocessed text declares."""

    def __init__(self, text):
        self.found = {name for name in re.findall(r"^#define (\w+)", text, re.M)
                      if not re.match(r"YOKE_SIMULATOR|__STDC|__cpp|__cplusplus|_?_?GNU", name)}
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        self.tokens = re.findall(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\w+|::|\S", text)
        self.walk(0, "", True)

    def walk(self, at, of_class, recorded):
        current, tokens = [], self.tokens
        while at < len(tokens):
            token = tokens[at]
            if token == "}":
                return at + 1
            if token == "(":
                end = balanced(tokens, at)
                current += tokens[at:end]
                at = end
            elif token == ":" and current and current[-1] in ("public", "private", "protected"):
                recorded = current[-1] == "public" and of_class not in OWN_CLASSES
                current, at = [], at + 1
            elif token == ";":
                self.note(plain(current), of_class, recorded)
                current, at = [], at + 1
            elif token == "{":
                at = self.enter(at, plain(current), of_class, recorded)
                current = []
            else:
                current.append(token)
                at += 1
        return at

    def enter(self, at, declaration, of_class, recorded):
        head = declaration[0] if declaration else ""
        if head == "namespace":
            return self.walk(at + 1, "", recorded and declaration[-1] not in OWN_NAMESPACES)
        if head == "extern" and len(declaration) == 2:
            return self.walk(at + 1, "", recorded)
        if head in ("struct", "class", "union") and "(" not in declaration:
            if recorded:
                self.found.add(declaration[1])
            return self.walk(at + 1, declaration[1], recorded and declaration[1] not in OWN_CLASSES)
        end = balanced(self.tokens, at)
        if head == "enum" and recorded:
            self.found.add(declaration[-1])
            self.found.update(re.findall(r"\b[A-Za-z_]\w*", " ".join(self.tokens[at:end])))
        else:
            self.note(declaration, of_class, recorded)
        return end

    def note(self, declaration, of_class, recorded):
        if not recorded or not declaration or declaration[0] in ("friend", "static_assert") or "operator" in declaration:
            return
        if declaration[0] == "using":
            names = [declaration[1]] if "=" in declaration else []
        elif "(" in declaration:
            name = declaration[declaration.index("(") - 1]
            names = [name] if name != of_class and declaration[0] != "~" else []
        elif of_class:
            names = []  # x, y, z, w
        else:
            names = [declaration[(declaration.index("=") if "=" in declaration else len(declaration)) - 1]]
        self.found.update(name for name in names if re.fullmatch(r"[A-Za-z_]\w*", name))


def missing(words, kernels):
    there = set(re.findall(r"\w+", kernels))
    return sorted(word for word in words if word not in there and word not in EXCEPTIONS)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--prelude", required=True, type=pathlib.Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    kernels = subprocess.run(options.command, capture_output=True, text=True, check=True).stdout
    prelude = Words(preprocessed(options.compiler, options.prelude)).found
    # A check that finds no words, or misses one of each kind, would pass for nothing.
    for known in ("__shared__", "sinf", "__fmaf_rz", "atomicCAS_system", "float4", "make_half2", "threadIdx", "meta_group_rank",
                  "cudaRoundZero", "tiled_partition", "shfl_up", "warpSize", "tex2DLod", "surf3Dwrite"):
        if known not in prelude:
            sys.exit(f"words.py no longer finds {known} in the prelude")
    if missing({"a_word_in_no_kernel"}, kernels) != ["a_word_in_no_kernel"]:
        sys.exit("words.py finds every word")
    unused = sorted(word for word in EXCEPTIONS if word not in prelude)
    absent = missing(prelude, kernels)
    for word in absent:
        print(f"no kernel of tests/kernels has {word}")
    for word in unused:
        print(f"{word} is an exception of words.py, but nothing defines it")
    print(f"{len(prelude)} words of the prelude, {len(absent)} in no kernel")
    return 1 if absent or unused else 0


if __name__ == "__main__":
    sys.exit(main())
