# SPDX-License-Identifier: MIT
# CuPy's figures in the manner of arrays.cpp: cupy_rows.py [LOG2 OF ELEMENTS] [ROUNDS]
import sys
import time

import cupy as cp

COUNT = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 24)
ROUNDS = int(sys.argv[2] if len(sys.argv) > 2 else 20)


def row(name, size, act):
    best = 1e9
    for burst in range(6):
        cp.cuda.Device().synchronize()
        begin = time.perf_counter()
        for _ in range(ROUNDS):
            act()
        cp.cuda.Device().synchronize()
        if burst:
            best = min(best, (time.perf_counter() - begin) / ROUNDS)
    print(f"CuPy {name:31s} {best * 1e6:10.1f} us {size / best / 1e9:9.1f} GB/s")


a, b, c, d, e, y = (cp.ones(COUNT, cp.float32) for _ in range(6))
n = 4 * COUNT
row("copy", 2 * n, lambda: cp.copyto(y, a))
row("y = 2 * a", 2 * n, lambda: cp.multiply(a, 2, out=y))
row("y = a + b", 3 * n, lambda: cp.add(a, b, out=y))
row("y = a + b * c", 4 * n, lambda: cp.add(a, b * c, out=y))
row("y = a * b + c * d + e", 6 * n, lambda: cp.add(a * b + c * d, e, out=y))
row("y = sin(a) * 2 + 1", 2 * n, lambda: cp.add(cp.sin(a) * 2, 1, out=y))
row("sum", n, lambda: a.sum())
for few in (4, 64):
    for shape, axis in (((COUNT // few, few), 1), ((COUNT // few, few), 0), ((few, COUNT // few), 0), ((few, COUNT // few), 1)):
        table = a.reshape(shape)
        row(f"sum of {shape}, {axis}", n + 4 * shape[1 - axis], lambda: table.sum(axis=axis))
side = 1 << (COUNT.bit_length() - 1) // 2
square, to = a[: side * (COUNT // side)].reshape(side, -1), y[: side * (COUNT // side)].reshape(side, -1)
row("y[::2] = 2 * a[::2]", 2 * n, lambda: cp.multiply(a[::2], 2, out=y[::2]))
row("y = table + row", 2 * n, lambda: cp.add(square, square[0], out=to))
row("y = table + column", 2 * n, lambda: cp.add(square, square[:, :1], out=to))
row("four-point stencil", 2 * n, lambda: cp.multiply(square[:-2, 1:-1] + square[2:, 1:-1] + square[1:-1, :-2] + square[1:-1, 2:], 0.25, out=to[1:-1, 1:-1]))
row("sum of rows", n, lambda: square.sum(axis=1))
row("sum of columns", n, lambda: square.sum(axis=0))
outer = 1 << ((COUNT // 256).bit_length() - 1) // 2
layers = a[: outer * 256 * (COUNT // 256 // outer)].reshape(outer, 256, -1)
row(f"sum of {layers.shape}, 1", n, lambda: layers.sum(axis=1))
row("dot", 2 * n, lambda: cp.dot(a, b))
row("argmax", n, lambda: a.argmax())
row("cumsum", 2 * n, lambda: a.cumsum())
row("cumsum of rows", 2 * n, lambda: square.cumsum(axis=1))
row("cumsum down columns", 2 * n, lambda: square.cumsum(axis=0))


def softmax():
    e = cp.exp(square - square.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


row("softmax in NumPy's words", 2 * n, softmax)
row("variance", n, lambda: a.var())
row("uniform random numbers", n, lambda: cp.random.random(COUNT, cp.float32))
row("normal random numbers", n, lambda: cp.random.standard_normal(COUNT, cp.float32))
at = cp.random.randint(0, COUNT, COUNT, cp.int32)
sort = cp.sort(cp.random.standard_normal(COUNT, cp.float32))
numbers = cp.random.standard_normal(COUNT, cp.float32)
row("sorted", 2 * n, lambda: cp.sort(numbers))
row("argsort", 3 * n, lambda: cp.argsort(numbers))
quarter = at[: COUNT // 4]
row("sorted, n / 4 integers", n / 2, lambda: cp.sort(quarter))
row("take, at random", 3 * n, lambda: cp.take(a, at))
row("lower_bound of sorted values", 4 * n, lambda: cp.searchsorted(sort, sort))
row("bincount, 256 bins", n, lambda: cp.bincount(at & 255, minlength=256))
row("bincount, 100000 bins", n, lambda: cp.bincount(at % 100000, minlength=100000))
row("histogram, 1000 bins", n, lambda: cp.histogram(sort, 1000, (-3, 3)))
few, some = cp.zeros(1000, cp.float32), cp.random.standard_normal(100000, cp.float32)
row("1000 elements: few = 2 * few", 8e3, lambda: cp.multiply(few, 2, out=few))
row("1000 elements: float(few.sum())", 4e3, lambda: float(few.sum()))
row("100000 elements: sorted", 8e5, lambda: cp.sort(some))
row("100000 elements: get()", 4e5, lambda: some.get())
try:
    import scipy.sparse
    from cupyx.scipy import sparse

    side = min(1000, int(COUNT**0.5))
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    laplacian = sparse.csr_matrix(scipy.sparse.csr_matrix(scipy.sparse.kronsum(line, line), dtype="float32"))
    x = cp.ones(side * side, cp.float32)
    row("sparse product", 8 * laplacian.nnz + 12 * side * side, lambda: laplacian @ x)
except ImportError:
    pass
