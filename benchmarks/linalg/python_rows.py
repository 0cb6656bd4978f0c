# SPDX-License-Identifier: MIT
# Figures of NumPy, SciPy, CuPy and PyTorch in the manner of linalg.cpp: python_rows.py [LOG2 OF SIDE] [ROUNDS]
import math
import sys
import time

SIDE = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 10)
ROUNDS = int(sys.argv[2] if len(sys.argv) > 2 else 10)
ALL = SIDE * SIDE


def row(library, name, work, unit, wait, act):
    best = 1e9
    for burst in range(6):
        wait()
        begin = time.perf_counter()
        for _ in range(ROUNDS):
            act()
        wait()
        if burst:
            best = min(best, (time.perf_counter() - begin) / ROUNDS)
    print(f"{library:8s} {name:25s} {best * 1e6:12.1f} us {work / best / 1e9:8.1f} {unit}")


def fft_work(points, along):
    return 5 * points * math.log2(along)


def rows(library, wait, ones, cast, matmul, fft, small):
    for kind in ("float32", "float64", "float16"):
        if small and kind == "float16":
            continue
        a = cast(ones((SIDE, SIDE)), kind)
        row(library, kind, 2 * SIDE**3 / 1e3, "TFLOP/s", wait, lambda: matmul(a, a))
    for length in (64, 1024, 4096, ALL // 16, ALL):
        a = cast(ones((max(ALL // length, 1), length)), "complex64")
        row(library, f"fft of rows of {length}", fft_work(max(ALL, length), length), "GFLOP/s", wait, lambda: fft(a))


gpu = False
try:
    import torch

    if torch.cuda.is_available():
        gpu = True
        rows("PyTorch", torch.cuda.synchronize, lambda shape: torch.rand(shape, device="cuda"),
             lambda a, kind: a.to(getattr(torch, kind)), torch.matmul, torch.fft.fft, False)
except ImportError:
    pass
try:
    import cupy

    gpu = True
    rows("CuPy", cupy.cuda.Device().synchronize, lambda shape: cupy.random.random(shape), lambda a, kind: a.astype(kind), cupy.matmul,
         cupy.fft.fft, False)
except ImportError:
    pass
if not gpu:
    try:
        import numpy
        import scipy.fft

        rows("SciPy", lambda: None, lambda shape: numpy.random.random(shape), lambda a, kind: a.astype(kind), numpy.matmul, scipy.fft.fft, True)
    except ImportError:
        pass
