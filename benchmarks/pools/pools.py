# SPDX-License-Identifier: MIT
# The same of Python's pools, one thread, those that are installed: pools.py
import importlib
import time

SIZE = 4096


def row(name, allocate):
    times = []
    for _ in range(6):
        begin = time.perf_counter()
        for _ in range(20000):
            allocate()
        times.append((time.perf_counter() - begin) / 20000)
    print(f"{name:30s}{min(times[1:]) * 1e9:9.1f}")


def cupy(module):
    row("CuPy, MemoryPool", lambda: module.cuda.alloc(SIZE))
    row("CuPy, MemoryAsyncPool", lambda pool=module.cuda.MemoryAsyncPool(): pool.malloc(SIZE))


def torch(module):
    row("PyTorch, caching allocator", lambda: module.empty(SIZE, dtype=module.uint8, device="cuda"))


def rmm(module):
    pool = module.mr.PoolMemoryResource(module.mr.CudaMemoryResource(), initial_pool_size=1 << 24)
    row("RMM, pool", lambda: module.DeviceBuffer(size=SIZE, mr=pool))


def pyopencl(module):
    queue = module.CommandQueue(module.create_some_context(interactive=False))
    tools = importlib.import_module("pyopencl.tools")
    row("PyOpenCL, MemoryPool", lambda pool=tools.MemoryPool(tools.ImmediateAllocator(queue)): pool.allocate(SIZE))


for measure in (cupy, torch, rmm, pyopencl):
    try:
        measure(importlib.import_module(measure.__name__))
    except Exception as error:  # not installed, or without a device
        print(f"{measure.__name__}: {error!r}".splitlines()[0])
