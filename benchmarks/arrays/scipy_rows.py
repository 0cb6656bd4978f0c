# SPDX-License-Identifier: MIT
# SciPy's sparse product, by one thread, in the manner of arrays.cpp: scipy_rows.py [LOG2 OF ELEMENTS] [ROUNDS]
import sys
import time

import numpy as np
import scipy.sparse

side = min(1000, int((1 << int(sys.argv[1] if len(sys.argv) > 1 else 24)) ** 0.5))
rounds = int(sys.argv[2] if len(sys.argv) > 2 else 20)
line = scipy.sparse.diags([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
laplacian = scipy.sparse.csr_matrix(scipy.sparse.kronsum(line, line), dtype="float32")
x = np.ones(side * side, np.float32)
for name, act in (("sparse product", lambda: laplacian @ x), ("sparse product, transposed", lambda: laplacian.T @ x)):
    best = 1e9
    for burst in range(6):
        begin = time.perf_counter()
        for _ in range(rounds):
            act()
        if burst:
            best = min(best, (time.perf_counter() - begin) / rounds)
    print(f"SciPy {name:30s} {best * 1e6:10.1f} us {(8 * laplacian.nnz + 12 * side * side) / best / 1e9:9.1f} GB/s")
