# SPDX-License-Identifier: MIT
# Catches a change that makes users wait longer for their compiler, or their programs larger, and that nobody has noticed.
# costs.json has the figures: by what is measured, by compiler. One may grow by 5 %; `./dev costs` writes them anew.
import json
import pathlib
import re
import subprocess

FILE = pathlib.Path(__file__).with_name("costs.json")
GROWTH = 1.05


def compiler_name(compiler):
    """The versions of a compiler and of its C++ library, on which the figures depend: "GCC 12, libstdc++ 12"."""
    done = subprocess.run([compiler, "-std=c++20", "-dM", "-E", "-x", "c++", "-"], input="#include <version>\n", capture_output=True,
                          text=True, check=True)
    macros = dict(re.findall(r"#define (\w+) (.*)", done.stdout))
    name = f"Clang {macros['__clang_major__']}" if "__clang_major__" in macros else f"GCC {macros['__GNUC__']}"
    library = f"libstdc++ {macros['_GLIBCXX_RELEASE']}" if "_GLIBCXX_RELEASE" in macros else "another library"
    return f"{name}, {library}"


def compare(kind, compiler, figures, advice):
    """Prints each figure beside the one that is kept. `advice` says how to find what grew.
    Returns: how many have grown too much or are not kept. None: there are none for this compiler."""
    name = compiler_name(compiler)
    kept = json.loads(FILE.read_text(encoding="utf-8")).get(kind, {}).get(name)
    if kept is None:
        print(f"{kind}: not compared, because {FILE.name} has no figures of {name}; `./dev costs` writes them")
        return None
    wrong = 0
    for title, figure in figures.items():
        before = kept.get(title)
        print(f"{name}: {title}: {figure} {kind}; {FILE.name} has {before}")
        if before is None:
            print(f"{title} is new: `./dev costs` writes its figure")
            wrong += 1
        elif figure > before * GROWTH:
            print(f"{title} has grown by more than 5 %, from {before} to {figure} {kind}. {advice}\n"
                  f"If it has to be so, run `./dev costs`, and say in the commit why.")
            wrong += 1
    return wrong


def keep(kind, compiler, figures):
    """Writes figures to the file in place of those of the same kind, compiler and titles."""
    everything = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    everything.setdefault(kind, {}).setdefault(compiler_name(compiler), {}).update(figures)
    FILE.write_text(json.dumps(everything, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    for title, figure in figures.items():
        print(f"{title}: {figure} {kind}, written to {FILE.name}")


def settle(update, kind, compiler, figures, advice):
    """Writes figures or compares them. Returns: as `compare`."""
    if update:
        keep(kind, compiler, figures)
        return 0
    return compare(kind, compiler, figures, advice)


def status(results):
    """The exit status of a check with the results of several comparisons: 77 if nothing was compared."""
    results = [each for each in results if each is not None]
    return 77 if not results else 1 if sum(results) else 0
