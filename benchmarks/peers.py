#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The same operations through the Python libraries, measured in the same way: bursts behind a busy queue.
"""usage: peers.py NAME, of cupy, pycuda, numba, cuda_core, pyopencl; or peers.py --first-kernel NAME
The first line of standard input is what the runner said of the device. The answer is a line of JSON: the version and the
operations, or why the library is absent. Then for each line "NAME ROUNDS COUNT" there is a line of nanoseconds an
operation, one for each burst. With --first-kernel the answer is the clock when a kernel has run.
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
    """What every library's side has; `operations()` gives for a name (clock, prepare, operate, finish)."""

    def __init__(self, facts):
        self.facts = facts
        self.busy_count = int(facts["busy_count"])
        self.kept = {}

    def noise(self, size):
        import numpy
        return numpy.random.default_rng(1).integers(1, 255, size, dtype=numpy.uint8)

    def enqueued(self, operate):
        return "host", self.busy, operate, self.synchronize

    def waiting(self, operate):
        return "elapsed", nothing, operate, self.synchronize

    def launches(self):
        def launch_and_wait():
            self.launch(1)
            self.synchronize()

        operations = {f"launch/{count}": lambda count=count: self.enqueued(self.launcher(count))
                      for count in (1, 8, 16)}
        operations["launch_and_wait/1"] = lambda: self.waiting(launch_and_wait)
        return operations

    def launcher(self, count):
        return lambda: self.launch(count)

    def busy(self):
        self.launch("busy")

    def copies(self, blocks, enqueued=True):
        """Copies of `blocks(size)`, an object with up, up_locked, down, down_locked, across, and enqueue_*."""
        operations = {}
        for size, text in ((SMALL, "4KiB"), (LARGE, "64MiB")):
            for name, function in (("copy_to_device/{}/pageable", "up"), ("copy_to_device/{}/locked", "up_locked"),
                                   ("copy_from_device/{}/pageable", "down"),
                                   ("copy_from_device/{}/locked", "down_locked"), ("copy_on_device/{}", "across"),
                                   ("map_unmap/{}", "map_unmap")):
                if hasattr(blocks, function):
                    operations[name.format(text)] = lambda size=size, function=function: self.waiting(
                        getattr(blocks(self, size), function))
        for name in ("to_device", "from_device", "on_device"):
            if enqueued and hasattr(blocks, "enqueue_" + name):
                operations[f"enqueue_copy/{name}/4KiB"] = lambda name=name: self.enqueued(
                    getattr(blocks(self, SMALL), "enqueue_" + name))
        return operations

    def compilations(self, source, compile_source):
        """`compile_source(text)` makes a program of a text."""
        def cold():
            compile_source(source + UNIQUE.format(time.time_ns()))

        def warm():
            text = source + UNIQUE.format(time.time_ns())
            compile_source(text)
            return "elapsed", nothing, lambda: compile_source(text), nothing

        return {"compile_cold": lambda: ("elapsed", nothing, cold, nothing), "compile_warm": warm}


class CuPy(Peer):
    def __init__(self, facts):
        super().__init__(facts)
        import cupy
        import numpy
        self.version = cupy.__version__
        self.cupy, self.numpy = cupy, numpy
        cupy.cuda.Device(int(facts["ordinal"])).use()
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.other = cupy.cuda.Stream(non_blocking=True)
        self.stream.use()
        module = cupy.RawModule(code=facts["cuda_source"])
        a, b = cupy.ones(64, "float32"), cupy.ones(64, "float32")
        f, i = numpy.float32, numpy.int32
        self.kernels = {
            1: (module.get_function("one"), (a,)),
            8: (module.get_function("eight"), (a, b, b, b, f(1), f(2), i(3), i(64))),
            16: (module.get_function("sixteen"),
                 (a, b, b, b, b, b, b, b, f(1), f(2), f(3), f(4), i(5), i(6), i(7), i(64))),
            "busy": (module.get_function("busy"), (a, i(self.busy_count)))}
        self.b = b

    def synchronize(self):
        self.stream.synchronize()

    def launch(self, which):
        kernel, arguments = self.kernels[which]
        kernel((1,), (BLOCK,), arguments)

    def launcher(self, count):
        kernel, arguments = self.kernels[count]
        return lambda: kernel((1,), (BLOCK,), arguments)

    def operations(self):
        cupy, stream = self.cupy, self.stream
        existing = cupy.cuda.Event(disable_timing=True)

        def record():
            stream.record(cupy.cuda.Event(disable_timing=True))

        def wait():
            pending = cupy.cuda.Event(disable_timing=True)

            def prepare():
                kernel, _ = self.kernels["busy"]
                with self.other:
                    kernel((1,), (BLOCK,), (self.b, self.numpy.int32(self.busy_count)))
                self.other.record(pending)

            def finish():
                self.other.synchronize()
                stream.synchronize()
            return "host", prepare, lambda: stream.wait_event(pending), finish

        result = self.launches()
        result["record_event"] = lambda: self.enqueued(record)
        result["record_existing_event"] = lambda: self.enqueued(lambda: stream.record(existing))
        result["stream_wait"] = wait
        for size, text in ((1 << 20, "1MiB"), (LARGE, "64MiB")):
            result["allocate/" + text] = lambda size=size: (
                "host", nothing, lambda: cupy.cuda.memory.Memory(size), nothing)
            result["allocate_ordered/" + text] = lambda size=size: self.enqueued(
                lambda: cupy.cuda.memory.MemoryAsync(size, stream))
        result.update(self.copies(CuPyBlocks))
        result.update(self.compilations(self.facts["cuda_source"],
                                        lambda text: cupy.RawModule(code=text).compile()))
        return result


class CuPyBlocks:
    def __init__(self, of, size):
        import cupyx
        self.cupy, self.stream = of.cupy, of.stream
        self.pageable = of.noise(size)
        self.locked = cupyx.empty_pinned(size, "uint8")
        self.locked[:] = self.pageable
        self.first, self.second = of.cupy.asarray(self.pageable), of.cupy.asarray(self.pageable)

    def up(self):
        self.first.set(self.pageable, stream=self.stream)
        self.stream.synchronize()

    def up_locked(self):
        self.first.set(self.locked, stream=self.stream)
        self.stream.synchronize()

    def down(self):
        self.first.get(stream=self.stream, out=self.pageable)
        self.stream.synchronize()

    def down_locked(self):
        self.first.get(stream=self.stream, out=self.locked)
        self.stream.synchronize()

    def across(self):
        with self.stream:
            self.cupy.copyto(self.second, self.first)
        self.stream.synchronize()

    def enqueue_to_device(self):
        self.first.set(self.locked, stream=self.stream)

    def enqueue_from_device(self):
        self.first.get(stream=self.stream, out=self.locked, blocking=False)

    def enqueue_on_device(self):
        self.cupy.copyto(self.second, self.first)


class PyCUDA(Peer):
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
        self.ones = numpy.ones(64, "float32")
        self.a, self.b = driver.to_device(self.ones), driver.to_device(self.ones)
        a, b = int(self.a), int(self.b)
        # Prepared calls: PyCUDA's own advice for launches that have to be fast.
        self.kernels = {
            1: (module.get_function("one").prepare("P"), (a,)),
            8: (module.get_function("eight").prepare("PPPPffii"), (a, b, b, b, 1.0, 2.0, 3, 64)),
            16: (module.get_function("sixteen").prepare("PPPPPPPPffffiiii"),
                 (a, b, b, b, b, b, b, b, 1.0, 2.0, 3.0, 4.0, 5, 6, 7, 64)),
            "busy": (module.get_function("busy").prepare("Pi"), (a, self.busy_count))}

    def synchronize(self):
        self.stream.synchronize()

    def launch(self, which):
        kernel, arguments = self.kernels[which]
        kernel.prepared_async_call((1, 1), (BLOCK, 1, 1), self.stream, *arguments)

    def launcher(self, count):
        kernel, arguments = self.kernels[count]
        stream, grid, block = self.stream, (1, 1), (BLOCK, 1, 1)
        return lambda: kernel.prepared_async_call(grid, block, stream, *arguments)

    def operations(self):
        driver, stream = self.driver, self.stream
        flags = driver.event_flags.DISABLE_TIMING
        existing = driver.Event(flags)

        def wait():
            pending = driver.Event(flags)

            def prepare():
                kernel, _ = self.kernels["busy"]
                kernel.prepared_async_call((1, 1), (BLOCK, 1, 1), self.other, int(self.b), self.busy_count)
                pending.record(self.other)

            def finish():
                self.other.synchronize()
                stream.synchronize()
            return "host", prepare, lambda: stream.wait_for_event(pending), finish

        result = self.launches()
        result["record_event"] = lambda: self.enqueued(lambda: driver.Event(flags).record(stream))
        result["record_existing_event"] = lambda: self.enqueued(lambda: existing.record(stream))
        result["stream_wait"] = wait
        for size, text in ((1 << 20, "1MiB"), (LARGE, "64MiB")):
            result["allocate/" + text] = lambda size=size: (
                "host", nothing, lambda: driver.mem_alloc(size).free(), nothing)
        result.update(self.copies(PyCUDABlocks))
        result.update(self.compilations(self.facts["cuda_source"],
                                        lambda text: self.SourceModule(text, no_extern_c=True)))
        return result


class PyCUDABlocks:
    def __init__(self, of, size):
        self.driver, self.stream = of.driver, of.stream
        self.size = size
        self.pageable = of.noise(size)
        self.locked = of.driver.pagelocked_empty(size, "uint8")
        self.locked[:] = self.pageable
        self.first, self.second = of.driver.to_device(self.pageable), of.driver.to_device(self.pageable)

    def up(self):
        self.driver.memcpy_htod(self.first, self.pageable)

    def up_locked(self):
        self.driver.memcpy_htod(self.first, self.locked)

    def down(self):
        self.driver.memcpy_dtoh(self.pageable, self.first)

    def down_locked(self):
        self.driver.memcpy_dtoh(self.locked, self.first)

    def across(self):
        self.enqueue_on_device()
        self.stream.synchronize()

    def enqueue_to_device(self):
        self.driver.memcpy_htod_async(self.first, self.locked, self.stream)

    def enqueue_from_device(self):
        self.driver.memcpy_dtoh_async(self.locked, self.first, self.stream)

    def enqueue_on_device(self):
        self.driver.memcpy_dtod_async(self.second, self.first, self.size, self.stream)


class Numba(Peer):
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
        self.kernels = {
            1: (one[1, BLOCK, self.stream], (a,)),
            8: (eight[1, BLOCK, self.stream], (a, b, b, b, f(1), f(2), i(3), i(64))),
            16: (sixteen[1, BLOCK, self.stream],
                 (a, b, b, b, b, b, b, b, f(1), f(2), f(3), f(4), i(5), i(6), i(7), i(64))),
            "busy": (busy[1, BLOCK, self.stream], (a, i(self.busy_count)))}
        self.other_busy = busy[1, BLOCK, self.other], (b, i(self.busy_count))

    def synchronize(self):
        self.stream.synchronize()

    def launch(self, which):
        kernel, arguments = self.kernels[which]
        kernel(*arguments)

    def launcher(self, count):
        kernel, arguments = self.kernels[count]
        return lambda: kernel(*arguments)

    def operations(self):
        cuda, stream = self.cuda, self.stream
        existing = cuda.event(timing=False)

        def wait():
            pending = cuda.event(timing=False)

            def prepare():
                kernel, arguments = self.other_busy
                kernel(*arguments)
                pending.record(self.other)

            def finish():
                self.other.synchronize()
                stream.synchronize()
            return "host", prepare, lambda: pending.wait(stream), finish

        result = self.launches()
        result["record_event"] = lambda: self.enqueued(lambda: cuda.event(timing=False).record(stream))
        result["record_existing_event"] = lambda: self.enqueued(lambda: existing.record(stream))
        result["stream_wait"] = wait
        result.update(self.copies(NumbaBlocks))
        return result


class NumbaBlocks:
    def __init__(self, of, size):
        self.stream = of.stream
        self.pageable = of.noise(size)
        self.locked = of.cuda.pinned_array(size, "uint8")
        self.locked[:] = self.pageable
        self.first, self.second = of.cuda.to_device(self.pageable), of.cuda.to_device(self.pageable)

    def up(self):
        self.first.copy_to_device(self.pageable)

    def up_locked(self):
        self.enqueue_to_device()
        self.stream.synchronize()

    def down(self):
        self.first.copy_to_host(self.pageable)

    def down_locked(self):
        self.enqueue_from_device()
        self.stream.synchronize()

    def across(self):
        self.enqueue_on_device()
        self.stream.synchronize()

    def enqueue_to_device(self):
        self.first.copy_to_device(self.locked, self.stream)

    def enqueue_from_device(self):
        self.first.copy_to_host(self.locked, self.stream)

    def enqueue_on_device(self):
        self.second.copy_to_device(self.first, self.stream)


class CudaCore(Peer):
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
        self.a = self.device.allocate(256, stream=self.stream)
        self.b = self.device.allocate(256, stream=self.stream)
        self.stream.sync()
        self.config = core.LaunchConfig(grid=1, block=BLOCK)
        a, b, f, i = self.a, self.b, ctypes.c_float, ctypes.c_int
        self.kernels = {
            1: (compiled.get_kernel("one"), (a,)),
            8: (compiled.get_kernel("eight"), (a, b, b, b, f(1), f(2), i(3), i(64))),
            16: (compiled.get_kernel("sixteen"),
                 (a, b, b, b, b, b, b, b, f(1), f(2), f(3), f(4), i(5), i(6), i(7), i(64))),
            "busy": (compiled.get_kernel("busy"), (a, i(self.busy_count)))}
        self.other_busy = (self.kernels["busy"][0], (b, i(self.busy_count)))

    def compiled(self, text):
        options = self.core.ProgramOptions(std="c++17", arch=f"sm_{self.device.arch}")
        return self.core.Program(text, code_type="c++", options=options).compile("cubin")

    def synchronize(self):
        self.stream.sync()

    def launch(self, which):
        kernel, arguments = self.kernels[which]
        self.core.launch(self.stream, self.config, kernel, *arguments)

    def launcher(self, count):
        kernel, arguments = self.kernels[count]
        launch, stream, config = self.core.launch, self.stream, self.config
        return lambda: launch(stream, config, kernel, *arguments)

    def operations(self):
        device, stream = self.device, self.stream
        existing = stream.record()

        def wait():
            state = {}

            def prepare():
                kernel, arguments = self.other_busy
                self.core.launch(self.other, self.config, kernel, *arguments)
                state["pending"] = self.other.record()

            def finish():
                self.other.sync()
                stream.sync()
            return "host", prepare, lambda: stream.wait(state["pending"]), finish

        def across(size, blocking):
            first = device.allocate(size, stream=stream)
            second = device.allocate(size, stream=stream)
            stream.sync()

            def operate():
                first.copy_to(second, stream=stream)
                if blocking:
                    stream.sync()
            return self.waiting(operate) if blocking else self.enqueued(operate)

        result = self.launches()
        result["record_event"] = lambda: self.enqueued(lambda: stream.record())
        result["record_existing_event"] = lambda: self.enqueued(lambda: stream.record(existing))
        result["stream_wait"] = wait
        for size, text in ((1 << 20, "1MiB"), (LARGE, "64MiB")):
            result["allocate_ordered/" + text] = lambda size=size: self.enqueued(
                lambda: device.allocate(size, stream=stream).close())
        result["copy_on_device/4KiB"] = lambda: across(SMALL, True)
        result["copy_on_device/64MiB"] = lambda: across(LARGE, True)
        result["enqueue_copy/on_device/4KiB"] = lambda: across(SMALL, False)
        result.update(self.compilations(self.facts["cuda_source"], self.compiled))
        return result


class PyOpenCL(Peer):
    def __init__(self, facts):
        super().__init__(facts)
        import numpy
        import pyopencl as cl
        self.version = cl.VERSION_TEXT
        self.cl, self.numpy = cl, numpy
        device = next(device for platform in cl.get_platforms() if platform.name.strip() == facts["platform"].strip()
                      for device in platform.get_devices() if device.name.strip() == facts["device"].strip())
        self.context = cl.Context([device])
        self.queue, self.other = cl.CommandQueue(self.context), cl.CommandQueue(self.context)
        program = self.compiled(facts["opencl_source"])
        ones = numpy.ones(64, "float32")
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        a, b = (cl.Buffer(self.context, flags, hostbuf=ones) for _ in range(2))
        f, i = numpy.float32, numpy.int32

        # One kernel kept, and the types of its scalars told: PyOpenCL's own advice for launches that have to be fast.
        def kernel(name, types):
            made = cl.Kernel(program, name)
            made.set_scalar_arg_dtypes(types)
            return made
        self.kernels = {
            1: (kernel("one", [None]), (a,)),
            8: (kernel("eight", [None] * 4 + [f, f, i, i]), (a, b, b, b, 1.0, 2.0, 3, 64)),
            16: (kernel("sixteen", [None] * 8 + [f] * 4 + [i] * 4),
                 (a, b, b, b, b, b, b, b, 1.0, 2.0, 3.0, 4.0, 5, 6, 7, 64)),
            "busy": (kernel("busy", [None, i]), (a, self.busy_count))}
        self.other_busy = kernel("busy", [None, i]), (b, self.busy_count)

    def compiled(self, text):
        return self.cl.Program(self.context, text).build()

    def synchronize(self):
        self.queue.finish()

    def launch(self, which):
        kernel, arguments = self.kernels[which]
        kernel(self.queue, (BLOCK,), (BLOCK,), *arguments)

    def launcher(self, count):
        kernel, arguments = self.kernels[count]
        queue, size = self.queue, (BLOCK,)
        return lambda: kernel(queue, size, size, *arguments)

    def operations(self):
        cl, queue = self.cl, self.queue

        def wait():
            state = {}

            def prepare():
                kernel, arguments = self.other_busy
                kernel(self.other, (BLOCK,), (BLOCK,), *arguments)
                state["pending"] = [cl.enqueue_marker(self.other)]
                self.other.flush()

            def finish():
                self.other.finish()
                queue.finish()
            return "host", prepare, lambda: cl.enqueue_barrier(queue, wait_for=state["pending"]), finish

        result = self.launches()
        result["record_event"] = lambda: self.enqueued(lambda: cl.enqueue_marker(queue))
        result["stream_wait"] = wait
        for size, text in ((1 << 20, "1MiB"), (LARGE, "64MiB")):
            result["allocate/" + text] = lambda size=size: (
                "host", nothing, lambda: cl.Buffer(self.context, cl.mem_flags.READ_WRITE, size).release(), nothing)
        result.update(self.copies(PyOpenCLBlocks))
        result.update(self.compilations(self.facts["opencl_source"], self.compiled))
        return result


class PyOpenCLBlocks:
    def __init__(self, of, size):
        cl = self.cl = of.cl
        self.queue, self.size = of.queue, size
        self.pageable = of.noise(size)
        flags = cl.mem_flags
        self.first, self.second = (
            cl.Buffer(of.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=self.pageable) for _ in range(2))
        self.pinned = cl.Buffer(of.context, flags.READ_WRITE | flags.ALLOC_HOST_PTR, size)
        self.locked, _ = cl.enqueue_map_buffer(self.queue, self.pinned, cl.map_flags.READ | cl.map_flags.WRITE, 0,
                                               (size,), "uint8")
        self.locked[:] = self.pageable

    def up(self):
        self.cl.enqueue_copy(self.queue, self.first, self.pageable)

    def up_locked(self):
        self.cl.enqueue_copy(self.queue, self.first, self.locked)

    def down(self):
        self.cl.enqueue_copy(self.queue, self.pageable, self.first)

    def down_locked(self):
        self.cl.enqueue_copy(self.queue, self.locked, self.first)

    def across(self):
        self.cl.enqueue_copy(self.queue, self.second, self.first).wait()

    def map_unmap(self):
        mapped, _ = self.cl.enqueue_map_buffer(self.queue, self.first, self.cl.map_flags.READ, 0, (self.size,), "uint8")
        mapped.base.release(self.queue)

    def enqueue_to_device(self):
        self.cl.enqueue_copy(self.queue, self.first, self.locked, is_blocking=False)

    def enqueue_from_device(self):
        self.cl.enqueue_copy(self.queue, self.locked, self.first, is_blocking=False)

    def enqueue_on_device(self):
        self.cl.enqueue_copy(self.queue, self.second, self.first)


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


class core_apart:
    """As the runner's of the same name, which has chosen: while it is entered, threads that a driver starts stay away from the
    core; behind it this thread is there alone."""

    def __init__(self, facts):
        self.core, self.others = facts.get("core"), facts.get("others")
        self.apart = False

    def __enter__(self):
        if self.core is not None:
            os.sched_setaffinity(0, self.others)
        return self

    def __exit__(self, *_):
        if self.core is not None:
            os.sched_setaffinity(0, {self.core})
            self.apart = True


def serve(name, facts, answer):
    with core_apart(facts) as core:
        peer = PEERS[name](facts)
        operations = peer.operations()
        peer.launch("busy")
        peer.synchronize()
    answer({"version": peer.version, "operations": sorted(operations), "apart": core.apart})
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
    first = sys.argv[1:2] == ["--first-kernel"]
    name = sys.argv[2 if first else 1]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer, nor what one in C does
    sys.stdout = sys.stderr

    def answer(what):
        out.write((what if isinstance(what, str) else json.dumps(what)) + "\n")
        out.flush()

    facts = json.loads(sys.stdin.readline())
    try:
        if first:
            peer = PEERS[name](facts)
            peer.launch(1)
            peer.synchronize()
            answer(str(time.clock_gettime_ns(time.CLOCK_MONOTONIC)))
        else:
            serve(name, facts, answer)
    except ImportError as e:
        answer({"absent": f"{e}"})
    except Exception as e:
        traceback.print_exc()
        answer({"absent": f"{type(e).__name__}: {e}"})


if __name__ == "__main__":
    main()
