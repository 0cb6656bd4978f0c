// SPDX-License-Identifier: MIT
// The vendors' libraries of products, Fourier transforms, factorisations and sparse products, as generic code calls them.
#ifndef YOKE_DRIVER_MATH_LIBRARIES_HPP
#define YOKE_DRIVER_MATH_LIBRARIES_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/source_location.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace yoke::inline v0_1 {

/// A vendor's library that a context uses for a family of functions, or why it uses own kernels.
struct math_library {
  std::string name{};    ///< with the version, as "cuBLAS 13.0.2"; "" for own kernels
  std::string path{};    ///< the file, or the name that the dynamic loader found
  std::string reason{};  ///< why own kernels are used; "" for a library
};

namespace detail {

/// The families of functions.
enum class math_family : std::uint8_t { products, transforms, factorisations, sparse };

/// A list of libraries refuses, allows or names one: `own` refuses all, an empty list allows all.
enum class library_wish : std::uint8_t { refused, allowed, named };
/// Throws: `logic_error` for a list with an unknown word. `word`: "cublas", "cufft", "cusolver" or "cusparse".
[[nodiscard]] YOKE_API library_wish wish_for(std::string_view list, std::string_view word,
                                             const source_location& where);

/// The settings of a context's libraries.
struct library_options {
  std::string libraries{};          ///< "own", or a list of the libraries that may be used; "": every one
  bool tf32 = false;                ///< products of floats may round their operands to 10 bits
  std::size_t workspace_bytes = 0;  ///< of a product; 0: as the vendor recommends
};

/// The element types of libraries.
enum class library_type : std::uint8_t { float16, bfloat16, float32, float64, complex64, complex128 };
[[nodiscard]] constexpr std::size_t library_type_bytes(library_type type) noexcept {
  switch (type) {
    case library_type::float16:
    case library_type::bfloat16: return 2;
    case library_type::float32: return 4;
    case library_type::complex128: return 16;
    default: return 8;
  }
}
/// A matrix whose columns lie one after the other, or its transposed one. Units: elements.
struct library_matrix {
  std::uint64_t address = 0;
  std::int64_t leading = 0;  ///< the distance of columns
  std::int64_t batch = 0;    ///< the distance of matrices
  bool transposed = false;
  bool conjugated = false;  ///< only if transposed
};
/// `to = alpha * left * right + beta * to` for each of a batch of matrices.
struct library_product {
  library_type operands = library_type::float32;
  library_type result = library_type::float32;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;
  library_matrix to{}, left{}, right{};
  alignas(16) double alpha[2]{1, 0};  ///< real and imaginary part, as libraries load them
  alignas(16) double beta[2]{0, 0};
};
/// Fourier transforms of a batch of arrays along all their axes. Units: elements.
struct library_transform {
  static constexpr int most_axes = 3;
  bool in_double = false;
  bool real_in = false;
  bool real_out = false;
  std::int32_t rank = 1;
  std::int64_t points[most_axes]{1, 1, 1};
  std::int64_t from_embed[most_axes]{1, 1, 1};  ///< the extents of the memory that holds the axes
  std::int64_t to_embed[most_axes]{1, 1, 1};
  std::int64_t from_stride = 1, to_stride = 1;  ///< along the last axis
  std::int64_t from_batch = 0, to_batch = 0;    ///< the distance of arrays
  std::int64_t batches = 1;
  friend bool operator==(const library_transform&, const library_transform&) = default;
};
/// The factorisations that libraries make.
enum class library_factors : std::uint8_t {
  cholesky,         ///< the lower triangle of `a` becomes the factor
  lu,               ///< `a` becomes both triangles; rows are exchanged, as `pivots` say
  eigenvalues,      ///< `a`, of which the lower triangle counts, becomes the vectors; `values` are ascending
  singular_values,  ///< `a` is overwritten; `values` are descending
  reflections,      ///< of QR: `a` becomes the upper triangle, and vectors below it, whose factors are `values`
  columns,          ///< `a`, which has the vectors of the first `count` reflections, becomes orthonormal columns
};
/// A factorisation of a matrix whose columns lie one after the other; of `m >= n` but for `lu` and `reflections`.
/// Units: elements.
struct library_factorisation {
  library_factors which = library_factors::cholesky;
  library_type type = library_type::float32;
  std::int64_t m = 0, n = 0, count = 0;
  std::uint64_t a = 0, values = 0;
  std::uint64_t pivots = 0;  ///< of 64 bits, counted from 1
  std::int64_t a_leading = 0;
  std::uint64_t left = 0, right = 0;  ///< left vectors in `n` columns, and right ones in rows, conjugated
  std::int64_t left_leading = 0, right_leading = 0;
  std::uint64_t info = 0;  ///< an `int` on the device: 0 for success
};
/// Memory that a factorisation needs. Units: bytes.
struct library_workspace {
  bool is_supported = false;
  std::size_t on_device = 0;
  std::size_t on_host = 0;
};
/// A dense matrix of a sparse product, or a vector.
struct library_dense {
  std::uint64_t address = 0;
  std::int64_t leading = 0;  ///< the distance of rows, or of columns
  bool by_rows = false;      ///< elements of a row are neighbours
};
/// `to = alpha * matrix * dense + beta * to` of a matrix in compressed rows, whose indices begin at 0. Units: elements.
struct library_sparse_product {
  library_type operands = library_type::float32;
  library_type result = library_type::float32;
  bool wide = false;  ///< starts and columns have 64 bits
  std::int64_t rows = 0, extent = 0, elements = 0;
  std::int64_t columns = 1;  ///< of the dense matrices; 1: vectors without gaps
  std::uint64_t starts = 0, indices = 0, values = 0;
  library_dense dense{}, to{};
  alignas(16) double alpha[2]{1, 0};  ///< real and imaginary part, as libraries load them
  alignas(16) double beta[2]{0, 0};
};
/// Gives a library memory on the device for the time of a call.
class library_memory {
 public:
  /// Returns: the address. Throws: `error`.
  [[nodiscard]] virtual std::uint64_t take(std::size_t bytes) = 0;

 protected:
  ~library_memory() = default;
};
/// A plan for transforms that one call uses at a time.
struct library_plan {
  void* plan = nullptr;  ///< null: the library has no such transform
  std::size_t workspace_bytes = 0;
};

/// The libraries of one context. They are opened at the first need.
/// Thread safety: safe.
class math_libraries {
 public:
  math_libraries() = default;
  math_libraries(const math_libraries&) = delete;
  math_libraries& operator=(const math_libraries&) = delete;
  virtual ~math_libraries() = default;

  /// Returns: the library of a family. Effects: opens it. Throws: `std::bad_alloc`.
  [[nodiscard]] virtual math_library facts(math_family family) = 0;
  /// Whether there is a library of a family. Effects: opens it. Throws: `unsupported_error` if there is none, but the
  /// options name one; `std::bad_alloc`.
  [[nodiscard]] virtual bool has(math_family family, const source_location& where) = 0;
  [[nodiscard]] virtual std::size_t product_workspace() const noexcept = 0;
  /// Effects: enqueues a product. Returns: false, with nothing enqueued, if the library has no such product.
  /// Requires: `has(math_family::products)`; workspace of `product_workspace()` bytes. Throws: `error`.
  [[nodiscard]] virtual bool multiply(std::uintptr_t stream, const library_product& of, std::uint64_t workspace,
                                      const source_location& where) = 0;
  /// Effects: captures a product as a native graph, which the caller ends. Returns: the graph; 0 if the library has no
  /// such product. Requires: as `multiply`; memory that lives as long as the graph's executables. Throws: `error`, also
  /// where the library does what a capture does not allow, such as loading a kernel: nothing is left then.
  [[nodiscard]] virtual std::uintptr_t record(const library_product& of, std::uint64_t workspace,
                                              const source_location& where) = 0;
  /// Returns: a plan that nobody else uses. Requires: `has(math_family::transforms)`. Throws: `error`.
  [[nodiscard]] virtual library_plan take_plan(std::uintptr_t stream, const library_transform& of,
                                               const source_location& where) = 0;
  /// Effects: enqueues a transform, which overwrites real transforms' complex input. Throws: `error`.
  virtual void transform(const library_plan& by, std::uintptr_t stream, std::uint64_t to, std::uint64_t from,
                         std::uint64_t workspace, bool inverse, const source_location& where) = 0;
  /// Effects: captures a transform as a native graph, which the caller ends. Returns: the graph. Requires: memory and a
  /// plan that are kept as long as the graph's executables. Throws: as `record` of a product.
  [[nodiscard]] virtual std::uintptr_t record(const library_plan& by, std::uint64_t to, std::uint64_t from,
                                              std::uint64_t workspace, bool inverse, const source_location& where) = 0;
  virtual void give_back(const library_plan& plan) noexcept = 0;
  /// Returns: the workspace of a factorisation. Requires: `has(math_family::factorisations)`. Throws: `error`.
  [[nodiscard]] virtual library_workspace workspace_of(std::uintptr_t stream, const library_factorisation& of,
                                                       const source_location& where) = 0;
  /// Effects: enqueues a factorisation. Returns: false, with nothing enqueued, if the library does not make it.
  /// `on_host` must live until the stream has done it. Throws: `error`.
  [[nodiscard]] virtual bool factor(std::uintptr_t stream, const library_factorisation& of,
                                    const library_workspace& sizes, std::uint64_t on_device, void* on_host,
                                    const source_location& where) = 0;
  /// Effects: enqueues a sparse product. Returns: false, with nothing enqueued, if the library has no such product.
  /// Requires: `has(math_family::sparse)`. Throws: `error`; as `workspace.take`.
  [[nodiscard]] virtual bool multiply(std::uintptr_t stream, const library_sparse_product& of,
                                      library_memory& workspace, const source_location& where) = 0;
  /// Effects: ends the handles and plans that nobody uses.
  virtual void drop_idle() noexcept = 0;
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/math_libraries.ipp>
#endif

#endif
