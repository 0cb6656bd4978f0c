# SPDX-License-Identifier: MIT
# ./dev try: builds what a few files need and nothing else, runs their cases, and prints the verdict.
"""usage: try.py --build=DIR --gcc=CXX --jobs=N FILE...

FILE           what is built and run
a test         its own program, on every device
a body         the library's unit that has it, and the tests of its name
a header       the tests of its name, built anew with all bodies, and the rejected programs of its name
a page         its code blocks, and the kernels in them
an example     the example
a rejected program (tests/compile_fail)   by each compiler
the simulator  the simulator, and its tests of that name

The tests of a name: `x_test.cpp`, also behind `cuda_`, `opencl_` or `any_`, and `driver_` for the simulator; else those of the name without its
last word; else those of the files that include it. Tests that are given are run in their place.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
INCLUDE = ROOT / "include"
CHECKS = ROOT / "cmake" / "checks"
# They link other parts of the library, and have no program that is built anew.
LINKED_ONLY = {"cuda_simulator", "dialect", "fuzz", "kernels"}
# Seconds that a header's rejected programs may take the whole run to; those that are left are named.
BUDGET = 25


@functools.cache
def test_files():
    return sorted(path for path in TESTS.rglob("*_test.cpp")
                  if not {"compile_fail", "consumers"} & set(path.relative_to(TESTS).parts))


def named(stem, folders=None):
    """The tests of a name; of several folders the given ones' alone, if there are any."""
    names = {f"{prefix}{stem}_test" for prefix in ("", "cuda_", "opencl_", "any_")}
    found = [path for path in test_files() if path.stem in names]
    near = [path for path in found if folders and folders_of(path) & folders]
    return sorted(near, key=lambda path: -len(folders_of(path) & folders)) or found


def folders_of(test):
    return set(test.relative_to(TESTS).parent.parts)


def header_of(path):
    """The header that a body belongs to."""
    return path.with_suffix(".hpp") if path.suffix == ".ipp" else path


@functools.cache
def included_by():
    users = {}
    for path in [*INCLUDE.rglob("*.hpp"), *INCLUDE.rglob("*.ipp")]:
        for name in re.findall(r'^\s*#\s*include\s*[<"](yoke/[^>"]+)', path.read_text(encoding="utf-8"), re.MULTILINE):
            users.setdefault(INCLUDE / name, []).append(path)
    return users


def tests_of(path):
    """The tests that a source is tried by."""
    if "cuda_simulator" in path.parts:
        words = re.sub(r"_entries$", "", path.stem).split("_")
        folder = TESTS / "cuda_simulator"
        for stem in ("_".join(words[:count]) for count in range(len(words), 0, -1)):
            for name in (stem, f"driver_{stem}", *(f"driver_{stem.removesuffix(end)}" for end in ("s", "y"))):
                found = sorted(folder.rglob(f"{name}_test.cpp")) or sorted(folder.rglob(f"{name}_*test.cpp"))
                if found:
                    return found[:3]
        return []
    level, seen = [path, header_of(path)], set()
    for _ in range(4):
        for each in level:
            words = each.stem.split("_")
            for count in range(len(words), 0, -1):
                found = named("_".join(words[:count]), set(each.parts))
                if found and (count == len(words) or count > 1 or each.parent.name in folders_of(found[0])):
                    return found[:4]
        seen |= set(level)
        level = sorted({user for each in level for user in (*included_by().get(each, []), header_of(each))
                        if user not in seen and user.stem != "yoke"})
    return []


def rejected_programs(header):
    text = f"<{header.relative_to(INCLUDE)}>"
    found = []
    for path in sorted((TESTS / "compile_fail").glob("*.cpp")):
        if path.stem.startswith((header.stem, header.stem + "s")) or text in path.read_text(encoding="utf-8"):
            found.append(path)
    return found


class Follower:
    """Builds the library behind a verdict, so that the next run need not compile all bodies. It ends when that one begins."""

    def __init__(self, build):
        self.build, self.note = build, build / "follower.pid"

    def is_running(self, pid):
        try:
            return os.fsencode(self.build) in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False

    def end(self):
        if not self.note.exists():
            return
        pid = int(self.note.read_text(encoding="utf-8"))
        self.note.unlink()
        if self.is_running(pid):
            os.killpg(pid, signal.SIGTERM)
        while self.is_running(pid):
            time.sleep(0.01)

    def begin(self, jobs):
        # The library is newer than the headers then, also where none of its units has those that changed.
        started = subprocess.Popen(
            ["sh", "-c", 'nice -n 10 cmake --build "$0" --parallel "$1" --target yoke_core && touch "$0/src/libyoke.so"', self.build, str(jobs)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.note.write_text(str(started.pid), encoding="utf-8")
        print("the library is built in the background, for the next run")


class Plan:
    """What the given files ask for."""

    def __init__(self, files):
        self.tests, self.fresh, self.targets = {}, False, []
        self.pages, self.examples, self.rejected, self.named_rejected = [], [], [], []
        given_tests = [path for path in files if path.stem.endswith("_test")]
        for path in files:
            self.add(path, given_tests)

    def add(self, path, given_tests):
        place = path.relative_to(ROOT).parts
        if path in given_tests:
            self.tests.setdefault(path, "is given")
        elif path.suffix == ".md":
            self.pages.append(path)
        elif place[0] == "examples" and path.suffix == ".cpp":
            self.examples.append(path)
        elif place[:2] == ("tests", "compile_fail"):
            self.rejected.append(path)
        elif place[0] == "tests":
            name = f"<{path.relative_to(TESTS).as_posix()}>"
            users = [test for test in test_files() if name in test.read_text(encoding="utf-8")]
            self.take(path, given_tests or users[:3])
        elif place[0] in ("include", "src"):
            self.take(path, given_tests or tests_of(path))
            if path.suffix == ".hpp" and place[0] == "include":
                self.fresh = True
                self.named_rejected += rejected_programs(path)
        else:
            sys.exit(f"{path}: try takes tests, headers, bodies, units, pages, examples and rejected programs")

    def take(self, path, tests):
        if not tests:
            sys.exit(f"{path.relative_to(ROOT)}: no test has its name, nor that of a file that includes it. Name a test as well:\n"
                     f"  ./dev try {path.relative_to(ROOT)} tests/.../x_test.cpp")
        for test in tests:
            self.tests.setdefault(test, f"for {path.name}")


def program_name(test):
    return ".".join(test.relative_to(TESTS).with_suffix("").parts)


class Runner:
    def __init__(self, options):
        self.options, self.start, self.failed, self.ran, self.lines = options, time.monotonic(), [], 0, []

    def seconds(self):
        return time.monotonic() - self.start

    def headers_are_newer(self):
        """Whether the library would be compiled in large parts because of a header that is none of the given files."""
        library = self.options.build / "src" / "libyoke.so"
        if not library.exists():
            return False
        built = library.stat().st_mtime
        return any(path.stat().st_mtime > built for path in (INCLUDE / "yoke").rglob("*.hpp"))

    def build(self, targets):
        done = subprocess.run(["cmake", "--build", str(self.options.build), "--parallel", str(self.options.jobs), "--target", *targets],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            lines = [line for line in done.stdout.splitlines() if not re.match(r"\[\d+/\d+\] (Building|Linking|Re-)", line)]
            print("\n".join(lines[:60]) + done.stderr)
            sys.exit(f"FAILED: it does not build ({self.seconds():.1f} s)")

    def run(self, name, command, **settings):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False, **settings)
        self.ran += 1
        if done.returncode == 77:  # as CTest is told
            print(f"  {name}: {done.stdout.strip()}")
            return
        if done.returncode != 0:
            self.failed.append(name)
            print(f"--- {name}\n{done.stdout}{done.stderr}")
            return
        summary = re.findall(r"\(.*assertions? in .*cases?\)|^ok: .*|\d+ code blocks.*", done.stdout, re.MULTILINE)
        skips = done.stdout.count("YOKE-SKIP:")
        print(f"  {name}: {summary[-1] if summary else 'passed'}" + (f", {skips} listed skips" if skips else ""))

    def verdict(self):
        took = f"{self.seconds():.1f} s"
        if self.failed:
            sys.exit(f"FAILED in {took}: {', '.join(self.failed)}")
        if self.ran == 0:
            sys.exit("FAILED: nothing ran")
        print(f"PASSED in {took}: {self.ran} of {self.ran}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True, type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--gcc", default="g++")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--from", dest="called_from", default=ROOT, type=pathlib.Path)
    parser.add_argument("file", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    # As the caller's folder has it, else as the tree's root has it.
    options.file = [(options.called_from / path if (options.called_from / path).exists() else ROOT / path).resolve()
                    for path in options.file]
    folders = [str(path) for path in options.file if path.is_dir()]
    if folders:
        sys.exit(f"try takes files, not folders: {', '.join(folders)}")
    missing = [str(path) for path in options.file if not path.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    outside = [str(path) for path in options.file if not path.is_relative_to(ROOT)]
    if outside:
        sys.exit(f"not in this tree, {ROOT}: {', '.join(outside)}")
    follower = Follower(options.build)
    follower.end()
    runner = Runner(options)
    plan = Plan(options.file)
    if any(re.search(r"YOKE_KERNEL|__kernel|__global__", page.read_text(encoding="utf-8")) for page in plan.pages):
        plan.tests.setdefault(TESTS / "program" / "page_kernels_test.cpp", "for the page's kernels")
    fresh = plan.fresh or (plan.tests and runner.headers_are_newer())
    if plan.fresh is False and fresh:
        print("headers have changed since the library was built: all bodies are compiled as one unit")

    programs, targets = [], []
    for test, why in plan.tests.items():
        kind = "fresh" if fresh and test.relative_to(TESTS).parts[0] not in LINKED_ONLY else "try"
        name = f"{kind}.{program_name(test)}"
        programs.append((test, why, name))
        targets.append(name)
    targets += [f"yoke_example_{path.stem}" for path in plan.examples]
    if programs or plan.examples:
        targets += ["yoke_cuda_simulator", "yoke_nccl_simulator"]
        runner.build(targets)
        print(f"built in {runner.seconds():.1f} s")
    simulator = next(iter(sorted(options.build.rglob("libyoke_cuda_simulator.so"))), "")
    pages = os.pathsep.join(str(page) for page in plan.pages)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = []
        for test, why, name in programs:
            command = [sys.executable, CHECKS / "run_test.py", "--skips", TESTS / "skips.txt", "--cuda-simulator", simulator, "--",
                       options.build / "bin" / name]
            settings = dict(os.environ)
            if "cuda_simulator" in folders_of(test):
                settings.pop("YOKE_SIMULATOR_CACHE", None)
            if test.stem == "page_kernels_test" and pages:
                command.append("[page_kernels]")
                settings["YOKE_TEST_PAGES"] = pages
            tasks.append(pool.submit(runner.run, f"{test.relative_to(ROOT)} ({why})", command, env=settings))
        for path in plan.examples:
            tasks.append(pool.submit(runner.run, str(path.relative_to(ROOT)), [options.build / "bin" / f"example_{path.stem}"],
                                     cwd=options.build))
        for page in plan.pages:
            tasks.append(pool.submit(runner.run, str(page.relative_to(ROOT)), [
                sys.executable, CHECKS / "code_blocks.py", ROOT, f"--compiler={options.gcc}", f"--include={INCLUDE}", f"--page={page}"]))
            tasks.append(pool.submit(runner.run, f"{page.relative_to(ROOT)}, links", [sys.executable, CHECKS / "links.py", ROOT]))

        def reject(path, sampled):
            if sampled and runner.seconds() > BUDGET:
                print(f"  not run, because {BUDGET} s are over: {path.relative_to(ROOT)}")
                return
            compilers = ["--compiler=clang++"] if sampled else [f"--compiler={options.gcc}", "--compiler=clang++"]
            runner.run(str(path.relative_to(ROOT)), [sys.executable, CHECKS / "compile_fail.py", *compilers, f"--include={INCLUDE}",
                                                     *(["--sampled"] if sampled else []), path])

        tasks += [pool.submit(reject, path, False) for path in plan.rejected]
        tasks += [pool.submit(reject, path, True) for path in dict.fromkeys(plan.named_rejected) if path not in plan.rejected]
        for task in tasks:
            task.result()
    if fresh and (options.build / "src" / "libyoke.so").exists():
        follower.begin(options.jobs)
    runner.verdict()


if __name__ == "__main__":
    main()
