# SPDX-License-Identifier: MIT
# Catches an exported symbol that users' programs would miss, or could come to need: the shared library's list is checked in.
"""usage: symbols.py --library=FILE --list=FILE [--nm=NM] [--update] [--unoptimised]
--unoptimised: GCC has then made symbols, of type u, of variable templates; whatever their visibility, it exports them. Those that are listed count.
"""
import argparse
import pathlib
import re
import subprocess
import sys

OURS = re.compile(r"((typeinfo|typeinfo name|vtable|guard variable|VTT) for )?yoke::")
HEAD = ("# SPDX-License-Identifier: MIT\n"
        "# What the shared library exports; `./dev lists` writes it anew.\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--list", required=True)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--unoptimised", action="store_true")
    options = parser.parse_args()

    output = subprocess.run([options.nm, "-D", "--defined-only", "-C", "--format=posix", options.library],
                            capture_output=True, text=True, check=True).stdout
    # `name type value size`, where a demangled name may hold blanks
    found = re.findall(r"^(.*) ([A-Za-z]) [0-9a-f]+(?: [0-9a-f]+)?\s*$", output, re.MULTILINE)
    listing = pathlib.Path(options.list)
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []
    listed = {line for line in lines if line and line[0] != "#"}
    exported = {name for name, kind in found if not (options.unoptimised and kind == "u" and name not in listed)}
    # Constructors and destructors have several symbols of one name; the standard library's inline namespace is noise, and
    # so is the return type, which only instances of templates tell.
    exported = {re.sub(r"^(void|bool) ", "", name.replace("std::__cxx11::", "std::")) for name in exported}

    problems = [f"not yoke's: {name}" for name in sorted(exported) if not OURS.match(name)]
    if not exported:
        problems.append("nothing is exported")
    if options.update and not problems:
        listing.write_text(HEAD + "".join(f"{name}\n" for name in sorted(exported)), encoding="utf-8")
    elif not listing.exists():
        problems.append(f"{listing} is missing")
    else:
        problems += [f"exported, but not listed: {name}" for name in sorted(exported - listed)]
        problems += [f"listed, but not exported: {name}" for name in sorted(listed - exported)]
    print("\n".join(problems + [f"{len(exported)} symbols, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
