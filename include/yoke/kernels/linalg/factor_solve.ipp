// SPDX-License-Identifier: MIT
// Panels of Cholesky and LU factorisations, and solutions by triangular matrices.
R"yoke(
// Factors blocks on the diagonal of Hermitian matrices, of which only the lower triangles are read and written.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_cholesky(YOKE_GLOBAL YOKE_M_NUMBER* all,
                                                                     YOKE_GLOBAL int* infos, yoke_m_steps of) {
  int here = YOKE_M_HERE, n = (int)of.count;
  yoke_int64 batch = (yoke_int64)get_group_id(0);
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL int* info = infos + batch;
  if (here == 0 && of.begin == 0) info[0] = 0;
  for (int c = 0; c < n; ++c) {
    YOKE_GLOBAL YOKE_M_NUMBER* column = a + c * of.a_column;
    YOKE_M_REAL pivot = yoke_m_real(column[c]);
    YOKE_M_MEET();
    YOKE_M_REAL root = sqrt(pivot);
    if (here == 0) {
      if (!(pivot > YOKE_M_ZERO) && info[0] == 0) info[0] = (int)of.begin + c + 1;
      column[c] = yoke_m_of(root);
    }
    for (int i = c + 1 + here; i < n; i += YOKE_M_LANES) column[i] = yoke_m_quotient(column[i], root);
    YOKE_M_MEET();
    for (int j = c + 1; j < n; ++j) {
      YOKE_GLOBAL YOKE_M_NUMBER* to = a + j * of.a_column;
      YOKE_M_NUMBER by = yoke_m_conj(column[j]);
      for (int i = j + here; i < n; i += YOKE_M_LANES) to[i] = yoke_m_minus(column[i], by, to[i]);
    }
    YOKE_M_MEET();
  }
}

// Factors columns, with rows exchanged so that the pivots are the greatest of their columns. Exchanges rows of these
// columns alone.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_M_LANES, 1, 1) yoke_m_lu(YOKE_GLOBAL YOKE_M_NUMBER* all, YOKE_GLOBAL int* pivots,
                                                               YOKE_GLOBAL int* infos, yoke_m_steps of) {
#if YOKE_M_LANES > 1
  YOKE_LOCAL YOKE_M_REAL sizes[YOKE_M_LANES];
  YOKE_LOCAL int places[YOKE_M_LANES];
#endif
  int here = YOKE_M_HERE, n = (int)of.count;
  yoke_int64 m = of.rows, batch = (yoke_int64)get_group_id(0);
  YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch);
  YOKE_GLOBAL int* pivot = pivots + (of.b_first + batch * of.b_batch);
  YOKE_GLOBAL int* info = infos + batch;
  if (here == 0 && of.begin == 0) info[0] = 0;
  for (int c = 0; c < n; ++c) {
    YOKE_GLOBAL YOKE_M_NUMBER* column = a + c * of.a_column;
    YOKE_M_REAL most = -YOKE_M_ONE;
    int at = c;
    for (yoke_int64 i = c + here; i < m; i += YOKE_M_LANES) {
      YOKE_M_REAL size = yoke_m_size(column[i]);
      if (size != size) size = (YOKE_M_REAL)as_float(0x7f800000);  // NaN is no zero that makes a matrix singular
      if (size > most) {
        most = size;
        at = (int)i;
      }
    }
#if YOKE_M_LANES > 1
    sizes[here] = most;
    places[here] = at;
    YOKE_BARRIER_LOCAL();
    for (int apart = YOKE_M_LANES / 2; apart > 0; apart /= 2) {
      if (here < apart) {
        YOKE_M_REAL other = sizes[here + apart];
        int place = places[here + apart];
        if (other > sizes[here] || (other == sizes[here] && place < places[here])) {
          sizes[here] = other;
          places[here] = place;
        }
      }
      YOKE_BARRIER_LOCAL();
    }
    at = places[0];
#endif
    if (here == 0) pivot[c] = (int)of.begin + at;
    if (at != c) {
      for (int j = here; j < n; j += YOKE_M_LANES) {
        YOKE_M_NUMBER upper = a[j * of.a_column + c];
        a[j * of.a_column + c] = a[j * of.a_column + at];
        a[j * of.a_column + at] = upper;
      }
    }
    YOKE_M_MEET();
    YOKE_M_NUMBER divisor = column[c];
    if (yoke_m_is_zero(divisor)) {
      if (here == 0 && info[0] == 0) info[0] = (int)of.begin + c + 1;
    } else {
      for (yoke_int64 i = c + 1 + here; i < m; i += YOKE_M_LANES) column[i] = yoke_m_over(column[i], divisor);
    }
    // A thread goes on with its own rows, so that no barrier has to stand here.
    for (int j = c + 1; j < n; ++j) {
      YOKE_GLOBAL YOKE_M_NUMBER* to = a + j * of.a_column;
      YOKE_M_NUMBER by = to[c];
      for (yoke_int64 i = c + 1 + here; i < m; i += YOKE_M_LANES) to[i] = yoke_m_minus(column[i], by, to[i]);
    }
    YOKE_M_MEET();
  }
}

// Exchanges rows as pivots say, a thread for each column.
YOKE_KERNEL yoke_m_swap(YOKE_GLOBAL YOKE_M_NUMBER* all, YOKE_GLOBAL const int* pivots, yoke_m_steps of) {
  yoke_int64 threads = of.columns * of.batches;
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < threads; k += (yoke_int64)get_global_size(0)) {
    yoke_int64 batch = k / of.columns, j = k - batch * of.columns;
    YOKE_GLOBAL YOKE_M_NUMBER* a = all + (of.a_first + batch * of.a_batch + j * of.a_column);
    YOKE_GLOBAL const int* pivot = pivots + (of.b_first + batch * of.b_batch);
    for (yoke_int64 i = of.begin; i < of.begin + of.count; ++i) {
      yoke_int64 other = pivot[i];
      if (other != i) {
        YOKE_M_NUMBER value = a[i * of.a_row];
        a[i * of.a_row] = a[other * of.a_row];
        a[other * of.a_row] = value;
      }
    }
  }
}

// Counts a library's pivots from 0, as own ones, a thread for each.
YOKE_KERNEL yoke_m_pivots(YOKE_GLOBAL int* to, YOKE_GLOBAL const yoke_int64* from, yoke_m_steps of) {
  yoke_int64 threads = of.count * of.batches;
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < threads; k += (yoke_int64)get_global_size(0)) {
    to[of.a_first + k / of.count * of.a_batch + k % of.count] = (int)from[k] - 1;
  }
}

// Solves with a small lower triangular matrix, a thread for each strip of vectors. Flags: 1: ones on the diagonal; 2:
// the matrix is conjugated.
YOKE_KERNEL yoke_m_triangular(YOKE_GLOBAL YOKE_M_NUMBER* all, YOKE_GLOBAL const YOKE_M_NUMBER* by, yoke_m_steps of) {
  yoke_int64 strips = (of.columns + YOKE_M_STRIP - 1) / YOKE_M_STRIP, threads = strips * of.batches;
  int n = (int)of.count, unit = (of.flags & 1) != 0, conjugated = (of.flags & 2) != 0;
  YOKE_M_NUMBER v[YOKE_M_WIDTH * YOKE_M_STRIP];
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < threads; k += (yoke_int64)get_global_size(0)) {
    yoke_int64 batch = k / strips, first = (k - batch * strips) * YOKE_M_STRIP;
    int size = of.columns - first < YOKE_M_STRIP ? (int)(of.columns - first) : YOKE_M_STRIP;
    YOKE_GLOBAL YOKE_M_NUMBER* x = all + (of.a_first + batch * of.a_batch + first * of.a_column);
    YOKE_GLOBAL const YOKE_M_NUMBER* t = by + (of.b_first + batch * of.b_batch);
    if (size == YOKE_M_STRIP && of.a_column == 1) {
      for (int i = 0; i < n; ++i) {
        YOKE_GLOBAL const YOKE_M_NUMBER* from = x + i * of.a_row;
        for (int c = 0; c < YOKE_M_STRIP; ++c) v[i * YOKE_M_STRIP + c] = from[c];
      }
    } else {
      for (int c = 0; c < YOKE_M_STRIP; ++c) {
        int own = c < size ? c : size - 1;
        for (int i = 0; i < n; ++i) v[i * YOKE_M_STRIP + c] = x[i * of.a_row + own * of.a_column];
      }
    }
    for (int i = 0; i < n; ++i) {
      YOKE_M_NUMBER sum[YOKE_M_STRIP];
      for (int c = 0; c < YOKE_M_STRIP; ++c) sum[c] = v[i * YOKE_M_STRIP + c];
      for (int j = 0; j < i; ++j) {
        YOKE_M_NUMBER factor = t[i * of.b_row + j * of.b_column];
        if (conjugated) factor = yoke_m_conj(factor);
        for (int c = 0; c < YOKE_M_STRIP; ++c) sum[c] = yoke_m_minus(factor, v[j * YOKE_M_STRIP + c], sum[c]);
      }
      if (!unit) {
        YOKE_M_NUMBER divisor = t[i * of.b_row + i * of.b_column];
        if (conjugated) divisor = yoke_m_conj(divisor);
        for (int c = 0; c < YOKE_M_STRIP; ++c) sum[c] = yoke_m_over(sum[c], divisor);
      }
      for (int c = 0; c < YOKE_M_STRIP; ++c) v[i * YOKE_M_STRIP + c] = sum[c];
    }
    if (size == YOKE_M_STRIP && of.a_column == 1) {
      for (int i = 0; i < n; ++i) {
        YOKE_GLOBAL YOKE_M_NUMBER* to = x + i * of.a_row;
        for (int c = 0; c < YOKE_M_STRIP; ++c) to[c] = v[i * YOKE_M_STRIP + c];
      }
    } else {
      for (int c = 0; c < size; ++c) {
        for (int i = 0; i < n; ++i) x[i * of.a_row + c * of.a_column] = v[i * YOKE_M_STRIP + c];
      }
    }
  }
}

void yoke_m_part_at(YOKE_GLOBAL YOKE_M_NUMBER* to, YOKE_GLOBAL const YOKE_M_NUMBER* from, yoke_m_steps of, yoke_int64 i,
                    yoke_int64 j, yoke_int64 batch) {
  int kept = i == j || (i > j && (of.flags & 1) != 0) || (i < j && (of.flags & 2) != 0);
  YOKE_M_NUMBER value = yoke_m_of(YOKE_M_ZERO);
  if (i == j && (of.flags & 4) != 0) {
    value = yoke_m_of(YOKE_M_ONE);
  } else if (kept) {
    value = from[of.b_first + i * of.b_row + j * of.b_column + batch * of.b_batch];
  }
  to[of.a_first + i * of.a_row + j * of.a_column + batch * of.a_batch] = value;
}
// Copies a part of matrices, a thread for each element; on processors for each tile of 16 rows and 8 columns, so that
// transposed copies find their lines in the cache. Flags: 1: the lower triangle; 2: the upper one; 4: ones on the
// diagonal. Elements outside of the part become 0.
YOKE_KERNEL yoke_m_part(YOKE_GLOBAL YOKE_M_NUMBER* to, YOKE_GLOBAL const YOKE_M_NUMBER* from, yoke_m_steps of) {
#if YOKE_M_LANES == 1
  yoke_int64 down = (of.rows + 15) / 16, across = (of.columns + 7) / 8, threads = down * across * of.batches;
#else
  yoke_int64 down = of.rows, across = of.columns, threads = down * across * of.batches;
#endif
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < threads; k += (yoke_int64)get_global_size(0)) {
    yoke_int64 i = k % down, rest = k / down;
    yoke_int64 j = rest % across, batch = rest / across;
#if YOKE_M_LANES == 1
    for (yoke_int64 row = i * 16; row < i * 16 + 16 && row < of.rows; ++row) {
      for (yoke_int64 column = j * 8; column < j * 8 + 8 && column < of.columns; ++column) {
        yoke_m_part_at(to, from, of, row, column, batch);
      }
    }
#else
    yoke_m_part_at(to, from, of, i, j, batch);
#endif
  }
}

// Says of each matrix which element of the diagonal, counted from 1, is 0; 0: none. A thread for each matrix.
YOKE_KERNEL yoke_m_diagonal(YOKE_GLOBAL int* infos, YOKE_GLOBAL const YOKE_M_NUMBER* from, yoke_m_steps of) {
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < of.batches; k += (yoke_int64)get_global_size(0)) {
    int found = 0;
    for (yoke_int64 i = 0; i < of.count && found == 0; ++i) {
      if (yoke_m_is_zero(from[of.b_first + k * of.b_batch + i * (of.b_row + of.b_column)])) found = (int)i + 1;
    }
    infos[k] = found;
  }
}

// Determinants from factors, a thread for each matrix. Flags: 1: of length 1, or 0, and the logarithm of the length.
YOKE_KERNEL yoke_m_determinant(YOKE_GLOBAL YOKE_M_NUMBER* to, YOKE_GLOBAL YOKE_M_REAL* logs,
                               YOKE_GLOBAL const YOKE_M_NUMBER* from, YOKE_GLOBAL const int* pivots, yoke_m_steps of) {
  for (yoke_int64 k = (yoke_int64)get_global_id(0); k < of.batches; k += (yoke_int64)get_global_size(0)) {
    YOKE_M_NUMBER product = yoke_m_of(YOKE_M_ONE);
    YOKE_M_REAL sum = YOKE_M_ZERO;
    for (yoke_int64 i = 0; i < of.count; ++i) {
      YOKE_M_NUMBER factor = from[of.b_first + k * of.b_batch + i * (of.b_row + of.b_column)];
      if (pivots[of.c_first + k * of.c_batch + i] != (int)i) factor = yoke_m_scaled(factor, -YOKE_M_ONE);
      if ((of.flags & 1) != 0) {
        YOKE_M_REAL length = yoke_m_length(factor);
        sum += log(length);
        factor = length == YOKE_M_ZERO ? factor : yoke_m_quotient(factor, length);
      }
      product = yoke_m_times(product, factor);
    }
    to[of.a_first + k] = product;
    if ((of.flags & 1) != 0) logs[k] = sum;
  }
}

// Says of the first matrix with an error where its pivot is, counted from 1 through all matrices; 0: of none.
YOKE_KERNEL yoke_m_report(YOKE_GLOBAL int* to, YOKE_GLOBAL const int* infos, yoke_m_steps of) {
  if (get_global_id(0) != 0) return;
  int found = 0;
  for (yoke_int64 batch = 0; batch < of.batches && found == 0; ++batch) {
    if (infos[batch] != 0) found = (int)(batch * of.count) + infos[batch];
  }
  to[of.a_first] = found;
}
)yoke"
