# SPDX-License-Identifier: MIT
# Figures of CuPy and PyTorch in the manner of nccl.cpp: python_rows.py [LOG2 OF MOST BYTES] [ROUNDS] [GPUS]
import os
import statistics
import sys
import time

MOST = int(sys.argv[1]) if len(sys.argv) > 1 else 30
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
GPUS = int(sys.argv[3]) if len(sys.argv) > 3 else 64
SIZES = [1 << power for power in range(3, MOST + 1, 3)]
CALLS = 20


def measure(call, wait):
    for _ in range(5):
        call()
    bursts = []
    for _ in range(ROUNDS):
        wait()
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        wait()
        bursts.append((time.perf_counter() - begin) / CALLS)
    return statistics.median(bursts)


def row(library, bytes_, factor, took):
    print(f"| {library}, all-reduce | {bytes_} B | {took * 1e6:.2f} us | {bytes_ * factor / took / 1e9:.2f} GB/s (bus) |", flush=True)


def cupy_rows():
    import cupy
    from cupy.cuda import nccl
    count = min(cupy.cuda.runtime.getDeviceCount(), GPUS)
    comms = nccl.NcclCommunicator.initAll(count)
    streams, devices = [], [cupy.cuda.Device(i) for i in range(count)]
    for device in devices:
        with device:
            streams.append(cupy.cuda.Stream(non_blocking=True))
    for bytes_ in SIZES:
        x, y = [], []
        for device in devices:
            with device:
                x.append(cupy.zeros(max(bytes_ // 4, 1), cupy.float32))
                y.append(cupy.zeros_like(x[-1]))
                device.synchronize()

        def call():
            nccl.groupStart()
            for i in range(count):
                comms[i].allReduce(x[i].data.ptr, y[i].data.ptr, x[i].size, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, streams[i].ptr)
            nccl.groupEnd()

        row("CuPy, one process", bytes_, 2 * (count - 1) / count, measure(call, lambda: [each.synchronize() for each in streams]))


def torch_rank(rank, count):
    import torch
    import torch.distributed as dist
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29517")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=count)
    for bytes_ in SIZES:
        x = torch.zeros(max(bytes_ // 4, 1), device=f"cuda:{rank}")
        took = measure(lambda: dist.all_reduce(x), torch.cuda.synchronize)
        if rank == 0:
            row("PyTorch, a process a GPU", bytes_, 2 * (count - 1) / count, took)
    dist.destroy_process_group()


def main():
    print("\n| library | bytes | time | bandwidth |\n| --- | ---: | ---: | ---: |")
    try:
        cupy_rows()
    except ImportError as missing:
        print(f"| CuPy | | {missing} | |")
    try:
        import torch
        import torch.multiprocessing as processes
        count = min(torch.cuda.device_count(), GPUS)
        processes.spawn(torch_rank, args=(count,), nprocs=count)
    except ImportError as missing:
        print(f"| PyTorch | | {missing} | |")


if __name__ == "__main__":
    main()
