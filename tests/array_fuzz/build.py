# SPDX-License-Identifier: MIT
# Makes a program of newly generated functions of arrays, with their twins, for tests/array_fuzz/run.py.
"""usage: build.py --seed N --count N --output FOLDER --library FILE [--compiler CXX] [--jobs N] [--unit N] [-- FLAG...]

--library is the library of a build, static or shared; FOLDER gets yoke_array_fuzz and twins.py. Further arguments go to the compiler.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--unit", type=int, default=50, help="functions that are compiled together")
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for old in options.output.glob("unit_*"):
        old.unlink()
    subprocess.run([sys.executable, HERE / "generate.py", f"--seed={options.seed}", f"--count={options.count}",
                    f"--output={options.output}", f"--unit={options.unit}"], check=True)
    sources = [HERE / "program.cpp", *sorted(options.output.glob("unit_*.cpp"))]

    def compiled(source):
        to = options.output / (source.stem + ".o")
        done = subprocess.run([options.compiler, "-std=c++20", "-O0", "-g0", f"-I{TREE / 'include'}", f"-I{TREE / 'tests'}", *options.flags,
                               "-c", source, "-o", to], capture_output=True, text=True, check=False)
        return to, f"{source}:\n{done.stderr[:4000]}" if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        objects = list(pool.map(compiled, sources))
    failed = [what for _, what in objects if what]
    if failed:
        sys.exit("\n".join(failed))
    library = options.library.resolve()
    done = subprocess.run([options.compiler, *[to for to, _ in objects], *options.flags, library, f"-Wl,-rpath,{library.parent}", "-ldl",
                           "-lpthread", "-o", options.output / "yoke_array_fuzz"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr[:4000])


if __name__ == "__main__":
    main()
