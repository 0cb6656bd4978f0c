# SPDX-License-Identifier: MIT
# Catches a header that users cannot include alone or twice, that is above its floor, shows a vendor's header or leaves a macro behind.
"""usage: headers.py (alone | bodies | graph | macros | umbrella) INCLUDE_DIR [--compiler=CXX...] [--everywhere]
       headers.py simulator DIR: the folders of the simulator, src/cuda_simulator
--everywhere: alone has all compilers read each header, and the first one with its bodies; without it the first compiler reads the
umbrellas and every sixth chain of the others without them.
--beside=DIR: where headers of others are that a compiler does not find by itself, MPI's.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# From the ground to the roof: a folder may include its own floor and those below it. Folders of one row are neighbours
# that do not see each other.
FLOORS = [["kernels"], ["core"], ["language"], ["driver"], ["execution"], ["testing"], ["memory"], ["program"], ["image"],
          ["graph"], ["array", "algorithm"], ["linalg", "fft", "distributed"], ["sparse"],
          ["opencl", "cuda", "local", "nccl"], ["mpi"], ["."]]
NEIGHBOURS_MAY_MEET = {"array", "algorithm"}
# The rooms of a floor, in the same order.
ROOMS = {"array": ["geometry", "evaluation", "storage", "expression", "kernel", "reduction"]}
FLOOR = {folder: number for number, row in enumerate(FLOORS) for folder in row}
# The simulator's folders, in the same way. Its files name each other by their paths from src/cuda_simulator.
SIMULATOR_FLOORS = [["prelude"],
                    ["engine/system"], ["engine/binary", "engine/words"], ["engine/launch"], ["engine/compile"],
                    ["machine/base"], ["machine/device"], ["machine/stream"], ["machine/memory"], ["machine/image"], ["machine/work"],
                    ["machine/program"], ["machine/launch"], ["machine/graph"],
                    ["driver"],
                    ["driver/context", "driver/graph", "driver/image", "driver/memory", "driver/program", "driver/stream"]]
SIMULATOR_FLOOR = {folder: number for number, row in enumerate(SIMULATOR_FLOORS) for folder in row}
# Headers of others, and of the system, that a user of the library must not be made to see.
FOREIGN = re.compile(r"(CL|cuda|cuda_.*|nvrtc|fmt)(/.*)?(\.h|\.hpp)?|cuda.*\.h|nvrtc\.h|mpi(-ext)?\.h")
SYSTEM = re.compile(r"(sys/.*|dlfcn|unistd|fcntl|pthread|windows)(\.h)?")
# A line that C++20 reads as a directive of modules, wherever it stands; CUDA's compiler refuses it.
MODULE_LINE = re.compile(r"^[ \t]*(?:export[ \t]+)?(?:module|import)[ \t]+\w.*", re.MULTILINE)
# How a header brings its bodies into the file that defines YOKE_IMPLEMENTATION.
BODIES = re.compile(r"^#if defined\(YOKE_IMPLEMENTATION\)\n(?:#include <[^>]+>\n|\n)+#endif\n", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
# The lines that may stand among the includes at the top of a header, before its first declaration or condition.
TOP = re.compile(r"[ \t]*(?://.*|#[ \t]*(?:include\b|define[ \t]+\w+$|pragma[ \t]+once).*)?")


MPI_FUNCTIONS = pathlib.Path("yoke/mpi/functions.hpp")


def opt_in(path):
    return (path.name in ("interop.hpp", "nvtx.hpp") or path.as_posix() in ("yoke/fmt.hpp", "yoke/catch2.hpp", "yoke/mpi.hpp")
            or path.as_posix().startswith("yoke/mpi/"))


def is_text(path):
    """Whether it is a text for compilers of kernels: a part of a prelude, or a kernel."""
    return "prelude" in path.parts or "kernels" in path.parts


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        files = sorted(self.root.glob("yoke/**/*.[hi]pp"))
        self.files = [file.relative_to(self.root) for file in files]
        self.headers = [file for file in self.files if file.suffix == ".hpp"]
        self.includes = {file: INCLUDE.findall((self.root / file).read_text(encoding="utf-8")) for file in self.files}
        if not self.headers:
            sys.exit(f"no headers under {root}")

    def ours(self, file):
        return [pathlib.Path(name) for _, name in self.includes[file] if name.startswith("yoke/")]

    def top(self, header):
        """What stands at the top of a header and not under a condition, but for its guard."""
        lines = (self.root / header).read_text(encoding="utf-8").splitlines()
        guard = next((number for number, line in enumerate(lines) if line.lstrip().startswith("#")), 0)
        if lines[guard:] and lines[guard].startswith("#ifndef"):
            del lines[guard]
        return "\n".join(itertools.takewhile(TOP.fullmatch, lines))

    def foreign(self, header):
        """Headers of others that an opt-in header cannot do without: those at its top, and at the top of those it includes."""
        found, reached, todo = [], set(), [header]
        while todo:
            file = todo.pop()
            if file in reached or file not in self.includes:
                continue
            reached.add(file)
            # No header of this folder can do without MPI's, which stands below definitions that it reads.
            whole = file == header or file == MPI_FUNCTIONS
            names = self.includes[file] if whole else INCLUDE.findall(self.top(file))
            found += [name for _, name in names if FOREIGN.fullmatch(name) and name not in found and not name.startswith("mpi-ext")]
            todo += [target for target in self.ours(file) if opt_in(target)]
        return found

    def chains(self, headers):
        """Chains in which each header includes the one before it at its top, straight or through others, so that what stands
        before it tells it nothing new: who reads a chain reads each of it alone. Few of the large headers end one."""
        direct = {header: {file for _, name in INCLUDE.findall(self.top(header)) if (file := pathlib.Path(name)) in self.includes}
                  for header in self.headers}
        reached = {}

        def reach(header):
            if header not in reached:
                reached[header] = set()  # in a circle nobody is before himself
                for file in direct.get(header, ()):
                    reached[header] |= {file} | reach(file)
                reached[header].discard(header)
            return reached[header]

        # A matching of headers with what follows them; the largest choose first.
        includers = {header: [other for other in headers if header in reach(other)] for header in headers}
        before, after = {}, {}

        def match(header, tried):
            for other in includers[header]:
                if other not in tried:
                    tried.add(other)
                    if other not in before or match(before[other], tried):
                        before[other], after[header] = header, other
                        return True
            return False

        for header in sorted(headers, key=lambda one: len(reach(one)), reverse=True):
            match(header, set())

        def chain(header):
            return [*chain(before[header]), header] if header in before else [header]

        return [chain(header) for header in headers if header not in after]

    def standard(self):
        """What the library includes of the standard library and the system, without opt-in headers and bodies for Windows."""
        files = [file for file in self.files if not opt_in(file) and "windows" not in file.parts]
        return sorted({name for file in files for _, name in self.includes[file] if not name.startswith("yoke/")})


def folder(file):
    return file.parts[1] if len(file.parts) > 2 else "."


def check_graph(tree, _):
    problems = []
    for file in tree.files:
        if folder(file) not in FLOOR:
            problems.append(f"{file}: no floor is known for the folder {folder(file)}")
            continue
        if is_text(file) and tree.includes[file]:
            problems.append(f"{file}: <{tree.includes[file][0][1]}> stands in a text for device compilers")
        if file.suffix == ".hpp":
            declarations = BODIES.sub("", (tree.root / file).read_text(encoding="utf-8"))
            problems += [f"{file}: <{name}> stands outside of #if defined(YOKE_IMPLEMENTATION)"
                         for _, name in INCLUDE.findall(declarations)
                         if name.endswith(".ipp") and not is_text(pathlib.PurePath(name)) and "windows" not in name]
        if not is_text(file):
            problems += [f"{file}: '{line.strip()}' reads as a directive of modules: qualify the type"
                         for line in MODULE_LINE.findall((tree.root / file).read_text(encoding="utf-8"))]
        for quote, name in tree.includes[file]:
            if quote == '"':
                problems.append(f'{file}: "{name}" should be <{name}>')
            if name.startswith("yoke/"):
                target = pathlib.Path(name)
                if target not in tree.includes:
                    problems.append(f"{file}: <{name}> does not exist")
                    continue
                here, there = folder(file), folder(target)
                neighbours = here != there and FLOOR[here] == FLOOR.get(there) and here not in NEIGHBOURS_MAY_MEET
                if FLOOR.get(there, 99) > FLOOR[here] or neighbours:
                    problems.append(f"{file}: <{name}> is not below it")
                rooms = ROOMS.get(here, []) if here == there else []
                if rooms and rooms.index(target.parts[2]) > rooms.index(file.parts[2]):
                    problems.append(f"{file}: <{name}> is in a room above its own")
                if opt_in(target) and not opt_in(file):
                    problems.append(f"{file}: <{name}> is opt-in")
            elif not opt_in(file) and FOREIGN.fullmatch(name):
                problems.append(f"{file}: <{name}> is somebody else's")
            elif name == "cxxabi.h":  # in programs that include the bodies, too
                problems.append(f"{file}: <{name}> makes abi a name of the global namespace: use core/demangle.hpp")
            elif file.suffix == ".hpp" and SYSTEM.fullmatch(name):
                problems.append(f"{file}: <{name}> belongs in an .ipp")
    # A test compares one of them with the version.
    versions = sorted({name for file in tree.files
                       for name in re.findall(r"\binline (v\d+_\d+)\b", (tree.root / file).read_text(encoding="utf-8"))})
    problems += [f"inline namespaces of several versions: {', '.join(versions)}"] * (len(versions) > 1)
    return problems + cycles(tree)


def cycles(tree):
    """Circles of includes among the declarations; a header and its own .ipp do not count."""
    found, state = [], {}

    def visit(file, path):
        state[file] = "open"
        for target in tree.ours(file):
            if target.suffix != ".hpp" or target not in tree.includes:
                continue
            if state.get(target) == "open":
                circle = path[path.index(target):] + [target] if target in path else [file, target]
                found.append("includes in a circle: " + " -> ".join(str(step) for step in circle))
            elif target not in state:
                visit(target, path + [target])
        state[file] = "done"

    for header in tree.headers:
        if header not in state:
            visit(header, [header])
    return found


def check_bodies(tree, _):
    """A body stands beside the header of its name, which alone brings it: who knows one of the two knows the other, and no
    unit has a function of another one."""
    problems = []
    for body in (file for file in tree.files if file.suffix == ".ipp" and not is_text(file) and "windows" not in file.parts):
        header = body.with_suffix(".hpp")
        if header not in tree.includes:
            problems.append(f"{body}: there is no {header.name} beside it")
        elif body not in tree.ours(header):
            problems.append(f"{header} does not include its body")
    for file in tree.files:
        for name in tree.ours(file):
            if name.suffix == ".ipp" and name != file.with_suffix(".ipp") and not is_text(name) and "windows" not in name.parts:
                problems.append(f"{file}: <{name}> is another header's body")
    return problems


def check_umbrella(tree, _):
    umbrella = pathlib.Path("yoke/yoke.hpp")
    if umbrella not in tree.includes:
        return [f"{umbrella} is missing"]
    # What a program asks for by itself stands beside it: <yoke/cache.hpp>.
    reached, todo = set(), [header for header in tree.headers if folder(header) == "." and not opt_in(header)]
    while todo:
        file = todo.pop()
        if file in reached or file not in tree.includes:
            continue
        reached.add(file)
        todo += tree.ours(file)  # what only the bodies need, too
    missing = [f"{header} is not reached from an umbrella" for header in tree.headers
               if header not in reached and not opt_in(header)]
    # The file with YOKE_IMPLEMENTATION includes this one alone, and has the bodies of all.
    named = set(tree.ours(umbrella))
    missing += [f"{umbrella} with YOKE_IMPLEMENTATION lacks the bodies of {header}" for header in tree.headers
                if folder(header) == "." and header != umbrella and header not in named and not opt_in(header)]
    return missing


class SimulatorTree:
    """The simulator's sources, but for the headers that it serves to kernels."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = [file.relative_to(self.root) for file in sorted(self.root.glob("**/*.[hc]pp"))]
        self.headers = [file for file in self.files if file.suffix == ".hpp"]
        self.includes = {file: INCLUDE.findall((self.root / file).read_text(encoding="utf-8")) for file in self.files}
        if not self.headers:
            sys.exit(f"no headers under {root}")

    def ours(self, file):
        return [pathlib.Path(name) for quote, name in self.includes[file] if quote == '"']

    @staticmethod
    def floor_of(file):
        """The folder that has a floor, of which this may be a part; None if no floor is known."""
        return next((folder.as_posix() for folder in file.parents if folder.as_posix() in SIMULATOR_FLOOR), None)


def check_simulator(tree, _):
    """A noun that reaches up, as through a state of everything, cannot be read, changed or tested without all that is above it."""
    problems = []
    for file in tree.files:
        here = tree.floor_of(file)
        if here != file.parent.as_posix():
            problems.append(f"{file}: no floor is known for the folder {file.parent}")
            continue
        for quote, name in tree.includes[file]:
            target = pathlib.Path(name)
            if quote == "<":
                if (tree.root / name).is_file():
                    problems.append(f'{file}: <{name}> should be "{name}"')
            elif not (tree.root / name).is_file():
                problems.append(f'{file}: "{name}" should be the path of a file from {tree.root.name}')
            elif target.suffix == ".cpp":
                problems.append(f'{file}: "{name}" is compiled by itself')
            else:
                there = tree.floor_of(target)
                if there is None or (there != here and SIMULATOR_FLOOR[there] >= SIMULATOR_FLOOR[here]):
                    problems.append(f'{file}: "{name}" is not below it')
    return problems + cycles(tree)


def compile_text(compiler, root, text, *flags):
    command = [compiler, "-std=c++20", "-fdiagnostics-color=never", f"-I{root}", *flags, "-x", "c++", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def in_pairs(tasks):
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return [problem for problem in pool.map(lambda task: task(), tasks) if problem]


def check_alone(tree, options):
    """Each header first and twice in a file of its own; all of them under hostile macros; two files linked together."""
    compilers, everywhere = options.compiler or [os.environ.get("CXX", "c++")], options.everywhere
    warnings = ["-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]

    def alone(compiler, chain, mode):
        def task():
            text = "".join(f"#include <{header.as_posix()}>\n" for header in [*chain, *chain]) + "int main() {}\n"
            code, _, errors = compile_text(compiler, tree.root, text, *warnings, *mode)
            return code and f"{compiler}: {' or '.join(map(str, chain))} does not stand alone {' '.join(mode)}\n{errors[:3000]}"
        return task

    def hostile(compiler):
        def task():
            text = "".join(f"#include <{name}>\n" for name in tree.standard())
            text += "#define min(a, b) ((a) < (b) ? (a) : (b))\n#define max(a, b) ((a) > (b) ? (a) : (b))\n"
            text += "#define small char\n#define interface struct\n#define near\n#define far\n"
            text += "".join(f"#include <{header.as_posix()}>\n" for header in tree.headers if not opt_in(header))
            code, _, errors = compile_text(compiler, tree.root, text + "int main() {}\n", "-fsyntax-only")
            return code and f"{compiler}: the headers break under min, max, small, interface\n{errors[:3000]}"
        return task

    others = [word for place in options.beside for word in ("-isystem", place)]

    def beside(compiler, header, names, *flags):
        def task():
            text = "".join(f"#include <{name}>\n" for name in names) + "int main() {}\n"
            code, _, errors = compile_text(compiler, tree.root, text, "-fsyntax-only", *others, *flags)
            return code and f"{compiler}: {header} does not stand {' '.join(flags)} as in\n{text}{errors[:3000]}"
        return task

    def orders(header, foreign):
        """The header before and after what it is about, and after the umbrella; what another list begins with is in that."""
        lists = [[header], [header, *foreign], [*foreign, header], ["yoke/yoke.hpp", header, header],
                 [*foreign, "yoke/yoke.hpp", header]]
        return [one for number, one in enumerate(lists)
                if one not in lists[:number] and all(other == one or other[:len(one)] != one for other in lists)]

    # All compilers read one standard library: what stands alone for the first does for the others, whose warnings the
    # tests show.
    thorough = compilers if everywhere else compilers[:1]
    tasks = [hostile(compiler) for compiler in thorough]
    for compiler in thorough:
        for header in (header for header in tree.headers if opt_in(header) and folder(header) != "mpi"):
            foreign = tree.foreign(header)
            probe = "".join(f"#if !__has_include(<{name}>)\n#error\n#endif\n" for name in foreign)
            if compile_text(compiler, tree.root, probe, "-fsyntax-only", *others)[0]:
                print(f"{compiler}: {header} left out: {' '.join(foreign)} not installed")
                continue
            tasks += [beside(compiler, header, order) for order in orders(header, foreign)]
            # A program may have chosen a version of the vendor's interface.
            if compiler == compilers[0] and any(name.startswith("CL/") for name in foreign):
                tasks += [beside(compiler, header, ["CL/cl.h", header], f"-DCL_TARGET_OPENCL_VERSION={version}")
                          for version in ((110, 120, 200, 300) if everywhere else (110, 300))]
            if header == pathlib.Path("yoke/mpi.hpp"):  # whose parts users may include alone
                tasks += [alone(compiler, chain, others) for chain in
                          tree.chains([part for part in tree.headers if opt_in(part) and folder(part) == "mpi"])]
    all_headers = [header for header in tree.headers if not opt_in(header)]
    umbrellas = [header for header in all_headers if folder(header) == "."]
    # Without --everywhere the first one reads the umbrellas and every sixth chain of the others; the tests are compiled by another.
    for compiler in thorough:
        chains = tree.chains(all_headers)
        if not everywhere and len(chains) > 40:
            chains = [chain for number, chain in enumerate(chains) if number % 6 == 0 or chain[-1] in umbrellas]
        tasks += [alone(compiler, chain, []) for chain in chains]
    # The file with the bodies may include any header alone. The umbrella pulls everything in, so without --everywhere that one,
    # which is linked too, and the ground say enough.
    ground = pathlib.Path("yoke/core/error.hpp")
    tasks += [alone(compiler, chain, ["-DYOKE_IMPLEMENTATION"]) for compiler in compilers[:1] for chain in
              tree.chains(all_headers if everywhere else [ground] if ground in tree.includes else [])]
    # The longest come first, so that none is left over at the end.
    return in_pairs([linked(tree, compiler, warnings) for compiler in thorough] + tasks)


def linked(tree, compiler, warnings):
    """The umbrella first and twice, then every header: with the bodies in one file and without them in two others, which are one
    text, so they are compiled once. The three must link: nothing is defined twice."""
    umbrella = pathlib.Path("yoke/yoke.hpp")
    headers = [umbrella, umbrella] + [header for header in tree.headers if not opt_in(header)]
    text = "".join(f"#include <{header.as_posix()}>\n" for header in headers)

    def task():
        with tempfile.TemporaryDirectory() as place:
            flags = [flag for flag in warnings if flag != "-fsyntax-only"]
            for name, *mode in (("bodies", "-DYOKE_IMPLEMENTATION"), ("a",)):
                code, _, errors = compile_text(compiler, tree.root, text, *mode, *flags, "-c", "-o", f"{place}/{name}.o")
                if code:
                    return f"{compiler}: {umbrella} does not stand alone {' '.join(mode)}\n{errors[:3000]}"
            shutil.copyfile(f"{place}/a.o", f"{place}/b.o")
            pathlib.Path(place, "main.cpp").write_text("int main() {}\n", encoding="utf-8")
            command = [compiler, *(f"{place}/{name}" for name in ("main.cpp", "bodies.o", "a.o", "b.o")), "-o", f"{place}/program",
                       "-ldl", "-pthread"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode and f"{compiler}: files with all headers, of which one has the bodies, do not link\n{done.stderr[:3000]}"
    return task


def check_macros(tree, options):
    problems = []
    before = "".join(f"#include <{name}>\n" for name in tree.standard())
    everything = before + "".join(f"#include <{header.as_posix()}>\n" for header in tree.headers if not opt_in(header))
    for compiler in options.compiler:
        for mode in ([], ["-DYOKE_IMPLEMENTATION"]):
            sets = []
            for text in (before, everything):
                code, output, errors = compile_text(compiler, tree.root, text, "-dM", "-E", *mode)
                if code:
                    return [f"{compiler}: {errors[:3000]}"]
                sets.append(set(re.findall(r"^#define (\w+)", output, re.MULTILINE)))
            problems += [f"{compiler}: the macro {name} is left behind {' '.join(mode)}" for name in
                         sorted(sets[1] - sets[0]) if not name.startswith("YOKE_")]
    return problems


def main():
    checks = {"alone": check_alone, "bodies": check_bodies, "graph": check_graph, "macros": check_macros, "simulator": check_simulator,
              "umbrella": check_umbrella}
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("check", choices=checks)
    parser.add_argument("include_dir")
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--everywhere", action="store_true")
    parser.add_argument("--beside", action="append", default=[])
    options = parser.parse_args()
    tree = (SimulatorTree if options.check == "simulator" else Tree)(options.include_dir)
    problems = checks[options.check](tree, options)
    for problem in problems:
        print(problem)
    print(f"{options.check}: {len(tree.headers)} headers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
