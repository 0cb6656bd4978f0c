// SPDX-License-Identifier: MIT
// Plays cuSPARSE for the tests of sparse products.
#include <support/drivers/fake_math_parts.hpp>

namespace yoke_test::fake_parts {

namespace {

/// What descriptors of matrices and vectors hold.
struct described {
  int tag = 0;
  std::int64_t rows = 0, columns = 0, elements = 0, leading = 0;
  const void* values = nullptr;
  abi::data_type type{};
  const void* starts = nullptr;
  const void* indices = nullptr;
  bool wide = false;
  bool by_rows = false;

  [[nodiscard]] std::int64_t index(const void* from, std::int64_t at) const {
    std::int64_t value = 0;
    const std::size_t size = wide ? 8 : 4;
    (void)driver().memcpy_dtoh(&value, address(from) + static_cast<abi::device_pointer>(at) * size, size);
    return value;
  }
  [[nodiscard]] piece elements_of() const { return {address(values), type}; }
  [[nodiscard]] std::int64_t place(std::int64_t row, std::int64_t column) const {
    return by_rows ? row * leading + column : row + column * leading;
  }
};
template <class Handle>
int make_described(const char* entry, Handle* to, const described& of) {
  if (const int code = note(entry); code != 0) return code;
  auto* const made = new described(of);
  *to = reinterpret_cast<Handle>(made);
  const std::lock_guard lock(fake_math().mutex);
  fake_math().handles.insert(made);
  return 0;
}
template <class Handle>
int end_described(const char* entry, Handle handle) {
  (void)note(entry);
  const auto* const ended = reinterpret_cast<const described*>(handle);
  const std::lock_guard lock(fake_math().mutex);
  if (fake_math().handles.erase(const_cast<described*>(ended)) != 0) delete ended;
  return 0;
}
template <class Handle>
const described& of_handle(Handle handle) {
  return *reinterpret_cast<const described*>(handle);
}

int sparse_create(abi::cusparse* to) { return make_handle("cusparseCreate", to); }
int sparse_destroy(abi::cusparse handle) { return end_handle("cusparseDestroy", handle); }
int sparse_property(abi::library_property which, int* to) {
  constexpr int version[]{12, 6, 3};
  *to = version[static_cast<int>(which)];
  return 0;
}
int sparse_set_stream(abi::cusparse handle, abi::stream stream) {
  set_stream_of(handle, stream);
  return note("cusparseSetStream");
}
int sparse_create_matrix(abi::cusparse_const_matrix* to, std::int64_t rows, std::int64_t columns, std::int64_t elements,
                         const void* starts, const void* indices, const void* values, abi::cusparse_index starts_type,
                         abi::cusparse_index indices_type, int base, abi::data_type type) {
  if (starts_type != indices_type || base != abi::cusparse_from_zero) return abi::cusparse_not_supported;
  if (elements > rows * columns) return abi::cusparse_invalid_value;
  return make_described("cusparseCreateConstCsr", to,
                        {.rows = rows,
                         .columns = columns,
                         .elements = elements,
                         .values = values,
                         .type = type,
                         .starts = starts,
                         .indices = indices,
                         .wide = starts_type == abi::cusparse_index::bits64});
}
int sparse_destroy_matrix(abi::cusparse_const_matrix of) { return end_described("cusparseDestroySpMat", of); }
int sparse_create_vector(abi::cusparse_vector* to, std::int64_t size, void* values, abi::data_type type) {
  return make_described("cusparseCreateDnVec", to,
                        {.rows = size, .columns = 1, .leading = size, .values = values, .type = type});
}
int sparse_destroy_vector(abi::cusparse_const_vector of) { return end_described("cusparseDestroyDnVec", of); }
int sparse_create_dense(abi::cusparse_dense* to, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                        void* values, abi::data_type type, abi::cusparse_order order) {
  const bool by_rows = order == abi::cusparse_order::rows;
  if (leading < (by_rows ? columns : rows)) return abi::cusparse_invalid_value;
  return make_described(
      "cusparseCreateDnMat", to,
      {.rows = rows, .columns = columns, .leading = leading, .values = values, .type = type, .by_rows = by_rows});
}
int sparse_destroy_dense(abi::cusparse_const_dense of) { return end_described("cusparseDestroyDnMat", of); }

int sparse_multiply(const char* entry, abi::cusparse handle, const void* alpha, const described& matrix,
                    const described& dense, const void* beta, const described& to, abi::data_type sums, bool algorithm,
                    void* memory) {
  if (const int code = note(entry); code != 0) return code;
  const in_use now(handle);
  const std::size_t bytes = fake_math().sparse_bytes;
  if (!algorithm || (memory == nullptr) != (bytes == 0) || dense.rows != matrix.columns || to.rows != matrix.rows ||
      dense.columns != to.columns || dense.type != matrix.type) {
    return abi::cusparse_invalid_value;
  }
  const std::byte last{1};
  if (bytes != 0 && driver().memcpy_htod(address(memory) + bytes - 1, &last, 1) != abi::success) {
    return abi::cusparse_invalid_value;
  }
  if (driver().stream_synchronize(stream_of(handle)) != abi::success) return abi::cusparse_execution_failed;
  const number scale = load(static_cast<const std::byte*>(alpha), sums);
  const number keep = load(static_cast<const std::byte*>(beta), sums);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t end = matrix.index(matrix.starts, row + 1);
    for (std::int64_t column = 0; column < to.columns; ++column) {
      number sum = 0;
      for (std::int64_t k = matrix.index(matrix.starts, row); k < end; ++k) {
        sum +=
            matrix.elements_of().get(k) * dense.elements_of().get(dense.place(matrix.index(matrix.indices, k), column));
      }
      sum *= scale;
      const std::int64_t at = to.place(row, column);
      if (keep != number(0)) sum += keep * to.elements_of().get(at);
      to.elements_of().set(at, sum);
    }
  }
  return 0;
}
int sparse_by_vector_bytes(abi::cusparse, int, const void*, abi::cusparse_const_matrix, abi::cusparse_const_vector,
                           const void*, abi::cusparse_vector, abi::data_type, int, std::size_t* bytes) {
  *bytes = fake_math().sparse_bytes;
  return note("cusparseSpMV_bufferSize");
}
int sparse_by_vector(abi::cusparse handle, int, const void* alpha, abi::cusparse_const_matrix matrix,
                     abi::cusparse_const_vector x, const void* beta, abi::cusparse_vector y, abi::data_type sums,
                     int algorithm, void* memory) {
  return sparse_multiply("cusparseSpMV", handle, alpha, of_handle(matrix), of_handle(x), beta, of_handle(y), sums,
                         algorithm == abi::cusparse_vector_algorithm, memory);
}
int sparse_by_dense_bytes(abi::cusparse, int, int, const void*, abi::cusparse_const_matrix, abi::cusparse_const_dense,
                          const void*, abi::cusparse_dense, abi::data_type, int, std::size_t* bytes) {
  *bytes = fake_math().sparse_bytes;
  return note("cusparseSpMM_bufferSize");
}
int sparse_by_dense(abi::cusparse handle, int, int, const void* alpha, abi::cusparse_const_matrix matrix,
                    abi::cusparse_const_dense dense, const void* beta, abi::cusparse_dense to, abi::data_type sums,
                    int algorithm, void* memory) {
  return sparse_multiply("cusparseSpMM", handle, alpha, of_handle(matrix), of_handle(dense), beta, of_handle(to), sums,
                         algorithm == abi::cusparse_dense_algorithm, memory);
}

}  // namespace

const abi::cusparse_functions fake_cusparse{
    sparse_create,          sparse_destroy,       sparse_property,       sparse_set_stream,   sparse_create_matrix,
    sparse_destroy_matrix,  sparse_create_vector, sparse_destroy_vector, sparse_create_dense, sparse_destroy_dense,
    sparse_by_vector_bytes, sparse_by_vector,     sparse_by_dense_bytes, sparse_by_dense};

}  // namespace yoke_test::fake_parts
