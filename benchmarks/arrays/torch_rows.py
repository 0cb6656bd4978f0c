# SPDX-License-Identifier: MIT
# PyTorch's figures in the manner of arrays.cpp, as it is and compiled: torch_rows.py [LOG2 OF ELEMENTS] [ROUNDS]
import sys
import time

import torch

COUNT = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 24)
ROUNDS = int(sys.argv[2] if len(sys.argv) > 2 else 20)
torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")


def wait():
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def row(name, size, act, kind="torch"):
    best = 1e9
    for burst in range(6):
        wait()
        begin = time.perf_counter()
        for _ in range(ROUNDS):
            act()
        wait()
        if burst:
            best = min(best, (time.perf_counter() - begin) / ROUNDS)
    print(f"{kind} {name:31s} {best * 1e6:10.1f} us {size / best / 1e9:9.1f} GB/s", flush=True)


def both(name, size, act, *given):
    row(name, size, lambda: act(*given))
    try:
        compiled = torch.compile(act)
        row(name, size, lambda: compiled(*given), "torch.compile")
    except Exception as error:  # it needs Triton and a compiler
        print(f"torch.compile {name}: {str(error).splitlines()[0]}")


a, b, c, d, e, y = (torch.ones(COUNT) for _ in range(6))
n = 4 * COUNT
side = 1 << (COUNT.bit_length() - 1) // 2
square = a[: side * (COUNT // side)].reshape(side, -1)
row("copy", 2 * n, lambda: y.copy_(a))
both("y = a + b * c", 4 * n, lambda a, b, c: a + b * c, a, b, c)
both("y = a * b + c * d + e", 6 * n, lambda a, b, c, d, e: a * b + c * d + e, a, b, c, d, e)
both("four-point stencil", 2 * n, lambda m: (m[:-2, 1:-1] + m[2:, 1:-1] + m[1:-1, :-2] + m[1:-1, 2:]) * 0.25, square)
row("y[::2] = 2 * a[::2]", 2 * n, lambda: torch.mul(a[::2], 2, out=y[::2]))
row("y = table + row", 2 * n, lambda: square + square[0])
row("y = table + column", 2 * n, lambda: square + square[:, :1])
row("sum", n, lambda: a.sum())
row("sum of rows", n, lambda: square.sum(1))
row("sum of columns", n, lambda: square.sum(0))
for few in (4, 64):
    for shape, axis in (((COUNT // few, few), 1), ((COUNT // few, few), 0), ((few, COUNT // few), 0), ((few, COUNT // few), 1)):
        table = a.reshape(shape)
        row(f"sum of {shape}, {axis}", n + 4 * shape[1 - axis], lambda: table.sum(axis))
outer = 1 << ((COUNT // 256).bit_length() - 1) // 2
layers = a[: outer * 256 * (COUNT // 256 // outer)].reshape(outer, 256, -1)
row(f"sum of {tuple(layers.shape)}, 1", n, lambda: layers.sum(1))
row("argmax", n, lambda: a.argmax())
row("cumsum", 2 * n, lambda: a.cumsum(0))
row("cumsum of rows", 2 * n, lambda: square.cumsum(1))
row("cumsum down columns", 2 * n, lambda: square.cumsum(0))
both("softmax of rows", 2 * n, lambda m: torch.softmax(m, 1), square)
row("normalise rows", 2 * n, lambda: torch.nn.functional.layer_norm(square, square.shape[1:]))
both("variance", n, lambda x: torch.var(x, correction=0), a)
row("uniform random numbers", n, lambda: y.uniform_())
row("normal random numbers", n, lambda: y.normal_())
row("sorted", 2 * n, lambda: torch.sort(y))
at = torch.randint(0, COUNT, (COUNT,), dtype=torch.int32)
quarter = at[: COUNT // 4]
row("sorted, n / 4 integers", n / 2, lambda: torch.sort(quarter))
low, many = at & 255, at % 100000
row("bincount, 256 bins", n, lambda: torch.bincount(low, minlength=256))
row("bincount, 100000 bins", n, lambda: torch.bincount(many, minlength=100000))
row("histogram, 1000 bins", n, lambda: torch.histc(y, 1000, -3, 3))
few, some = torch.zeros(1000), torch.randn(100000)
row("1000 elements: few.mul_(2)", 8e3, lambda: few.mul_(2))
row("1000 elements: few.sum().item()", 4e3, lambda: few.sum().item())
row("100000 elements: sorted", 8e5, lambda: torch.sort(some))
row("100000 elements: cpu()", 4e5, lambda: some.cpu())
