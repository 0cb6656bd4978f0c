#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Runs the benchmarks and says what they show: `./dev bench`, without building.
"""For each device the runner (yoke, the raw driver, the C++ peers) and one process for each Python library take turns, a few
bursts at a time, so that what else the machine does falls on all of them.
"""
import argparse
import json
import os
import pathlib
import queue
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import figures  # noqa: E402
import peers  # noqa: E402

CHUNK = 10  # bursts of one process before it is the next one's turn
ALONE = 10  # times as many, where it is nobody else's
PEER_ROUNDS = 200  # rounds that other libraries take part in: no bar on them is narrow


def say(text):
    print(text, file=sys.stderr, flush=True)


class Failure(Exception):
    pass


class Process:
    """A program that answers lines with lines."""

    def __init__(self, command, patience):
        self.patience = patience
        self.errors = tempfile.TemporaryFile("w+")
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                            text=True)
        except OSError as e:
            raise Failure(f"{command[0]} cannot be started: {e.strerror}") from e
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def write(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError) as e:
            raise Failure(self.last_words()) from e

    def read(self):
        try:
            line = self.lines.get(timeout=self.patience)
        except queue.Empty:
            self.process.kill()
            raise Failure(f"no answer for {self.patience} s")
        if line is None:
            raise Failure(self.last_words())
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Failure(f"said {line.strip()[:80]!r}, which is no answer")
        return answer

    def ask(self, line):
        self.write(line)
        return self.read()

    def last_words(self):
        code = self.process.wait()
        self.errors.seek(0)
        words = [line for line in self.errors.read().splitlines() if line.strip()]
        if not any(line.startswith("Traceback") for line in words):
            return f"ended with code {code}: " + ("\n".join(words[-20:]) if words else "no word said")
        return f"ended with code {code}: {words[-1].strip()}"

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
        self.process.stdout.close()
        self.errors.close()


LAUNCHES = frozenset(f"launch/{count}" for count in (1, 8, 16))


def start_peers(names, facts, options, absent):
    """The Python libraries' processes that are there, with what they can; for launches, which a bar is about, each has a second
    process: what that comes out at beside the first is noise."""
    twice = not LAUNCHES.isdisjoint(name for name in facts["operations"] if chosen(options, name))
    started = {}
    for name in [*names, *(name + figures.AGAIN for name in names if twice)]:
        try:
            process = Process([options.python, str(HERE / "peers.py"), name.removesuffix(figures.AGAIN)], 300)
        except Failure as e:
            absent[name] = str(e)
            continue
        started[name] = process
        try:
            process.write(json.dumps(facts))
        except Failure:
            pass  # told by the answer that does not come
    result = {}
    for name, process in started.items():
        try:
            answer = process.read()
        except Failure as e:
            answer = {"absent": str(e)}
        if "operations" not in answer:
            absent[name] = str(answer.get("absent", f"said {answer}, which is no answer"))
            process.close()
            continue
        operations = set(answer["operations"])
        if name.endswith(figures.AGAIN):
            operations &= LAUNCHES
        else:
            say(f"  {name} {answer.get('version', '')}")
        if facts["apart"] and not answer.get("apart"):
            say(f"  {name}: the thread that measures has no core to itself")
        result[name] = (process, operations)
    for name in names:
        if name in absent:
            absent.pop(name + figures.AGAIN, None)  # for the same reason
    return result


def seconds_of(name, options, times=1):
    """What an operation is measured for, once it has its least rounds."""
    return options.seconds * (4 if figures.CLOSE.fullmatch(name) else 1) * times


def processes_of(name, options):
    """How many processes measure an operation, one behind the other: where things lie is another matter in each. Launches, which other
    libraries stand beside all the time, are one process's."""
    return options.processes if figures.CLOSE.fullmatch(name) and name not in LAUNCHES else 1


def measure(runner, others, name, about, options, failed, times=1, before=0):
    """The samples of one operation: nanoseconds, by contestant; `times` as long, and as many rounds. Of `before` rounds, which another
    process had, other libraries have had their part."""
    rounds = max(1, round(min(about["rounds"], 2 if options.quick else options.rounds) * times))
    peer_rounds = PEER_ROUNDS * (times if name in LAUNCHES else 1)
    slow = name.startswith("compile")
    if options.quick and slow:
        rounds = 1
    chunk = 1 if slow or rounds < CHUNK else CHUNK
    least = min(rounds, 6 if slow else 20)  # of fewer than six no interval is certain by 95 %
    samples = {}
    seconds = seconds_of(name, options, times)
    taking_part = {peer: process for peer, (process, operations) in others.items() if name in operations}
    start = time.monotonic()
    done = 0
    late = again = 0
    while done < rounds and (done < least or time.monotonic() - start < seconds):
        alone = before > 0 or done >= peer_rounds  # what is in the runner's process stays, for launches
        now = min(chunk * (ALONE if alone else 1), rounds - done)
        answers = runner.ask(f"{name} {now}" + (" close" if alone else ""))
        if "_failed" in answers:
            failed[f"yoke_bench: {name}"] = answers["_failed"]
            return {}  # a sample that ended so is none
        late += answers.pop("_late", 0)
        again += answers.pop("_again", 0)
        turns = list(taking_part.items()) if not alone else []
        random.shuffle(turns)
        for peer, process in turns:
            try:
                answer = process.ask(f"{name} {now} {about['count']}")
                if "failed" in answer:
                    raise Failure(answer["failed"])
                values = answer.get("samples", [])
                if len(values) != now or not all(isinstance(value, (int, float)) and value > 0 for value in values):
                    raise Failure(f"{values} are not {now} times")
                answers[peer] = values
            except Failure as e:
                failed[f"{peer}: {name}"] = str(e)
                del taking_part[peer]
                samples.pop(peer, None)
        for who, values in answers.items():
            samples.setdefault(who, []).extend(values)
        done += now
    runner.ask(f"{name} 0")
    if late > done / 100:
        failed[f"all: {name}"] = (f"{late} of {done} rounds ended when the kernel that keeps the queue busy may have, beside "
                                  f"{again} that were measured again")
    return samples


class Session:
    """The processes that measure one device, and what they said of it."""

    def __init__(self, specification, options):
        self.runner = Process([str(options.programs / "yoke_bench"), specification], 600)
        self.others = {}
        self.options = options
        self.facts = self.runner.read()
        self.absent = dict(self.facts["absent"])

    def start_peers(self):
        of_backend = peers.OF_BACKEND[self.facts["backend"]]
        names = [name for name in of_backend if name in self.options.peers]
        if self.facts["simulated"]:
            self.absent.update({name: "the simulator is no driver for it" for name in names})
        else:
            self.others = start_peers(names, self.facts, self.options, self.absent)
        self.absent.update({name: "left out by --peers" for name in of_backend if name not in names})

    def rows_of(self, name, device, failed, times, samples, parts):
        """The rows of an operation that is measured now; none: the library has no such function. `samples`: what other processes
        had of it, `parts` how many rounds each, to which this one's are added."""
        about = self.facts["operations"][name]
        now = measure(self.runner, self.others, name, about, self.options, failed, times, sum(parts))
        if not now:
            return []
        for who, values in now.items():
            samples.setdefault(who, []).extend(values)
        parts.append(max(map(len, now.values())))
        more = {"processes": figures.by_process(samples, parts)} if len(parts) > 1 else {}
        rows = figures.rows_of(name, device, "ns", samples, step=self.facts.get("clock_step", 0) / about["count"],
                               clock=about["clock"], burst=about["count"], **more)
        for row in rows:
            say(f"  {row['operation']:36} {figures.quantity(row['yoke'], 'ns'):>10}  {figures.ratio_text(row)}")
        return rows

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        processes = [self.runner, *(process for process, _ in self.others.values())]
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            for each in processes:
                each.process.kill()
        for each in processes:
            each.close()


def bench_device(specification, options, report):
    """Returns: whether nothing failed that was measured."""
    with Session(specification, options) as session:
        facts = session.facts
        if facts["backend"] == "cuda":
            device = f"CUDA: {facts['device']}"
        else:
            name = "PoCL" if "Portable Computing" in facts["platform"] else facts["platform"]
            device = f"OpenCL: {name}, {facts['device']}"
        if device in report["devices"]:
            device = f"{device} ({specification})"
        if device in report["devices"]:
            raise Failure("was measured already")
        say(f"{device}, driver {facts['driver_version']}")
        if facts["clock"] == "thread" and not facts["apart"]:
            say("  the thread that measures has no core to itself: what takes nanoseconds is not told apart")
        session.start_peers()
        there = [name for name in session.others if not name.endswith(figures.AGAIN)]
        failed = {}
        report["absent"][device] = session.absent
        report["failed"][device] = failed
        report["devices"][device] = {key: facts[key] for key in ("backend", "platform", "driver_version")}
        rows = report["rows"]  # what was measured before something ends badly is kept
        samples = {}  # of those that there are rows of
        for name in facts["operations"]:
            if chosen(options, name):
                sample = {}, []
                made = session.rows_of(name, device, failed, 1 / processes_of(name, options), *sample)
                if made:
                    samples[name] = sample
                elif f"yoke_bench: {name}" not in failed:
                    failed[f"yoke: {name}"] = "the library has no such function"
                rows += made
    for turn in range(1, options.processes):
        names = [name for name in samples if turn < processes_of(name, options) and f"yoke_bench: {name}" not in failed]
        if not names:
            break
        with Session(specification, options) as session:
            for name in names:
                for row in session.rows_of(name, device, failed, 1 / processes_of(name, options), *samples[name]):
                    rows[figures.place_of(rows, row)] = row
    whole = not any(name.startswith("yoke_bench: ") for name in failed)
    if chosen(options, "first_kernel"):
        rows += first_kernel(facts, device, there, options, failed)
    if options.settle:
        whole = settle_device(specification, device, options, report) and whole
    return whole


def settle_device(specification, device, options, report):
    """Measures again, once and for longer, what bars are not shown of: in as many processes as it takes times the time, launches in the
    first of them."""
    rows = report["rows"]
    names = figures.unsettled([row for row in rows if row["device"] == device])
    if not names:
        say("  nothing to settle: of no row is a bar not shown for want of rounds")
        return True
    seconds = sum(seconds_of(name, options, options.settle) for name in names)
    say(f"  not shown, and measured again for {options.settle} times the time, at most about {seconds:.0f} s in all: "
        f"{', '.join(names)}")
    samples = {name: ({}, []) for name in names}
    failed = {name: {} for name in names}
    whole = True
    for turn in range(options.settle):
        turns = [name for name in names if f"yoke_bench: {name}" not in failed[name] and (turn == 0 or name not in LAUNCHES)]
        if not turns:
            break
        with Session(specification, options) as session:
            if turn == 0:
                session.start_peers()
            for name in turns:
                alone = name in LAUNCHES
                made = session.rows_of(name, device, failed[name], options.settle if alone else 1, *samples[name])
                if not made:
                    whole = False
                    report["failed"][device].update(failed[name])
                elif alone or turn + 1 == options.settle:
                    known = report["failed"][device]  # the first sample goes with what failed in it
                    for key in [key for key in known if key.endswith(f": {name}")]:
                        del known[key]
                    known.update(failed[name])
                    figures.settle(rows, made, options.settle)
    return whole


def chosen(options, operation):
    return not options.only or any(word in operation for word in options.only)


def first_kernel(facts, device, there, options, failed):
    """From the start of a process to the end of its first kernel."""
    backend = facts["backend"]
    if backend == "cuda":
        ordinal = str(int(facts["ordinal"]))
        arguments = {"yoke": [ordinal], "raw": [ordinal, facts["driver_library"], facts["nvrtc_library"]]}
    else:
        arguments = {name: [facts["platform"], facts["device"]] for name in ("yoke", "raw")}
    commands = {name: ([str(options.programs / f"yoke_bench_first_kernel_{name}_{backend}"), *rest], None)
                for name, rest in arguments.items()}
    for name in there:
        commands[name] = ([options.python, str(HERE / "peers.py"), "--first-kernel", name], json.dumps(facts) + "\n")
    samples = {name: [] for name in commands}
    rounds = 1 if options.quick else 7
    for round_number in range(rounds + 1):  # the first one warms the files up
        for name, (command, text) in commands.items():
            if name in there and round_number > 3:
                continue
            start = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            try:
                done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False)
            except (OSError, subprocess.TimeoutExpired) as e:
                failed[f"{name}: first_kernel"] = str(e)
                continue
            try:
                end = int(done.stdout.split()[0])
            except (IndexError, ValueError):
                failed[f"{name}: first_kernel"] = f"ended with code {done.returncode}: {done.stderr.strip()[-200:]}"
                continue
            if round_number > 0:
                samples[name].append(end - start)
    samples = {name: values for name, values in samples.items() if values}
    return figures.rows_of("first_kernel", device, "ns", samples, clock="elapsed", burst=1)


# --- what a program costs to build ----------------------------------------------------------------------------------

def compiler_of(options):
    return options.compiler or os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")


def peer_includes(options):
    """The folders that CMake was given, or has found, of peers that a compiler does not find by itself."""
    try:
        lines = (options.programs.parent / "benchmarks/peer_includes.txt").read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split("\t", 1) for line in lines)


def version_of(compiler):
    """What a compiler, a list with its first arguments, says of itself. Throws: `OSError`, `ValueError`."""
    done = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        raise ValueError("does not tell its version")
    return lines[0]


def include_rows(options, report):
    compiler = shlex.split(compiler_of(options) or "")
    try:
        version = version_of(compiler)
    except (OSError, ValueError) as e:
        report["absent"].setdefault("includes", {})["compiler"] = f"{' '.join(compiler) or 'none'}: {e}"
        return []
    flags = ["-std=c++20", "-O2", f"-I{ROOT / 'include'}"]
    cuda = next((folder for folder in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda", "/opt/cuda")
                 if folder and pathlib.Path(folder, "include/cuda.h").exists()), None)
    system = [f"-isystem{cuda}/include", f"-isystem{cuda}/include/cccl"] if cuda else []
    opencl = "#define CL_HPP_TARGET_OPENCL_VERSION 300\n#define CL_TARGET_OPENCL_VERSION 300\n"
    elsewhere = peer_includes(options)
    clhpp = {"clhpp": opencl + "#define CL_HPP_ENABLE_EXCEPTIONS\n#include <CL/opencl.hpp>"}
    files = {
        "include/yoke.hpp": {"yoke": "#include <yoke/yoke.hpp>", "raw": opencl + "#include <CL/cl.h>", **clhpp,
                             "boost_compute": opencl + "#include <boost/compute.hpp>",
                             "vexcl": opencl + "#define VEXCL_HAVE_OPENCL_HPP\n#include <vexcl/vexcl.hpp>"},
        "include/cuda.hpp": {"yoke": "#include <yoke/cuda.hpp>",
                             "raw": "#include <cuda.h>" if cuda else "#include <dlfcn.h>",
                             **clhpp, "cuda-api-wrappers": "#include <cuda/api.hpp>"},
    }
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for operation, contestants in files.items():
            samples = {}
            for round_number in range(1 if options.quick else 7):  # the first one warms the files up
                for name, text in contestants.items():
                    if options.quick and name == "boost_compute":
                        continue  # it takes as long as all the others
                    source = pathlib.Path(folder, f"{name}.cpp")
                    source.write_text(text + "\n")
                    more = system if operation == "include/cuda.hpp" and name != "yoke" else []
                    if name in elsewhere:
                        more = [f"-isystem{elsewhere[name]}", *more]
                    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                    done = subprocess.run([*compiler, *flags, *more, "-c", str(source), "-o", f"{folder}/out.o"],
                                          capture_output=True, text=True, check=False)
                    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                    if done.returncode != 0:
                        error = next((line for line in done.stderr.splitlines() if "error" in line), "").strip()[-200:]
                        report["absent"].setdefault(version, {})[name] = f"its header was not found, or is refused: {error}"
                    elif round_number > 0 or options.quick:
                        samples.setdefault(name, []).append(seconds)
            rows += figures.rows_of(operation, version, "s", samples, clock="processor", burst=1)
    return rows


def size_rows(options, backends, report):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for backend in backends:
            samples = {}
            for name in ("yoke", "raw"):
                program = options.programs / f"yoke_bench_first_kernel_{name}_{backend}"
                stripped = pathlib.Path(folder, name)
                try:
                    subprocess.run(["strip", "-o", str(stripped), str(program)], check=True)
                except (OSError, subprocess.CalledProcessError) as e:
                    report["failed"].setdefault("program_size", {})[f"{name}, {backend}"] = str(e)
                    return rows
                samples[name] = [stripped.stat().st_size]
            rows += figures.rows_of("program_size", {"cuda": "CUDA", "opencl": "OpenCL"}[backend], "bytes", samples,
                                    clock="none", burst=1)
    return rows


def instruction_rows(options, report):
    """What benchmarks/instructions.sh counts, where Valgrind is."""
    program = options.programs.parent / "benchmarks" / "yoke_bench_launch_instructions"
    simulator = options.programs / "libyoke_cuda_simulator.so"
    if not program.exists() or not shutil.which("valgrind"):
        report["absent"].setdefault("instructions", {})["valgrind"] = "not installed, or the program is not built"
        return []
    more = ["--cuda-driver", str(simulator)] if simulator.exists() else ["--backend", "opencl"]
    if not simulator.exists():
        report["absent"].setdefault("instructions", {})["cuda"] = (
            "the simulator stands for its driver, and is built with -DYOKE_BUILD_CUDA_SIMULATOR=ON")
    done = subprocess.run([str(HERE / "instructions.sh"), str(program), *more], capture_output=True, text=True,
                          check=False)
    rows = figures.instruction_rows(done.stdout)
    if not rows:
        report["failed"].setdefault("instructions", {})["instructions.sh"] = (done.stderr or done.stdout).strip()[-200:]
    return rows


# --- all of it --------------------------------------------------------------------------------------------------------

def check_report(report, build_cost=True, wanted=lambda operation: True):
    """What is wrong with a report: a list of sentences."""
    wrong = []
    for row in report["rows"]:
        where = f"{row.get('operation')} on {row.get('device')}"
        for key, kind in (("operation", str), ("device", str), ("unit", str), ("yoke", (int, float)),
                          ("raw", (int, float)), ("ratio_high", (int, float)), ("peers", dict)):
            if not isinstance(row.get(key), kind):
                wrong.append(f"{where}: {key} is {row.get(key)!r}")
        for key in ("yoke", "raw", "ratio_high"):
            if isinstance(row.get(key), (int, float)) and not row[key] > 0:
                wrong.append(f"{where}: {key} is {row[key]}, which nothing takes")
    seen = [(row["operation"], row["device"]) for row in report["rows"]]
    for each in sorted(set(seen)):
        if seen.count(each) > 1:
            wrong.append(f"{each[0]} on {each[1]}: {seen.count(each)} rows")
    for device, facts in report["devices"].items():
        for operation in EXPECTED["both"] + EXPECTED[facts["backend"]]:
            if wanted(operation) and (operation, device) not in seen:
                wrong.append(f"{operation} on {device}: no row")
    for operation in EXPECTED["build"] if build_cost else ():
        if wanted(operation) and operation not in [each for each, _ in seen]:
            wrong.append(f"{operation}: no row")
    return wrong


COPIES = [f"copy_{way}/{size}/{kind}" for way in ("to_device", "from_device") for size in ("4KiB", "64MiB")
          for kind in ("pageable", "locked")] + ["copy_on_device/4KiB", "copy_on_device/64MiB"]
EXPECTED = {
    "both": [*(f"launch/{count}" for count in (1, 8, 16)), *(f"launch_any_port/{count}" for count in (1, 8, 16)),
             "launch_changing/8", "launch_changing/16", "launch_and_wait/1", "record_event", "record_existing_event", "stream_wait_own", "stream_wait",
             "stream_wait_after_record", "allocate/1MiB", "allocate/64MiB", *COPIES,
             *(f"device_time/copy_{way}/64MiB" for way in ("to_device", "from_device", "on_device")),
             *(f"enqueue_copy/{way}/4KiB" for way in ("to_device", "from_device", "on_device")),
             "compile_cold", "compile_cold_and_store", "compile_warm", "compile_warm_memory",
             "compile_again_without_cache", "first_kernel"],
    "build": ["include/yoke.hpp", "include/cuda.hpp", "program_size"],
    "cuda": ["allocate_ordered/1MiB", "allocate_ordered/64MiB"],
    "opencl": ["map_unmap/4KiB", "map_unmap/64MiB"],
}


def text_of(report):
    lines = [figures.table(report["rows"]), ""]
    for device, absent in report["absent"].items():
        for name, reason in sorted(absent.items()):
            lines.append(f"absent        {name} ({device}): {reason}")
    for device, failed in report["failed"].items():
        for name, reason in sorted(failed.items()):
            lines.append(f"failed        {name} ({device}): {reason}")
    lines += ["", figures.bars_text(report["rows"])]
    return "\n".join(lines)


def positive(number):
    def read(text):
        value = number(text)
        if not 0 < value < 1e9:
            raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1e9")
        return value
    return read


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench", description="Measures yoke beside the raw drivers and other libraries.")
    parser.add_argument("--device", metavar="SPEC", help="as $YOKE_DEVICE; several by commas; default: every device")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the rows there")
    parser.add_argument("--plot", metavar="FILE.svg", type=pathlib.Path, help="draw the ratios there")
    parser.add_argument("--quick", action="store_true", help="a few rounds: whether it works, not how fast")
    parser.add_argument("--check", action="store_true", help="end badly when a row is missing or malformed")
    parser.add_argument("--only", metavar="WORD", action="append", help="operations whose name has this in it")
    parser.add_argument("--rounds", type=positive(int), default=100000, help="bursts of each contestant, at most (%(default)s)")
    parser.add_argument("--seconds", type=positive(float), default=3,
                        help="for an operation, once it has 20 rounds (%(default)s); four times that where a bar is narrow")
    parser.add_argument("--processes", metavar="N", type=positive(int), default=4,
                        help="that measure what is told apart by nanoseconds, each for its part of the time (%(default)s)")
    parser.add_argument("--settle", metavar="TIMES", type=positive(int), nargs="?", const=4,
                        help="measure what bars are not shown of once more, for so many times the time (%(const)s)")
    parser.add_argument("--peers", default=",".join(peers.PEERS), help="Python libraries, by commas (%(default)s); none: ''")
    parser.add_argument("--python", default=sys.executable, help="the Python that has them")
    parser.add_argument("--compiler", help="for the time of an include; default: $CXX, g++ or clang++")
    parser.add_argument("--no-build-cost", action="store_true", help="leave out include times and program sizes")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/bench/bin", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.quick:
        options.processes = 1
    options.peers = [name for name in options.peers.split(",") if name]
    unknown = [name for name in options.peers if name not in peers.PEERS]
    if unknown:
        parser.error(f"--peers: {unknown[0]} is none of {', '.join(peers.PEERS)}")
    if options.settle is not None and options.settle < 2:
        parser.error(f"--settle {options.settle}: is for longer than before, twice or more")
    if options.settle and options.quick:
        parser.error("--settle: a quick run settles nothing")
    if options.compiler is not None:
        try:
            version_of(shlex.split(options.compiler))
        except (OSError, ValueError) as e:
            parser.error(f"--compiler {options.compiler}: {getattr(e, 'strerror', None) or e}")
    for option in ("json", "plot"):  # before all is measured
        file = getattr(options, option)
        if file is None:
            continue
        try:
            with open(file, "a", encoding="utf-8"):
                pass
        except OSError as e:
            parser.error(f"--{option} {file}: {e.strerror}")
    runner = options.programs / "yoke_bench"
    if not runner.exists():
        parser.error(f"{runner} is not there: ./dev bench builds it")
    return options


def devices_of(options):
    if options.device:
        return options.device.split(",")
    listed = subprocess.run([str(options.programs / "yoke_bench"), "--list"], capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        say(listed.stderr.strip())
    return [line.split("\t")[0] for line in listed.stdout.splitlines()]


def write(options, report):
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    if options.plot:
        options.plot.write_text(figures.plot(report["rows"]))


def run(options, report):
    """Returns: whether everything could be measured."""
    whole = True
    for specification in devices_of(options):
        try:
            whole = bench_device(specification, options, report) and whole
        except Failure as e:
            say(f"{specification}: {e}")
            report["failed"].setdefault(specification, {})["yoke_bench"] = str(e)
            whole = False
        write(options, report)
    if not options.no_build_cost and report["devices"]:
        if chosen(options, "include/yoke.hpp") or chosen(options, "include/cuda.hpp"):
            report["rows"] += [row for row in include_rows(options, report) if chosen(options, row["operation"])]
        if chosen(options, "program_size"):
            report["rows"] += size_rows(options, ["cuda", "opencl"], report)
        if chosen(options, "instructions") and not options.quick:
            report["rows"] += instruction_rows(options, report)
    return whole


class Terminated(KeyboardInterrupt):
    """Somebody has sent SIGTERM, as `timeout` does: what was measured is kept as after Ctrl-C."""


def terminate(*_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise Terminated


def main(arguments):
    options = parsed(arguments)
    signal.signal(signal.SIGTERM, terminate)
    report = {"rows": [], "absent": {}, "failed": {}, "devices": {}, "load": os.getloadavg()[0],
              "processors": os.cpu_count(), "quick": options.quick, "settle": options.settle}
    interrupted = None
    try:
        whole = run(options, report)
    except KeyboardInterrupt as how:
        whole, interrupted = False, how
    if not report["devices"] and not interrupted:
        if whole:
            say("no device was found: there is neither a CUDA driver nor an OpenCL one")
        return 1
    if not report["rows"] and options.only and not interrupted:
        say(f"no operation has {' or '.join(options.only)} in its name")
        return 1
    print(text_of(report))
    if report["load"] > 0.5:
        print(f"\nthe machine had other work when this began: a load of {report['load']:.1f}")
    if options.quick:
        print("\na quick run: whether it works, not how fast")
    elif not options.settle and any(figures.unsettled([row for row in report["rows"] if row["device"] == device])
                                    for device in report["devices"]):
        print("\n--settle measures once more, for longer, what is not shown")
    write(options, report)
    if interrupted:
        say("bench: interrupted; what is above was measured before")
        return 143 if isinstance(interrupted, Terminated) else 130
    wrong = check_report(report, not options.no_build_cost,
                         lambda operation: chosen(options, operation)) if options.check else []
    for sentence in wrong:
        say(f"bench: {sentence}")
    return 0 if whole and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
