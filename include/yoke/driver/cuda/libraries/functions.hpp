// SPDX-License-Identifier: MIT
// The lists of entry points of cuBLAS, cuFFT, cuSOLVER and cuSPARSE, and their enumerators.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_FUNCTIONS_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_FUNCTIONS_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

#include <cstddef>
#include <cstdint>

struct cublasContext;
struct cusolverDnContext;
struct cusolverDnParams;
struct cusparseContext;
struct cusparseSpMatDescr;
struct cusparseDnVecDescr;
struct cusparseDnMatDescr;

namespace yoke::inline v0_1::cuda::abi {

using cublas = ::cublasContext*;                ///< `cublasHandle_t`
using cusolver = ::cusolverDnContext*;          ///< `cusolverDnHandle_t`
using cusolver_options = ::cusolverDnParams*;   ///< `cusolverDnParams_t`
using cusparse = ::cusparseContext*;            ///< `cusparseHandle_t`
using cusparse_vector = ::cusparseDnVecDescr*;  ///< `cusparseDnVecDescr_t`
using cusparse_dense = ::cusparseDnMatDescr*;   ///< `cusparseDnMatDescr_t`
using cusparse_const_matrix = const ::cusparseSpMatDescr*;
using cusparse_const_vector = const ::cusparseDnVecDescr*;
using cusparse_const_dense = const ::cusparseDnMatDescr*;
using library_status = int;  ///< `cublasStatus_t`, `cufftResult`
using longlong = long long;

/// `cudaDataType`.
enum class data_type : int {
  real_float = 0,
  real_double = 1,
  real_half = 2,
  complex_float = 4,
  complex_double = 5,
  real_bfloat16 = 14
};
/// `cublasOperation_t`.
enum class cublas_operation : int { none = 0, transposed = 1, conjugate_transposed = 2 };
/// `cublasComputeType_t`.
enum class cublas_compute : int { float32 = 68, float64 = 70, float32_fast_tf32 = 77 };
/// `cublasMath_t`: default math, with sums of half precision that are never rounded in between.
inline constexpr uint cublas_math_exact_sums = 16;
/// `cublasGemmAlgo_t`.
inline constexpr int cublas_gemm_default = -1;
/// `libraryPropertyType`.
enum class library_property : int { major = 0, minor = 1, patch = 2 };
/// `cublasFillMode_t`.
enum class fill_mode : int { lower = 0, upper = 1 };
/// `cusolverEigMode_t`: with vectors.
inline constexpr uint cusolver_with_vectors = 1;
/// `cusparseOperation_t`, `cusparseIndexBase_t`: as it is; from 0 on.
inline constexpr int cusparse_as_it_is = 0;
inline constexpr int cusparse_from_zero = 0;
/// `cusparseIndexType_t`.
enum class cusparse_index : int { bits32 = 2, bits64 = 3 };
/// `cusparseOrder_t`.
enum class cusparse_order : int { columns = 1, rows = 2 };
/// `cusparseSpMVAlg_t` and `cusparseSpMMAlg_t`: those of compressed rows that give the same bits in each run.
inline constexpr int cusparse_vector_algorithm = 3;
inline constexpr int cusparse_dense_algorithm = 12;
inline constexpr int cufft_forward = -1;
inline constexpr int cufft_inverse = 1;

}  // namespace yoke::inline v0_1::cuda::abi

// X(own name, cuBLAS's name, function type).
#define YOKE_CUBLAS_FUNCTIONS(X)                                                                                       \
  X(create, "cublasCreate_v2", library_status(cublas*))                                                                \
  X(destroy, "cublasDestroy_v2", library_status(cublas))                                                               \
  X(property, "cublasGetProperty", library_status(library_property, int*))                                             \
  X(set_stream, "cublasSetStream_v2", library_status(cublas, stream))                                                  \
  X(set_workspace, "cublasSetWorkspace_v2", library_status(cublas, void*, std::size_t))                                \
  X(set_math_mode, "cublasSetMathMode", library_status(cublas, uint))                                                  \
  X(gemm, "cublasGemmEx_64",                                                                                           \
    library_status(cublas, cublas_operation, cublas_operation, std::int64_t, std::int64_t, std::int64_t, const void*,  \
                   const void*, data_type, std::int64_t, const void*, data_type, std::int64_t, const void*, void*,     \
                   data_type, std::int64_t, cublas_compute, int))                                                      \
  X(gemm_strided_batched, "cublasGemmStridedBatchedEx_64",                                                             \
    library_status(cublas, cublas_operation, cublas_operation, std::int64_t, std::int64_t, std::int64_t, const void*,  \
                   const void*, data_type, std::int64_t, longlong, const void*, data_type, std::int64_t, longlong,     \
                   const void*, void*, data_type, std::int64_t, longlong, std::int64_t, cublas_compute, int))

// X(own name, cuFFT's name, function type).
#define YOKE_CUFFT_FUNCTIONS(X)                                                                                        \
  X(create, "cufftCreate", library_status(int*))                                                                       \
  X(destroy, "cufftDestroy", library_status(int))                                                                      \
  X(property, "cufftGetProperty", library_status(library_property, int*))                                              \
  X(set_auto_allocation, "cufftSetAutoAllocation", library_status(int, int))                                           \
  X(make_plan, "cufftXtMakePlanMany",                                                                                  \
    library_status(int, int, longlong*, longlong*, longlong, longlong, data_type, longlong*, longlong, longlong,       \
                   data_type, longlong, std::size_t*, data_type))                                                      \
  X(set_work_area, "cufftSetWorkArea", library_status(int, void*))                                                     \
  X(set_stream, "cufftSetStream", library_status(int, stream))                                                         \
  X(execute, "cufftXtExec", library_status(int, void*, void*, int))

// The two entry points that make orthonormal columns of one type from reflections.
#define YOKE_CUSOLVER_COLUMNS(X, own, symbol)                                                                          \
  X(own##_bytes, symbol "_bufferSize", library_status(cusolver, int, int, int, const void*, int, const void*, int*))   \
  X(own, symbol, library_status(cusolver, int, int, int, void*, int, const void*, void*, int, int*))

// X(own name, cuSOLVER's name, function type).
#define YOKE_CUSOLVER_FUNCTIONS(X)                                                                                     \
  X(create, "cusolverDnCreate", library_status(cusolver*))                                                             \
  X(destroy, "cusolverDnDestroy", library_status(cusolver))                                                            \
  X(property, "cusolverGetProperty", library_status(library_property, int*))                                           \
  X(set_stream, "cusolverDnSetStream", library_status(cusolver, stream))                                               \
  X(create_options, "cusolverDnCreateParams", library_status(cusolver_options*))                                       \
  X(destroy_options, "cusolverDnDestroyParams", library_status(cusolver_options))                                      \
  X(cholesky_bytes, "cusolverDnXpotrf_bufferSize",                                                                     \
    library_status(cusolver, cusolver_options, fill_mode, std::int64_t, data_type, const void*, std::int64_t,          \
                   data_type, std::size_t*, std::size_t*))                                                             \
  X(cholesky, "cusolverDnXpotrf",                                                                                      \
    library_status(cusolver, cusolver_options, fill_mode, std::int64_t, data_type, void*, std::int64_t, data_type,     \
                   void*, std::size_t, void*, std::size_t, int*))                                                      \
  X(lu_bytes, "cusolverDnXgetrf_bufferSize",                                                                           \
    library_status(cusolver, cusolver_options, std::int64_t, std::int64_t, data_type, const void*, std::int64_t,       \
                   data_type, std::size_t*, std::size_t*))                                                             \
  X(lu, "cusolverDnXgetrf",                                                                                            \
    library_status(cusolver, cusolver_options, std::int64_t, std::int64_t, data_type, void*, std::int64_t,             \
                   std::int64_t*, data_type, void*, std::size_t, void*, std::size_t, int*))                            \
  X(eigenvalues_bytes, "cusolverDnXsyevd_bufferSize",                                                                  \
    library_status(cusolver, cusolver_options, uint, fill_mode, std::int64_t, data_type, const void*, std::int64_t,    \
                   data_type, const void*, data_type, std::size_t*, std::size_t*))                                     \
  X(eigenvalues, "cusolverDnXsyevd",                                                                                   \
    library_status(cusolver, cusolver_options, uint, fill_mode, std::int64_t, data_type, void*, std::int64_t,          \
                   data_type, void*, data_type, void*, std::size_t, void*, std::size_t, int*))                         \
  X(singular_values_bytes, "cusolverDnXgesvd_bufferSize",                                                              \
    library_status(cusolver, cusolver_options, signed char, signed char, std::int64_t, std::int64_t, data_type,        \
                   const void*, std::int64_t, data_type, const void*, data_type, const void*, std::int64_t, data_type, \
                   const void*, std::int64_t, data_type, std::size_t*, std::size_t*))                                  \
  X(singular_values, "cusolverDnXgesvd",                                                                               \
    library_status(cusolver, cusolver_options, signed char, signed char, std::int64_t, std::int64_t, data_type, void*, \
                   std::int64_t, data_type, void*, data_type, void*, std::int64_t, data_type, void*, std::int64_t,     \
                   data_type, void*, std::size_t, void*, std::size_t, int*))                                           \
  X(reflections_bytes, "cusolverDnXgeqrf_bufferSize",                                                                  \
    library_status(cusolver, cusolver_options, std::int64_t, std::int64_t, data_type, const void*, std::int64_t,       \
                   data_type, const void*, data_type, std::size_t*, std::size_t*))                                     \
  X(reflections, "cusolverDnXgeqrf",                                                                                   \
    library_status(cusolver, cusolver_options, std::int64_t, std::int64_t, data_type, void*, std::int64_t, data_type,  \
                   void*, data_type, void*, std::size_t, void*, std::size_t, int*))                                    \
  YOKE_CUSOLVER_COLUMNS(X, columns_float, "cusolverDnSorgqr")                                                          \
  YOKE_CUSOLVER_COLUMNS(X, columns_double, "cusolverDnDorgqr")                                                         \
  YOKE_CUSOLVER_COLUMNS(X, columns_complex_float, "cusolverDnCungqr")                                                  \
  YOKE_CUSOLVER_COLUMNS(X, columns_complex_double, "cusolverDnZungqr")

// X(own name, cuSPARSE's name, function type).
#define YOKE_CUSPARSE_FUNCTIONS(X)                                                                                     \
  X(create, "cusparseCreate", library_status(cusparse*))                                                               \
  X(destroy, "cusparseDestroy", library_status(cusparse))                                                              \
  X(property, "cusparseGetProperty", library_status(library_property, int*))                                           \
  X(set_stream, "cusparseSetStream", library_status(cusparse, stream))                                                 \
  X(create_matrix, "cusparseCreateConstCsr",                                                                           \
    library_status(cusparse_const_matrix*, std::int64_t, std::int64_t, std::int64_t, const void*, const void*,         \
                   const void*, cusparse_index, cusparse_index, int, data_type))                                       \
  X(destroy_matrix, "cusparseDestroySpMat", library_status(cusparse_const_matrix))                                     \
  X(create_vector, "cusparseCreateDnVec", library_status(cusparse_vector*, std::int64_t, void*, data_type))            \
  X(destroy_vector, "cusparseDestroyDnVec", library_status(cusparse_const_vector))                                     \
  X(create_dense, "cusparseCreateDnMat",                                                                               \
    library_status(cusparse_dense*, std::int64_t, std::int64_t, std::int64_t, void*, data_type, cusparse_order))       \
  X(destroy_dense, "cusparseDestroyDnMat", library_status(cusparse_const_dense))                                       \
  X(by_vector_bytes, "cusparseSpMV_bufferSize",                                                                        \
    library_status(cusparse, int, const void*, cusparse_const_matrix, cusparse_const_vector, const void*,              \
                   cusparse_vector, data_type, int, std::size_t*))                                                     \
  X(by_vector, "cusparseSpMV",                                                                                         \
    library_status(cusparse, int, const void*, cusparse_const_matrix, cusparse_const_vector, const void*,              \
                   cusparse_vector, data_type, int, void*))                                                            \
  X(by_dense_bytes, "cusparseSpMM_bufferSize",                                                                         \
    library_status(cusparse, int, int, const void*, cusparse_const_matrix, cusparse_const_dense, const void*,          \
                   cusparse_dense, data_type, int, std::size_t*))                                                      \
  X(by_dense, "cusparseSpMM",                                                                                          \
    library_status(cusparse, int, int, const void*, cusparse_const_matrix, cusparse_const_dense, const void*,          \
                   cusparse_dense, data_type, int, void*))

namespace yoke::inline v0_1::cuda::abi {

#define YOKE_MEMBER(name, symbol, ...) pointer_to<__VA_ARGS__> name = nullptr;
/// cuBLAS's entry points as plain function pointers. Tests replace them.
struct cublas_functions {
  YOKE_CUBLAS_FUNCTIONS(YOKE_MEMBER)
};
/// cuFFT's entry points as plain function pointers. Tests replace them.
struct cufft_functions {
  YOKE_CUFFT_FUNCTIONS(YOKE_MEMBER)
};
/// cuSOLVER's entry points as plain function pointers. Tests replace them.
struct cusolver_functions {
  YOKE_CUSOLVER_FUNCTIONS(YOKE_MEMBER)
};
/// cuSPARSE's entry points as plain function pointers. Tests replace them.
struct cusparse_functions {
  YOKE_CUSPARSE_FUNCTIONS(YOKE_MEMBER)
};
#undef YOKE_MEMBER

}  // namespace yoke::inline v0_1::cuda::abi

#endif
