# SPDX-License-Identifier: MIT
# Fails, naming them, when a prelude has an identifier that a program may define as a macro: a parameter, variable, member
# or type of its own whose name is not reserved.
"""usage: names.py --table PROGRAM

PROGRAM is yoke_dialect_table, which prints the preludes. What a prelude declares for its users is no such name, nor is a
word of the language that reads it. A macro's own parameters are none: they are replaced before anything else is.
"""
import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

RESERVED = re.compile(r"__|_[A-Z]|yoke_|YOKE_")
LANGUAGES = {
    "opencl": """
        auto char const do double else float for if inline int long return short static struct typedef unsigned uint ulong ushort uchar
        void volatile while restrict half size_t sizeof static_assert NDEBUG
        asm printf barrier mem_fence uint4 x y
        OPENCL EXTENSION FP_CONTRACT ON enable CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE unroll overloadable
        reqd_work_group_size vload_half vstore_half_rte convert_float convert_half_rte atomic atom
        get_sub_group_id get_sub_group_local_id get_num_sub_groups get_sub_group_size sub_group_* intel_sub_group_* cl_*
        image1d_t image2d_t image3d_t image1d_array_t image2d_array_t sampler_t read_image* write_image* CLK_* xy
        get_local_id get_local_size get_global_id get_global_size get_global_offset as_*
        atomic_work_item_fence memory_order_acq_rel memory_scope_work_item""",
    "cuda": """
        bool char class const const_cast constexpr decltype default do double else enum explicit extern false float for
        friend if int long operator return short signed sizeof static static_assert struct template this true typedef
        typename union unsigned using void volatile while reinterpret_cast asm size_t ptrdiff_t auto
        threadIdx blockIdx blockDim gridDim printf assert NDEBUG memcpy GCC unroll line include x y z w atomic*
        sin cos sqrt rint rintf floor ceil fabs fmin fma pow exp2f sqrtf rsqrtf float2 float4 int2 int4 uint2 uint4
        double2 make_* cuda_fp16 h engine is_shared case switch static_cast maybe_unused fmaxf fminf cudaBoundaryModeZero namespace""",
}


def unmarked(text):
    text = re.sub(r"//.*", "", text)
    return re.sub(r"\"(?:\\.|[^\"\\])*\"", '""', text)


def names_of(prelude):
    """Every identifier, but for those that a macro's parameters stand for, and directives' own words."""
    found = set()
    text = unmarked(prelude).replace("\\\n", " ")
    for line in text.splitlines():
        directive = re.match(r"\s*#\s*(\w+)(.*)", line)
        if directive is None:
            found.update(re.findall(r"\b[A-Za-z_]\w*", re.sub(r"\b\d\w*(\.\w*)?|\.\d\w*", "0", line)))
            continue
        word, rest = directive.groups()
        if word == "include":
            continue
        macro = re.match(r"\s*(\w+)(?:\(([^)]*)\))?(.*)", rest) if word == "define" else None
        parameters, body = set(), rest
        if macro is not None:
            parameters = set(re.findall(r"\w+", macro.group(2) or ""))
            body = macro.group(1) + " " + macro.group(3)
        body = re.sub(r"#+\s*(\w+)", lambda match: " " if match.group(1) in parameters else match.group(0), body)
        body = re.sub(r"\b(\w+)\s*##\s*\w*", "", body)
        body = re.sub(r"\b\d\w*(\.\w*)?|\.\d\w*", "0", body)
        found.update(set(re.findall(r"\b[A-Za-z_]\w*", body)) - parameters)
    return found - {"defined"}


def declared_in(prelude):
    """What a prelude declares outside of functions, and what its macros make such declarations of."""
    text = unmarked(prelude).replace("\\\n", " ")
    found = set(re.findall(r"^#\s*define (\w+)", text, re.M))
    found |= set(re.findall(r"YOKE_D_FUNCTION[^(;{]*?\b(\w+?)(?:##\w+)*\(", text))
    found |= set(re.findall(r"^typedef .*?\b(\w+);", text, re.M))
    for given in re.findall(r"^YOKE_D_\w+\((.*)\)$|\bYOKE_D_\w+\(([^()]*)\)", text, re.M):
        found.update(re.findall(r"[a-z]\w+", " ".join(given)))
    for words in re.findall(r"^//words (.*)$", prelude, re.M):
        found.update(words.split())
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--table", required=True)
    options = parser.parse_args()
    wrong = []
    for backend, words in LANGUAGES.items():
        prelude = subprocess.run([options.table, "--prelude", backend], capture_output=True, text=True, check=True).stdout
        names = names_of(prelude)
        for always in ("YOKE_KERNEL", "yoke_atomic_add", "__a"):
            if always not in names:
                sys.exit(f"names.py no longer finds {always} in the prelude of {backend}")
        known = declared_in(prelude) | set(words.split())
        known |= {name[:-1] for name in known if name.endswith("f")}  # OpenCL C's `sqrt`, of which sqrtf is made
        wrong += [f"{backend}: {name}" for name in sorted(names)
                  if RESERVED.match(name) is None and not any(fnmatch.fnmatchcase(name, each) for each in known)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
