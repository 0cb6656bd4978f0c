# SPDX-License-Identifier: MIT
# Headers that a compiler reads once for many programs that begin with them, for the checks that compile such programs. What a
# program sees is the same. Nothing notices that a header has changed: precompile first.
import pathlib
import re
import subprocess

DIRECTIVE = re.compile(r"^[ \t]*#.*", re.MULTILINE)


def beginning(text, headers=r"yoke/[^>]+"):
    """The headers, of those whose names match, that the directives of a program begin with."""
    found = []
    for directive in DIRECTIVE.findall(text):
        if re.match(r"[ \t]*#[ \t]*line\b", directive):
            continue
        include = re.match(rf"[ \t]*#[ \t]*include[ \t]*<({headers})>", directive)
        if not include:
            break
        found.append(include[1])
    return tuple(found)


def stand_in(folder, compiler, headers):
    """The file that stands for the headers on the command line; what the compiler read of them lies beside it, in .gch."""
    return pathlib.Path(folder, re.sub(r"\W", "_", compiler), re.sub(r"\W", "_", "+".join(headers)) + ".hpp")


def make(command, path, headers):
    """Has the compiler, with its options, read the headers; `path` is their stand-in. Returns: what it says of errors."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"#include <{header}>\n" for header in headers), encoding="utf-8")
    done = subprocess.run([*command, "-x", "c++-header", path, "-o", f"{path}.gch"], capture_output=True, text=True, check=False)
    return f"{command[0]}: {' '.join(headers)}:\n{done.stdout + done.stderr}" if done.returncode else ""


def use(path):
    """The options by which a program begins with a stand-in."""
    # Without what was precompiled, GCC would read the headers itself and say nothing.
    return ["-Winvalid-pch", "-include", path]
