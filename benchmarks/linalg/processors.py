# SPDX-License-Identifier: MIT
# SciPy's sparse products in processor time, of the matrices of processors.cpp: processors.py [LOG2 OF SIDE] [ROUNDS]
import statistics
import sys
import time

try:
    import numpy
    import scipy.sparse
except ImportError:
    sys.exit(0)

SIDE = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 10)
ROUNDS = int(sys.argv[2] if len(sys.argv) > 2 else 15)


def drawn(count, below):
    made = numpy.empty(count, numpy.int32)
    state = 1
    for k in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        made[k] = (state >> 8) % below
    return made


for rows, count in ((SIDE * SIDE // 16, 8), (SIDE * SIDE // 64, 64)):
    columns = numpy.sort(drawn(rows * count, rows).reshape(rows, count), axis=1).reshape(-1)
    starts = numpy.arange(0, rows * count + 1, count, dtype=numpy.int32)
    a = scipy.sparse.csr_matrix((numpy.ones(rows * count, numpy.float32), columns, starts), shape=(rows, rows))
    x = numpy.ones(rows, numpy.float32)
    times = []
    for _ in range(ROUNDS + 1):
        begin = time.process_time()
        for _ in range(10):
            a @ x
        times.append((time.process_time() - begin) / 10)
    rate = 2 * rows * count / statistics.median(times[1:]) / 1e9
    print(f"csr of {count} elements a row{'':<7} SciPy {rate:5.2f} GFLOP/s of a processor")
