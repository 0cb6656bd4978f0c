# SPDX-License-Identifier: MIT
# Runs generated functions of arrays on devices and compares what they write with their NumPy twins.
"""usage: run.py --program FILE --twins FOLDER [--runs N] [--seed N] [--only RUN] [--devices SPEC[,SPEC...]] [--in-turns]
              [--streams N] [--self-test] [--keep-going N]

A run is a function with extents, layouts, numbers and elements of its own, which --seed and its number choose. Each device runs
it; with --in-turns the first device runs functions 0, 2, 4 ..., the second one the others. --only repeats one run. --self-test
plants mistakes in the twins afterwards, each of which has to be found. Without NumPy it is skipped.
"""
import argparse
import collections
import importlib
import math
import os
import pathlib
import random
import selectors
import shlex
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError:
    # A version manager's Python lacks what packages give the system's.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("YOKE-SKIP: array.fuzz : there is no NumPy")
    sys.exit(0)
import twin

LONGEST_RUN_S = 120


# --- what a run works with ----------------------------------------------------------------------------------------------


def integers(rng, type_, size, style):
    info = np.iinfo(twin.TYPES[type_])
    if style == "small":
        return np.array([rng.randint(max(info.min, -4), 5) for _ in range(size)], twin.TYPES[type_])
    if style == "limits":
        some = [info.min, info.max, 0, 1, info.min + 1, info.max - 1, info.max // 2 + 1, max(info.min, -1), 7]
        return np.array([rng.choice(some) for _ in range(size)], twin.TYPES[type_])
    return np.frombuffer(rng.randbytes(size * info.dtype.itemsize), twin.TYPES[type_]).copy()


def reals(rng, type_, size, style):
    info = np.finfo(twin.TYPES[type_])
    if style == "small":
        return np.array([rng.choice((0.5, 1.0, 1.0)) * rng.randint(-4, 5) for _ in range(size)], twin.TYPES[type_])
    if style == "limits":
        some = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, info.max, info.min, info.tiny,
                info.tiny / 4, -info.tiny / 2, 1 + info.eps, 0.5, 1.5, 2.5, -99.9, 99.99]
        return np.array([rng.choice(some) for _ in range(size)]).astype(twin.TYPES[type_])
    return np.array([rng.uniform(-1, 1) * 2.0 ** rng.randint(-6, 8) for _ in range(size)]).astype(twin.TYPES[type_])


def elements(rng, type_, size, style):
    """Returns: elements as they lie in memory; of bools bytes, any but 0 of which is true."""
    if type_ == "b1":
        some = (0, 1) if style == "small" else (0, 1, 2, 128, 255)
        return np.array([rng.choice(some) for _ in range(size)], np.uint8)
    if type_ == "c64":
        style = "random" if style == "limits" and rng.random() < 0.7 else style
        return reals(rng, "f32", 2 * size, style).view(np.complex64)
    with np.errstate(all="ignore"):
        return (reals if type_[0] == "f" else integers)(rng, type_, size, style)


def has_two_sides(shape):
    return len({each for each in shape if each != "1"}) > 1


def long_extents_of(rng, shapes):
    """Returns: numbers for the extents of `extents_of`, of which two make a long and a short side of an array."""
    made = {each: 1 for shape in shapes for each in shape if each != "1"}
    sides = rng.choice([shape for shape in shapes if has_two_sides(shape)])
    long, short = rng.sample(sorted({each for each in sides if each != "1"}), 2)
    made[long], made[short] = 10 ** 6, 3
    while max(math.prod(made.get(each, 1) for each in shape) for shape in shapes) > 3 * 10 ** 6:
        made[long] //= 10  # an extent may stand twice in a shape
    return made


def extents_of(rng, shapes):
    """Returns: a number for each extent that is not known before."""
    symbols = sorted({each for shape in shapes for each in shape if each != "1"})
    kind, most = rng.random(), 40000
    some = (31, 33, 37, 64, 65, 70, 97, 127) if kind < 0.15 else (0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12, 17, 31, 33)
    made = {each: rng.choice(some) for each in symbols}
    if kind > 0.96:
        made[rng.choice(symbols)] = rng.choice((257, 1000, 1023, 5000, 20000))
    while max(math.prod(max(made.get(each, 1), 1) for each in shape) for shape in shapes) > most:
        made[max(made, key=made.get)] //= 3
    return made


class Layout:
    """How an array lies: as a part of one without gaps."""

    def __init__(self, rng, extents, style):
        rank = len(extents)
        order = list(range(rank))
        if style != "c" and rng.random() < 0.5:
            order = list(reversed(order)) if rng.random() < 0.6 else rng.sample(order, rank)
        cuts, parent = [], []
        for extent in extents:
            step = 1 if style in ("c", "f") or rng.random() < 0.55 else rng.choice((2, 3, -1, -2))
            before, after = (0, 0) if style in ("c", "f") else (rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 1, 3)))
            length = 0 if extent == 0 else (extent - 1) * abs(step) + 1
            parent.append(before + length + after)
            start = before if step > 0 else before + length - 1
            cuts.append((start, step, extent))
        self.order, self.cuts = order, cuts
        self.parent = [parent[axis] for axis in order]
        self.size = int(np.prod(self.parent, dtype=np.int64)) if rank else 1

    def view(self, memory, first):
        whole = memory[first:first + self.size].reshape(self.parent)
        whole = whole.transpose([self.order.index(axis) for axis in range(len(self.order))]) if self.order else whole.reshape(())
        strides = [stride * step for stride, (_, step, _) in zip(whole.strides, self.cuts)]
        begin = sum(stride * start for stride, (start, _, extent) in zip(whole.strides, self.cuts) if extent)
        extents = tuple(extent for _, _, extent in self.cuts)
        if 0 in extents:
            begin = 0
        offset = first * memory.itemsize + begin
        return offset, extents, tuple(strides)


Memory = collections.namedtuple("Memory", "type stream elements")
Parameter = collections.namedtuple("Parameter", "type memory offset extents strides")


def shapes_of(twins, function):
    return [one["extents"] for one in twins.DESCRIPTIONS[function]["parameters"]]


class Run:
    """One function with all that it gets."""

    def __init__(self, twins, seed, number, streams):
        rng = random.Random(f"{seed}/{number}")
        self.number = number
        self.function = number % len(twins.FUNCTIONS) if number < 4 * len(twins.FUNCTIONS) else rng.randrange(len(twins.FUNCTIONS))
        extents_for = extents_of
        if number % 150 == 149:  # a long and a short side
            count = len(twins.FUNCTIONS)
            some = [(self.function + k) % count for k in range(count)]
            self.function = next((k for k in some if any(map(has_two_sides, shapes_of(twins, k)))), self.function)
            if any(map(has_two_sides, shapes_of(twins, self.function))):
                extents_for = long_extents_of
        of = twins.DESCRIPTIONS[self.function]
        sizes = extents_for(rng, shapes_of(twins, self.function))
        style = rng.choice(("small", "small", "limits", "random", "mixed", "mixed"))
        layouts = rng.choice(("c", "c", "f", "mixed", "mixed", "mixed"))
        self.memories, self.parameters = [], []
        for one in of["parameters"]:
            extents = [1 if each == "1" else sizes[each] for each in one["extents"]]
            if not one["written"] and not one["indices"] and rng.random() < 0.06:
                extents = [1 if rng.random() < 0.5 else each for each in extents]
            layout = Layout(rng, extents, layouts if layouts != "mixed" else rng.choice(("c", "f", "any", "any", "any")))
            values = rng.choice(("small", "limits", "random")) if style == "mixed" else style
            if one["indices"]:
                values = "small"
            memory = None
            if of["may_alias"] and rng.random() < 0.3:
                memory = next((k for k, each in enumerate(self.memories)
                               if each.type == one["type"] and len(each.elements) > layout.size), None)
            if memory is None:
                first = 0 if layouts == "c" else rng.choice((0, 0, 1, 3))
                size = first + layout.size + 1 + rng.choice((0, 0, 2))
                self.memories.append(Memory(one["type"], rng.randrange(streams), elements(rng, one["type"], size, values)))
                memory = len(self.memories) - 1
            else:
                first = rng.randint(0, len(self.memories[memory].elements) - layout.size - 1)
            offset, extents, strides = layout.view(self.memories[memory].elements, first)
            if not one["written"] and extents and rng.random() < 0.06:  # an array that repeats its elements
                axis = rng.randrange(len(extents))
                strides = strides[:axis] + (0,) + strides[axis + 1:]
            self.parameters.append(Parameter(one["type"], memory, offset, extents, strides))
        self.numbers = []
        for type_ in of["numbers"]:
            at = elements(rng, type_, 1, rng.choice(("small", "small", "limits")) if type_ != "b1" else "small")
            self.numbers.append((type_, at))

    def request(self):
        parts = [struct.pack("<2Q", self.function, len(self.memories))]
        for each in self.memories:
            data = each.elements.tobytes()
            parts += [struct.pack("<2Q", each.stream, len(data)), data]
        parts.append(struct.pack("<Q", len(self.parameters)))
        for each in self.parameters:
            rank = len(each.extents)
            parts.append(struct.pack(f"<3Q{rank}Q{rank}q", each.memory, each.offset, rank, *each.extents, *each.strides))
        parts.append(struct.pack("<Q", len(self.numbers)))
        for _, at in self.numbers:
            parts += [struct.pack("<Q", at.nbytes), at.tobytes()]
        return b"".join(parts)

    def expected(self, twins):
        """Returns: what the twin makes: memories with distances, results, and why it stopped."""
        exact = twins.DESCRIPTIONS[self.function]["exact"]
        memories = [each.elements.copy() for each in self.memories]
        distances = [None if exact else np.zeros(len(each)) for each in memories]
        arrays = []
        for each in self.parameters:
            of, far = memories[each.memory], distances[each.memory]
            v = np.ndarray(each.extents, of.dtype, of.data, each.offset, each.strides)
            wide = None if exact else np.ndarray(each.extents, far.dtype, far.data, each.offset // of.itemsize * 8,
                                                 [stride // of.itemsize * 8 for stride in each.strides])
            arrays.append(twin.Array(v, each.type, wide))
        numbers = [twin.Value(at[0] != 0 if type_ == "b1" else at[0:1].reshape(())) for type_, at in self.numbers]
        results, stopped = [], None

        def keep(of):
            x = twin.value(of)
            results.append(twin.Value(np.array(x.v), None if x.t is None else np.array(x.t)))

        try:
            twins.FUNCTIONS[self.function](arrays, numbers, keep)
        except twin.Refused as e:
            stopped = str(e)
        return memories, distances, results, stopped

    def text(self):
        lines = []
        for k, each in enumerate(self.parameters):
            memory = self.memories[each.memory]
            lines.append(f"  p{k}: {each.type} {each.extents}, strides {each.strides}, offset {each.offset} of memory {each.memory} "
                         f"({memory.elements.nbytes} bytes, stream {memory.stream})")
        lines += [f"  number {k}: {type_} {at[0]}" for k, (type_, at) in enumerate(self.numbers)]
        return "\n".join(lines)


Reply = collections.namedtuple("Reply", "status message memories results")


class Program:
    """The compiled functions on one device."""

    def __init__(self, path, device):
        self.device = device
        self.process = subprocess.Popen([path, device], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={"YOKE_CACHE": "off", **os.environ})
        try:
            self.is_there = self.read(1, time.monotonic() + LONGEST_RUN_S) == b"y"
        except EOFError as e:
            sys.exit(f"{device}: {e}")

    def send(self, request):
        self.process.stdin.write(request)
        self.process.stdin.flush()

    def read(self, size, until):
        parts, have = [], 0
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while have < size:
                if not selector.select(max(0.0, until - time.monotonic())):
                    self.process.kill()
                    raise EOFError(f"no answer within {LONGEST_RUN_S} s")
                part = os.read(self.process.stdout.fileno(), size - have)
                if not part:
                    raise EOFError(f"the program ended, with code {self.process.wait()}")
                parts.append(part)
                have += len(part)
        return b"".join(parts)

    def reply(self):
        until = time.monotonic() + LONGEST_RUN_S

        def number():
            return struct.unpack("<Q", self.read(8, until))[0]

        def block():
            return self.read(number(), until)

        status = number()
        message = block().decode(errors="replace")
        memories = []
        for _ in range(self.memories):
            memories.append(block())
        results = []
        for _ in range(number()):
            extents = [number() for _ in range(number())]
            f_order = number()
            results.append((extents, f_order, block()))
        return Reply(status, message, memories, results)

    def run(self, of):
        self.memories = len(of.memories)
        try:
            self.send(of.request())
        except BrokenPipeError:
            pass  # so will the reply

    def end(self):
        self.process.stdin.close()
        self.process.wait()


# --- comparing ----------------------------------------------------------------------------------------------------------


def differing(got, want, far):
    """Returns: where elements differ by more than may be."""
    with np.errstate(all="ignore"):
        if got.dtype.kind == "c" and far is not None:
            same = (got == want) | ((got != got) & (want != want)) | (np.abs(got - want) <= far) | np.isinf(far)
            return ~same
        if got.dtype.kind == "c":
            return differing(got.real, want.real, None) | differing(got.imag, want.imag, None)
        if got.dtype.kind == "f" and far is not None:
            wide = got.astype(np.float64), want.astype(np.float64)
            return ~((got == want) | ((got != got) & (want != want)) | (np.abs(wide[0] - wide[1]) <= far) | np.isinf(far))
        if got.dtype.kind == "f":
            return ~((got != got) & (want != want)) & ((got != want) | (np.signbit(got) != np.signbit(want)))
        return (got != want) & (True if far is None else ~np.isinf(far))


def first_difference(name, type_, got, want, far):
    bad = differing(got, want, far)
    if not np.any(bad):
        return None
    at = tuple(int(each) for each in np.argwhere(bad)[0]) if got.ndim else ()
    allowed = "" if far is None or far[at] == 0 else f", which may be {far[at]:.3g} apart"
    return (f"{name}[{', '.join(map(str, at))}] ({type_}) is {got[at]!r} on the device, {want[at]!r} by NumPy{allowed}; "
            f"{int(np.sum(bad))} of {got.size} differ")


def compare(of, reply, expected):
    """Returns: the first difference in words, or None."""
    memories, distances, results, stopped = expected
    if reply.status == 2 or (reply.status == 1) != (stopped is not None):
        return f"the device's program says: {reply.message or 'nothing'}; the twin says: {stopped or 'nothing'}"
    for k, each in enumerate(of.memories):
        got = np.frombuffer(reply.memories[k], memories[k].dtype)
        want = memories[k]
        if each.type == "b1":
            got, want = got != 0, want != 0
        found = first_difference(f"memory {k}", each.type, got, want, distances[k])
        if found:
            return found
    if len(results) != len(reply.results):
        return f"the device has {len(reply.results)} results, NumPy {len(results)}"
    for k, (each, (extents, f_order, data)) in enumerate(zip(results, reply.results)):
        if list(each.v.shape) != list(extents):
            return f"result {k} has the shape {tuple(extents)} on the device, {each.v.shape} by NumPy"
        type_ = twin.type_of(each)
        if len(data) != each.v.nbytes:
            return f"result {k} has {len(data)} bytes on the device, {each.v.nbytes} by NumPy ({type_})"
        got = np.frombuffer(data, np.uint8 if type_ == "b1" else each.v.dtype).reshape(extents, order="F" if f_order else "C")
        found = first_difference(f"result {k}", type_, got != 0 if type_ == "b1" else got, each.v, each.t)
        if found:
            return found
    return None


class Comparison:
    """The runs of some devices, of which each works on one at a time, and what differs."""

    def __init__(self, options, twins, programs):
        self.options, self.twins, self.programs = options, twins, programs
        self.waiting = {}  # the run that a device works on
        self.replies = []
        self.done, self.refused, self.differing = 0, 0, []

    def start(self, device, of):
        self.finish(device)
        self.programs[device].run(of)
        self.waiting[device] = of

    def finish(self, device):
        of = self.waiting.pop(device, None)
        if of is None:
            return
        expected = of.expected(self.twins)
        try:
            reply = self.programs[device].reply()
            found = compare(of, reply, expected)
            if self.options.self_test:
                self.replies.append((of, reply))
        except EOFError as e:
            found = str(e)
            self.programs[device] = Program(self.options.program, self.programs[device].device)
        self.done += 1
        self.refused += expected[3] is not None
        if found is not None:
            self.differing.append(of.function)
            self.report(of, self.programs[device].device, found)

    def report(self, of, device, found):
        driver = [f"YOKE_CUDA_DRIVER={os.environ['YOKE_CUDA_DRIVER']}"] if "YOKE_CUDA_DRIVER" in os.environ else []
        seed, streams = self.options.seed, self.options.streams
        again = shlex.join([*driver, sys.executable, sys.argv[0], f"--program={self.options.program}", f"--twins={self.options.twins}",
                            f"--seed={seed}", f"--streams={streams}", f"--devices={device}", f"--only={of.number}"])
        print(f"run {of.number} of seed {seed}, function {of.function} of seed {self.twins.SEED}, on {device}:\n"
              f"  {found}\n{of.text()}\n{self.twins.SOURCES[of.function]}\n  again: {again}\n", flush=True)


def programs_of(options):
    """Returns: the program on each device that there is."""
    programs = []
    for each in (options.devices or "opencl:0,cuda:0").split(","):
        made = Program(options.program, each)
        if made.is_there:
            programs.append(made)
        elif options.devices or (each.startswith("cuda") and "YOKE_CUDA_DRIVER" in os.environ):
            sys.exit(f"there is no device {each}")
    return programs


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--twins", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--devices", default=os.environ.get("YOKE_TEST_DEVICES"), help="else opencl:0 and cuda:0, if they are there")
    parser.add_argument("--in-turns", action="store_true")
    parser.add_argument("--streams", type=int, default=3)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--keep-going", type=int, default=1, metavar="N", help="end after so many differences")
    options = parser.parse_args()
    sys.path.insert(0, str(options.twins))
    twins = importlib.import_module("twins")
    programs = programs_of(options)
    if not programs:
        print("YOKE-SKIP: array.fuzz : there is no device")
        return 0
    made, start = Comparison(options, twins, programs), time.monotonic()
    for number in range(options.runs) if options.only is None else [options.only]:
        of = Run(twins, options.seed, number, options.streams)
        in_turns = options.in_turns and options.only is None
        for device in [of.function % len(programs)] if in_turns else range(len(programs)):
            made.start(device, of)
        if len(made.differing) >= options.keep_going:
            break
    for device, each in enumerate(programs):
        made.finish(device)
        each.end()
    functions = f" (functions {sorted(set(made.differing))})" if made.differing else ""
    print(f"{made.done} runs of {len(twins.FUNCTIONS)} functions on {', '.join(each.device for each in programs)}: "
          f"{len(made.differing)} differ{functions}, {made.refused} were refused as they should, in {time.monotonic() - start:.1f} s")
    if made.differing:
        return 1
    return 1 if options.self_test and self_test(twins, made.replies) else 0


def self_test(twins, replies):
    """Plants mistakes in the twins. Returns: how many of them no run found."""
    missed = 0
    for name, what in twin.MISTAKES.items():
        twin.planted = name
        found = next((of for of, reply in replies if compare(of, reply, of.expected(twins)) is not None), None)
        twin.planted = None
        if found is None:
            missed += 1
            print(f"no run found the planted mistake: {what}")
        else:
            print(f"run {found.number} finds that {what}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
