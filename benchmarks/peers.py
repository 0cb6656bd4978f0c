#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The same operations through the Python libraries, measured in the same way: bursts behind a busy queue.
"""usage: peers.py NAME, of cupy, pycuda, numba, cuda_core, pyopencl
The first line of standard input holds the device's facts. The answer is a line of JSON: the version and the operations, or
why the library is absent. Each line "NAME ROUNDS COUNT" is then answered by nanoseconds an operation, one for each burst.
"""
import json
import os
import sys
import time
import traceback

SMALL, LARGE = 4 << 10, 64 << 20
BLOCK = 16
UNIQUE = "YOKE_KERNEL unique(YOKE_GLOBAL long* a) {{ a[0] = {}; }}\n"


def nothing():
    pass


class Peer:
    """A library's side: `launcher(which)` gives a launch, `blocks(size)` memory to copy between. The other functions are those of
    `OPERATIONS`, each only where the library has it."""

    def __init__(self, facts):
        self.facts = facts
        self.busy_count = int(facts["busy_count"])

    def end(self, stream): stream.synchronize()
    def synchronize(self): self.end(self.stream)

    def finish_wait(self):
        self.end(self.other)
        self.end(self.stream)

    def kernels_of(self, made, a, b, f, i):
        """Returns: for each launch its kernel and arguments; `made` gives a kernel by name, `f` and `i` numbers."""
        return {1: (made("one"), (a,)),
                8: (made("eight"), (a, b, b, b, f(1), f(2), i(3), i(64))),
                16: (made("sixteen"), (a, *[b] * 7, f(1), f(2), f(3), f(4), i(5), i(6), i(7), i(64))),
                "busy": (made("busy"), (a, i(self.busy_count)))}

    def enqueued(self, operate): return "host", self.launcher("busy"), operate, self.synchronize
    def waiting(self, operate): return "elapsed", nothing, operate, self.synchronize

    def launch_and_wait(self):
        launch, end, stream = self.launcher(1), self.end, self.stream

        def operate():
            launch()
            end(stream)
        return self.waiting(operate)

    def stream_wait(self):
        def prepare():
            self.busy_other()
            self.record_pending()
        return "host", prepare, self.wait, self.finish_wait

    def cold(self):
        return "elapsed", nothing, lambda: self.compiled(self.source + UNIQUE.format(time.time_ns())), nothing

    def warm(self):
        text = self.source + UNIQUE.format(time.time_ns())
        self.compiled(text)
        return "elapsed", nothing, lambda: self.compiled(text), nothing

    @property
    def source(self): return self.facts[self.facts["backend"] + "_source"]

    def operations(self):
        """For each name a function that gives (clock, prepare, operate, finish)."""
        result = {f"launch/{count}": lambda count=count: self.enqueued(self.launcher(count)) for count in (1, 8, 16)}
        result["launch_and_wait/1"] = self.launch_and_wait
        for name, function in (("record_event", "record"), ("record_existing_event", "record_existing")):
            if hasattr(self, function):
                result[name] = lambda function=function: self.enqueued(getattr(self, function))
        result["stream_wait"] = self.stream_wait
        for size, text in ((1 << 20, "1MiB"), (LARGE, "64MiB")):
            if hasattr(self, "allocate"):
                result["allocate/" + text] = lambda size=size: ("host", nothing, lambda: self.allocate(size), nothing)
            if hasattr(self, "allocate_ordered"):
                result["allocate_ordered/" + text] = lambda size=size: self.enqueued(lambda: self.allocate_ordered(size))
        for size, text in ((SMALL, "4KiB"), (LARGE, "64MiB")):
            for name, function in (("copy_to_device/{}/pageable", "up"), ("copy_to_device/{}/locked", "up_locked"),
                                   ("copy_from_device/{}/pageable", "down"),
                                   ("copy_from_device/{}/locked", "down_locked"), ("copy_on_device/{}", "across"),
                                   ("map_unmap/{}", "map_unmap")):
                if getattr(self.blocks, function, None):
                    result[name.format(text)] = lambda size=size, function=function: self.waiting(
                        getattr(self.blocks(self, size), function))
        for name in ("to_device", "from_device", "on_device"):
            if hasattr(self.blocks, "enqueue_" + name):
                result[f"enqueue_copy/{name}/4KiB"] = lambda name=name: self.enqueued(
                    getattr(self.blocks(self, SMALL), "enqueue_" + name))
        if hasattr(self, "compiled"):
            result.update({"compile_cold": self.cold, "compile_warm": self.warm})
        return result


class Blocks:
    """Two blocks on the device, `pageable` and `locked` ones on the host; what is started here is also waited for."""

    def __init__(self, of, size):
        import numpy
        self.of, self.size = of, size
        self.pageable = numpy.random.default_rng(1).integers(1, 255, size, dtype=numpy.uint8)
        self.make(of, size)

    def up_locked(self):
        self.enqueue_to_device()
        self.of.end(self.of.stream)

    def down_locked(self):
        self.enqueue_from_device()
        self.of.end(self.of.stream)

    def across(self):
        self.enqueue_on_device()
        self.of.end(self.of.stream)


class CuPyBlocks(Blocks):
    def make(self, of, size):
        import cupyx
        self.cupy, self.stream = of.cupy, of.stream
        self.locked = cupyx.empty_pinned(size, "uint8")
        self.locked[:] = self.pageable
        self.first, self.second = of.cupy.asarray(self.pageable), of.cupy.asarray(self.pageable)

    def up(self):
        self.first.set(self.pageable, stream=self.stream)
        self.stream.synchronize()

    def down(self): self.first.get(stream=self.stream, out=self.pageable)
    def enqueue_to_device(self): self.first.set(self.locked, stream=self.stream)
    def enqueue_from_device(self): self.first.get(stream=self.stream, out=self.locked, blocking=False)
    def enqueue_on_device(self): self.cupy.copyto(self.second, self.first)


class CuPy(Peer):
    blocks = CuPyBlocks

    def __init__(self, facts):
        super().__init__(facts)
        import cupy
        import numpy
        self.version = cupy.__version__
        self.cupy = cupy
        cupy.cuda.Device(int(facts["ordinal"])).use()
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.other = cupy.cuda.Stream(non_blocking=True)
        self.stream.use()
        module = cupy.RawModule(code=facts["cuda_source"])
        a, b = cupy.ones(64, "float32"), cupy.ones(64, "float32")
        f, i = numpy.float32, numpy.int32
        self.kernels = self.kernels_of(module.get_function, a, b, f, i)
        self.existing, self.pending = self.event(), self.event()
        self.other_arguments = b, i(self.busy_count)

    def event(self): return self.cupy.cuda.Event(disable_timing=True)

    def launcher(self, which):
        kernel, arguments = self.kernels[which]
        return lambda: kernel((1,), (BLOCK,), arguments)

    def record(self): self.stream.record(self.event())
    def record_existing(self): self.stream.record(self.existing)

    def busy_other(self):
        with self.other:
            self.kernels["busy"][0]((1,), (BLOCK,), self.other_arguments)

    def record_pending(self): self.other.record(self.pending)
    def wait(self): self.stream.wait_event(self.pending)
    def allocate(self, size): self.cupy.cuda.memory.Memory(size)
    def allocate_ordered(self, size): self.cupy.cuda.memory.MemoryAsync(size, self.stream)
    def compiled(self, text): self.cupy.RawModule(code=text).compile()


class PyCUDABlocks(Blocks):
    def make(self, of, size):
        self.driver, self.stream = of.driver, of.stream
        self.locked = of.driver.pagelocked_empty(size, "uint8")
        self.locked[:] = self.pageable
        self.first, self.second = of.driver.to_device(self.pageable), of.driver.to_device(self.pageable)

    def up(self): self.driver.memcpy_htod(self.first, self.pageable)
    def up_locked(self): self.driver.memcpy_htod(self.first, self.locked)
    def down(self): self.driver.memcpy_dtoh(self.pageable, self.first)
    def down_locked(self): self.driver.memcpy_dtoh(self.locked, self.first)
    def enqueue_to_device(self): self.driver.memcpy_htod_async(self.first, self.locked, self.stream)
    def enqueue_from_device(self): self.driver.memcpy_dtoh_async(self.locked, self.first, self.stream)
    def enqueue_on_device(self): self.driver.memcpy_dtod_async(self.second, self.first, self.size, self.stream)


class PyCUDA(Peer):
    blocks = PyCUDABlocks

    def __init__(self, facts):
        super().__init__(facts)
        import numpy
        import pycuda
        import pycuda.driver as driver
        from pycuda.compiler import SourceModule
        self.version = pycuda.VERSION_TEXT
        self.driver, self.SourceModule = driver, SourceModule
        driver.init()
        self.context = driver.Device(int(facts["ordinal"])).retain_primary_context()
        self.context.push()
        self.stream, self.other = driver.Stream(), driver.Stream()
        module = SourceModule(facts["cuda_source"], no_extern_c=True)
        ones = numpy.ones(64, "float32")
        self.a, self.b = driver.to_device(ones), driver.to_device(ones)
        a, b = int(self.a), int(self.b)
        # Prepared calls: PyCUDA's own advice for launches that have to be fast.
        types = {"one": "P", "eight": "PPPPffii", "sixteen": "PPPPPPPPffffiiii", "busy": "Pi"}
        self.kernels = self.kernels_of(lambda name: module.get_function(name).prepare(types[name]), a, b, float, int)
        self.existing, self.pending = self.event(), self.event()

    def event(self): return self.driver.Event(self.driver.event_flags.DISABLE_TIMING)

    def launcher(self, which):
        kernel, arguments = self.kernels[which]
        stream, grid, block = self.stream, (1, 1), (BLOCK, 1, 1)
        return lambda: kernel.prepared_async_call(grid, block, stream, *arguments)

    def record(self): self.event().record(self.stream)
    def record_existing(self): self.existing.record(self.stream)

    def busy_other(self):
        kernel, _ = self.kernels["busy"]
        kernel.prepared_async_call((1, 1), (BLOCK, 1, 1), self.other, int(self.b), self.busy_count)

    def record_pending(self): self.pending.record(self.other)
    def wait(self): self.stream.wait_for_event(self.pending)
    def allocate(self, size): self.driver.mem_alloc(size).free()
    def compiled(self, text): self.SourceModule(text, no_extern_c=True)


class NumbaBlocks(Blocks):
    def make(self, of, size):
        self.stream = of.stream
        self.locked = of.cuda.pinned_array(size, "uint8")
        self.locked[:] = self.pageable
        self.first, self.second = of.cuda.to_device(self.pageable), of.cuda.to_device(self.pageable)

    def up(self): self.first.copy_to_device(self.pageable)
    def down(self): self.first.copy_to_host(self.pageable)
    def enqueue_to_device(self): self.first.copy_to_device(self.locked, self.stream)
    def enqueue_from_device(self): self.first.copy_to_host(self.locked, self.stream)
    def enqueue_on_device(self): self.second.copy_to_device(self.first, self.stream)


class Numba(Peer):
    blocks = NumbaBlocks

    def __init__(self, facts):
        super().__init__(facts)
        import numba
        import numpy
        from numba import cuda
        try:
            import numba_cuda
            self.version = f"{numba.__version__}, numba-cuda {numba_cuda.__version__}"
        except ImportError:
            self.version = numba.__version__
        self.cuda = cuda
        cuda.select_device(int(facts["ordinal"]))
        self.stream, self.other = cuda.stream(), cuda.stream()
        array, scalars = "float32[::1]", {"f": "float32", "i": "int32"}

        def signature(arrays, rest):
            return "void(" + ", ".join([array] * arrays + [scalars[each] for each in rest]) + ")"

        @cuda.jit(signature(1, ""))
        def one(a):
            if cuda.grid(1) == 0:
                a[0] = 1

        @cuda.jit(signature(4, "ffii"))
        def eight(a, b, c, d, x, y, m, n):
            if cuda.grid(1) >= m + n:
                a[0] = b[0] + c[0] + d[0] + x + y

        @cuda.jit(signature(8, "ffffiiii"))
        def sixteen(a, b, c, d, e, f, g, h, x, y, z, w, k, l, m, n):
            if cuda.grid(1) >= k + l + m + n:
                a[0] = b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0] + x + y + z + w

        @cuda.jit(signature(1, "i"))
        def busy(a, n):
            x = a[0]
            for _ in range(n):
                x = x * numpy.float32(0.999) + numpy.float32(0.5)
            if cuda.grid(1) == 0:
                a[0] = x

        ones = numpy.ones(64, "float32")
        a, b = cuda.to_device(ones), cuda.to_device(ones)
        f, i = numpy.float32, numpy.int32
        # Configured once, which is what Numba advises for launches that have to be fast.
        jitted = {"one": one, "eight": eight, "sixteen": sixteen, "busy": busy}
        self.kernels = self.kernels_of(lambda name: jitted[name][1, BLOCK, self.stream], a, b, f, i)
        self.other_busy = busy[1, BLOCK, self.other], (b, i(self.busy_count))
        self.existing, self.pending = cuda.event(timing=False), cuda.event(timing=False)

    def launcher(self, which):
        kernel, arguments = self.kernels[which]
        return lambda: kernel(*arguments)

    def record(self): self.cuda.event(timing=False).record(self.stream)
    def record_existing(self): self.existing.record(self.stream)

    def busy_other(self):
        kernel, arguments = self.other_busy
        kernel(*arguments)

    def record_pending(self): self.pending.record(self.other)
    def wait(self): self.pending.wait(self.stream)


class CudaCoreBlocks(Blocks):
    def make(self, of, size):
        self.stream = of.stream
        self.first, self.second = (of.device.allocate(size, stream=of.stream) for _ in range(2))
        of.synchronize()

    up_locked = down_locked = None  # CUDA Core copies between its own buffers alone

    def enqueue_on_device(self): self.first.copy_to(self.second, stream=self.stream)


class CudaCore(Peer):
    blocks = CudaCoreBlocks

    def __init__(self, facts):
        super().__init__(facts)
        import ctypes
        try:
            import cuda.core as core
            core.Device, core.launch
        except (ImportError, AttributeError):
            import cuda.core.experimental as core
        try:
            from importlib.metadata import version
            self.version = version("cuda-core")
        except ImportError:
            self.version = "?"
        self.core = core
        self.device = core.Device(int(facts["ordinal"]))
        self.device.set_current()
        self.stream, self.other = self.device.create_stream(), self.device.create_stream()
        compiled = self.compiled(facts["cuda_source"])
        self.existing = self.stream.record()
        self.a = self.device.allocate(256, stream=self.stream)
        self.b = self.device.allocate(256, stream=self.stream)
        self.stream.sync()
        self.config = core.LaunchConfig(grid=1, block=BLOCK)
        a, b, f, i = self.a, self.b, ctypes.c_float, ctypes.c_int
        self.kernels = self.kernels_of(compiled.get_kernel, a, b, f, i)
        self.other_busy = (self.kernels["busy"][0], (b, i(self.busy_count)))

    def compiled(self, text):
        options = self.core.ProgramOptions(std="c++17", arch=f"sm_{self.device.arch}")
        return self.core.Program(text, code_type="c++", options=options).compile("cubin")

    def end(self, stream): stream.sync()

    def launcher(self, which):
        kernel, arguments = self.kernels[which]
        launch, stream, config = self.core.launch, self.stream, self.config
        return lambda: launch(stream, config, kernel, *arguments)

    def record(self): self.stream.record()
    def record_existing(self): self.stream.record(self.existing)

    def busy_other(self):
        kernel, arguments = self.other_busy
        self.core.launch(self.other, self.config, kernel, *arguments)

    def record_pending(self): self.pending = self.other.record()
    def wait(self): self.stream.wait(self.pending)
    def allocate_ordered(self, size): self.device.allocate(size, stream=self.stream).close()


class PyOpenCLBlocks(Blocks):
    def make(self, of, size):
        cl = self.cl = of.cl
        self.stream = of.stream
        flags = cl.mem_flags
        self.first, self.second = (
            cl.Buffer(of.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=self.pageable) for _ in range(2))
        self.pinned = cl.Buffer(of.context, flags.READ_WRITE | flags.ALLOC_HOST_PTR, size)
        self.locked, _ = cl.enqueue_map_buffer(self.stream, self.pinned, cl.map_flags.READ | cl.map_flags.WRITE, 0,
                                               (size,), "uint8")
        self.locked[:] = self.pageable

    def up(self): self.cl.enqueue_copy(self.stream, self.first, self.pageable)
    def up_locked(self): self.cl.enqueue_copy(self.stream, self.first, self.locked)
    def down(self): self.cl.enqueue_copy(self.stream, self.pageable, self.first)
    def down_locked(self): self.cl.enqueue_copy(self.stream, self.locked, self.first)
    def across(self): self.cl.enqueue_copy(self.stream, self.second, self.first).wait()

    def map_unmap(self):
        mapped, _ = self.cl.enqueue_map_buffer(self.stream, self.first, self.cl.map_flags.READ, 0, (self.size,), "uint8")
        mapped.base.release(self.stream)

    def enqueue_to_device(self): self.cl.enqueue_copy(self.stream, self.first, self.locked, is_blocking=False)
    def enqueue_from_device(self): self.cl.enqueue_copy(self.stream, self.locked, self.first, is_blocking=False)
    def enqueue_on_device(self): self.cl.enqueue_copy(self.stream, self.second, self.first)


class PyOpenCL(Peer):
    blocks = PyOpenCLBlocks

    def __init__(self, facts):
        super().__init__(facts)
        import numpy
        import pyopencl as cl
        self.version = cl.VERSION_TEXT
        self.cl, self.numpy = cl, numpy
        device = next(device for platform in cl.get_platforms() if platform.name.strip() == facts["platform"].strip()
                      for device in platform.get_devices() if device.name.strip() == facts["device"].strip())
        self.context = cl.Context([device])
        self.stream, self.other = cl.CommandQueue(self.context), cl.CommandQueue(self.context)
        program = self.compiled(facts["opencl_source"])
        ones = numpy.ones(64, "float32")
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        a, b = (cl.Buffer(self.context, flags, hostbuf=ones) for _ in range(2))
        f, i = numpy.float32, numpy.int32

        # One kernel kept, and the types of its scalars told: PyOpenCL's own advice for launches that have to be fast.
        types = {"one": [None], "eight": [None] * 4 + [f, f, i, i], "sixteen": [None] * 8 + [f] * 4 + [i] * 4,
                 "busy": [None, i]}

        def kernel(name):
            made = cl.Kernel(program, name)
            made.set_scalar_arg_dtypes(types[name])
            return made
        self.kernels = self.kernels_of(kernel, a, b, float, int)
        self.other_busy = kernel("busy"), (b, self.busy_count)

    def compiled(self, text): return self.cl.Program(self.context, text).build()
    def end(self, stream): stream.finish()

    def launcher(self, which):
        kernel, arguments = self.kernels[which]
        queue, size = self.stream, (BLOCK,)
        return lambda: kernel(queue, size, size, *arguments)

    def record(self): self.cl.enqueue_marker(self.stream)

    def busy_other(self):
        kernel, arguments = self.other_busy
        kernel(self.other, (BLOCK,), (BLOCK,), *arguments)

    def record_pending(self):
        self.pending = [self.cl.enqueue_marker(self.other)]
        self.other.flush()

    def wait(self): self.cl.enqueue_barrier(self.stream, wait_for=self.pending)
    def allocate(self, size): self.cl.Buffer(self.context, self.cl.mem_flags.READ_WRITE, size).release()


PEERS = {"cupy": CuPy, "pycuda": PyCUDA, "numba": Numba, "cuda_core": CudaCore, "pyopencl": PyOpenCL}
OF_BACKEND = {"cuda": ("cupy", "pycuda", "numba", "cuda_core"), "opencl": ("pyopencl",)}


def bursts(burst, clock_name, rounds, count):
    """Nanoseconds an operation, for each of `rounds` bursts of `count`."""
    clock, prepare, operate, finish = burst
    now = time.thread_time_ns if clock == "host" and clock_name == "thread" else time.perf_counter_ns
    result = []
    for _ in range(rounds):
        prepare()
        if count > 1:
            operate()
            operate()
        start = now()
        for _ in range(count):
            operate()
        spent = now() - start
        finish()
        result.append(spent / count)
    return result


def serve(name, facts, answer):
    peer = PEERS[name](facts)
    operations = peer.operations()
    answer({"version": peer.version, "operations": sorted(operations)})
    current, burst = None, None
    for line in sys.stdin:
        operation, rounds, count = line.split()
        try:
            if operation != current:
                burst, current = None, None  # what the last one held goes first
                burst = operations[operation]()
                current = operation
                if not operation.startswith("compile"):
                    bursts(burst, facts["clock"], 2, int(count))
            answer({"samples": bursts(burst, facts["clock"], int(rounds), int(count))})
        except Exception as e:  # one operation's failure leaves the others
            traceback.print_exc()
            answer({"failed": f"{type(e).__name__}: {e}"})


def main():
    name = sys.argv[1]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints is no answer
    sys.stdout = sys.stderr

    def answer(what):
        out.write(json.dumps(what) + "\n")
        out.flush()

    facts = json.loads(sys.stdin.readline())
    try:
        serve(name, facts, answer)
    except ImportError as e:
        answer({"absent": f"{e}"})
    except Exception as e:
        traceback.print_exc()
        answer({"absent": f"{type(e).__name__}: {e}"})


if __name__ == "__main__":
    main()
