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
row("dot", 2 * n, lambda: cp.dot(a, b))
row("argmax", n, lambda: a.argmax())
row("cumsum", 2 * n, lambda: a.cumsum())
at = cp.random.randint(0, COUNT, COUNT, cp.int32)
sort = cp.sort(cp.random.standard_normal(COUNT, cp.float32))
row("take, at random", 3 * n, lambda: cp.take(a, at))
row("lower_bound of sorted values", 4 * n, lambda: cp.searchsorted(sort, sort))
row("bincount, 256 bins", n, lambda: cp.bincount(at & 255, minlength=256))
row("histogram, 1000 bins", n, lambda: cp.histogram(sort, 1000, (-3, 3)))
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
