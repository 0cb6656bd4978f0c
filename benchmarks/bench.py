#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Runs the benchmarks and says what they show: `./dev bench`, without building.
"""For each device the runner (yoke, the raw driver, the C++ peers) and one process for each Python library take turns, a few
bursts at a time, so that what else the machine does falls on all of them.
"""
import argparse
import json
import pathlib
import queue
import random
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

CHUNK = 10  # bursts of one process before the next one's turn


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


def start_peers(names, facts, options, absent):
    """The processes of the Python libraries that are installed, with the operations that each can do."""
    result = {}
    for name in names:
        process = None
        try:
            process = Process([options.python, str(HERE / "peers.py"), name], 300)
            answer = process.ask(json.dumps(facts))
            if "operations" not in answer:
                raise Failure(str(answer.get("absent", f"said {answer}, which is no answer")))
        except Failure as e:
            absent[name] = str(e)
            if process:
                process.close()
            continue
        say(f"  {name} {answer.get('version', '')}")
        result[name] = (process, set(answer["operations"]))
    return result


def measure(runner, others, name, about, options, failed):
    """The samples of one operation: nanoseconds, by contestant."""
    slow = name.startswith("compile")
    rounds = (1 if slow else 2) if options.quick else min(about["rounds"], options.rounds)
    chunk = 1 if slow or rounds < CHUNK else CHUNK
    least = min(rounds, 6 if slow else 20)  # fewer than six give no interval of 95 %
    samples = {}
    taking_part = {peer: process for peer, (process, operations) in others.items() if name in operations}
    start = time.monotonic()
    done = late = 0
    while done < rounds and (done < least or time.monotonic() - start < options.seconds):
        now = min(chunk, rounds - done)
        answers = runner.ask(f"{name} {now}")
        if "_failed" in answers:
            failed[f"yoke_bench: {name}"] = answers["_failed"]
            return {}
        late += answers.pop("_late", 0)
        turns = list(taking_part.items())
        random.shuffle(turns)
        for peer, process in turns:
            try:
                answer = process.ask(f"{name} {now} {about['count']}")
                if "failed" in answer:
                    raise Failure(answer["failed"])
                answers[peer] = answer["samples"]
            except (Failure, KeyError) as e:
                failed[f"{peer}: {name}"] = str(e)
                del taking_part[peer]
                samples.pop(peer, None)
        for who, values in answers.items():
            samples.setdefault(who, []).extend(values)
        done += now
    runner.ask(f"{name} 0")
    if late > done / 10 and not options.quick:
        failed[f"all: {name}"] = f"{late} of {done} rounds ended when the queue may have been empty"
    return samples


def bench_device(specification, options, report):
    """Returns: whether every operation could be measured."""
    runner = Process([str(options.programs / "yoke_bench"), specification], 600)
    others = {}
    try:
        facts = runner.read()
        platform = "PoCL" if "Portable Computing" in facts["platform"] else facts["platform"]
        device = f"{'CUDA' if facts['backend'] == 'cuda' else 'OpenCL: ' + platform}: {facts['device']}"
        if device in report["devices"]:
            device = f"{device} ({specification})"
        say(f"{device}, driver {facts['driver_version']}")
        absent = report["absent"][device] = dict(facts["absent"])
        failed = report["failed"][device] = {}
        report["devices"][device] = {key: facts[key] for key in ("backend", "platform", "driver_version")}
        names = [name for name in peers.OF_BACKEND[facts["backend"]] if name in options.peers]
        if facts["simulated"]:
            absent.update({name: "the simulator is no driver for it" for name in names})
        else:
            others = start_peers(names, facts, options, absent)
        for name, about in facts["operations"].items():
            if not chosen(options, name):
                continue
            rows = figures.rows_of(name, device, measure(runner, others, name, about, options, failed))
            for row in rows:
                say(f"  {row['operation']:36} {figures.quantity(row['yoke']):>10}  {figures.ratio_text(row)}")
            report["rows"] += rows
    finally:
        for process in (runner, *(process for process, _ in others.values())):
            process.close()
    return not any(name.startswith("yoke_bench: ") for name in failed)


def chosen(options, operation):
    return not options.only or any(word in operation for word in options.only)


def check_report(report, wanted):
    """What is wrong with a report: a list of sentences. Each expected row has to be there, and no other."""
    wrong = []
    seen = [(row["operation"], row["device"]) for row in report["rows"]]
    for row in report["rows"]:
        where = f"{row['operation']} on {row['device']}"
        for key in ("yoke", "raw", "ratio_high"):
            if not row[key] > 0:
                wrong.append(f"{where}: {key} is {row[key]}")
        if seen.count((row["operation"], row["device"])) > 1:
            wrong.append(f"{where}: more than one row")
    for device, facts in report["devices"].items():
        expected = [name for name in EXPECTED["both"] + EXPECTED[facts["backend"]] if wanted(name)]
        wrong += [f"{name} on {device}: no row" for name in expected if (name, device) not in seen]
        wrong += [f"{name} on {device}: a row that no test expects" for name, where in seen
                  if where == device and name not in expected]
    return wrong


COPIES = [f"copy_{way}/{size}/{kind}" for way in ("to_device", "from_device") for size in ("4KiB", "64MiB")
          for kind in ("pageable", "locked")] + ["copy_on_device/4KiB", "copy_on_device/64MiB",
                                               "copy_to_image/64MiB/locked", "copy_from_image/64MiB/locked"]
EXPECTED = {
    "both": [*(f"launch/{count}" for count in (1, 8, 16)), *(f"launch_any_port/{count}" for count in (1, 8, 16)),
             "launch_changing/8", "launch_changing/16", "launch_and_wait/1", "record_event", "record_existing_event",
             "stream_wait_own", "stream_wait", "stream_wait_after_record", "allocate/1MiB", "allocate/64MiB",
             "allocate_pooled/1MiB", *COPIES,
             *(f"device_time/copy_{way}/64MiB" for way in ("to_device", "from_device", "on_device")),
             *(f"{kind}/{way}/4KiB" for kind in ("enqueue_copy", "copy_async") for way in ("to_device", "from_device", "on_device")),
             "compile_cold", "compile_cold_and_store", "compile_warm", "compile_warm_memory",
             "compile_again_without_cache"],
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
    if not report["quick"]:
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
    parser.add_argument("--rounds", type=positive(int), default=1000, help="bursts of each contestant, at most (%(default)s)")
    parser.add_argument("--seconds", type=positive(float), default=1, help="for an operation, once it has 20 rounds (%(default)s)")
    parser.add_argument("--peers", default=",".join(peers.PEERS), help="Python libraries, by commas (%(default)s); none: ''")
    parser.add_argument("--python", default=sys.executable, help="the Python that has them")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/bench/bin", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.peers = [name for name in options.peers.split(",") if name]
    unknown = [name for name in options.peers if name not in peers.PEERS]
    if unknown:
        parser.error(f"--peers: {unknown[0]} is none of {', '.join(peers.PEERS)}")
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
    return whole


def main(arguments):
    options = parsed(arguments)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # as `timeout` sends it
    report = {"rows": [], "absent": {}, "failed": {}, "devices": {}, "quick": options.quick}
    interrupted = False
    try:
        whole = run(options, report)
    except KeyboardInterrupt:
        whole, interrupted = False, True
    if not report["devices"] and not interrupted:
        if whole:
            say("no device was found: there is neither a CUDA driver nor an OpenCL one")
        return 1
    if not report["rows"] and options.only and not interrupted:
        say(f"no operation has {' or '.join(options.only)} in its name")
        return 1
    print(text_of(report))
    if options.quick:
        print("\na quick run: whether it works, not how fast")
    write(options, report)
    if interrupted:
        say("bench: interrupted; the rows above were measured before")
        return 130
    wrong = check_report(report, lambda operation: chosen(options, operation)) if options.check else []
    for sentence in wrong:
        say(f"bench: {sentence}")
    return 0 if whole and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
