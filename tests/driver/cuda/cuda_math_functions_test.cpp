// SPDX-License-Identifier: MIT
// The lists of entry points of cuBLAS, cuFFT, cuSOLVER and cuSPARSE: signatures, enumerators and codes as in the vendor's headers.
#if __has_include(<cublas_v2.h>) && __has_include(<cufftXt.h>) && __has_include(<cusolverDn.h>) && \
    __has_include(<cusparse.h>)
#define YOKE_TEST_HAS_MATH_HEADERS
#include <cublas_v2.h>
#include <cufftXt.h>
#include <cusolverDn.h>
#include <cusparse.h>
#endif

#include <support/catch.hpp>
#include <support/drivers/abi_equal.hpp>

#include <yoke/driver/cuda/abi/status_codes.hpp>
#include <yoke/driver/cuda/code_facts.hpp>
#include <yoke/driver/cuda/libraries/functions.hpp>
#include <yoke/driver/cuda/libraries/math_libraries.hpp>

#include <set>
#include <string>
#include <type_traits>

namespace cu = yoke::cuda;
namespace cuda_abi = yoke::cuda::abi;

#if defined(YOKE_TEST_HAS_MATH_HEADERS)
#define YOKE_TEST_SAME(table, own, vendor)                                                                             \
  static_assert(yoke_test::abi_equal<decltype(cuda_abi::table::own), decltype(&::vendor)>);
YOKE_TEST_SAME(cublas_functions, create, cublasCreate_v2)
YOKE_TEST_SAME(cublas_functions, destroy, cublasDestroy_v2)
YOKE_TEST_SAME(cublas_functions, property, cublasGetProperty)
YOKE_TEST_SAME(cublas_functions, set_stream, cublasSetStream_v2)
YOKE_TEST_SAME(cublas_functions, set_workspace, cublasSetWorkspace_v2)
YOKE_TEST_SAME(cublas_functions, set_math_mode, cublasSetMathMode)
YOKE_TEST_SAME(cublas_functions, gemm, cublasGemmEx_64)
YOKE_TEST_SAME(cublas_functions, gemm_strided_batched, cublasGemmStridedBatchedEx_64)
YOKE_TEST_SAME(cufft_functions, create, cufftCreate)
YOKE_TEST_SAME(cufft_functions, destroy, cufftDestroy)
YOKE_TEST_SAME(cufft_functions, property, cufftGetProperty)
YOKE_TEST_SAME(cufft_functions, set_auto_allocation, cufftSetAutoAllocation)
YOKE_TEST_SAME(cufft_functions, make_plan, cufftXtMakePlanMany)
YOKE_TEST_SAME(cufft_functions, set_work_area, cufftSetWorkArea)
YOKE_TEST_SAME(cufft_functions, set_stream, cufftSetStream)
YOKE_TEST_SAME(cufft_functions, execute, cufftXtExec)
YOKE_TEST_SAME(cusolver_functions, create, cusolverDnCreate)
YOKE_TEST_SAME(cusolver_functions, destroy, cusolverDnDestroy)
YOKE_TEST_SAME(cusolver_functions, property, cusolverGetProperty)
YOKE_TEST_SAME(cusolver_functions, set_stream, cusolverDnSetStream)
YOKE_TEST_SAME(cusolver_functions, create_options, cusolverDnCreateParams)
YOKE_TEST_SAME(cusolver_functions, destroy_options, cusolverDnDestroyParams)
YOKE_TEST_SAME(cusolver_functions, cholesky_bytes, cusolverDnXpotrf_bufferSize)
YOKE_TEST_SAME(cusolver_functions, cholesky, cusolverDnXpotrf)
YOKE_TEST_SAME(cusolver_functions, lu_bytes, cusolverDnXgetrf_bufferSize)
YOKE_TEST_SAME(cusolver_functions, lu, cusolverDnXgetrf)
YOKE_TEST_SAME(cusolver_functions, eigenvalues_bytes, cusolverDnXsyevd_bufferSize)
YOKE_TEST_SAME(cusolver_functions, eigenvalues, cusolverDnXsyevd)
YOKE_TEST_SAME(cusolver_functions, singular_values_bytes, cusolverDnXgesvd_bufferSize)
YOKE_TEST_SAME(cusolver_functions, singular_values, cusolverDnXgesvd)
YOKE_TEST_SAME(cusolver_functions, reflections_bytes, cusolverDnXgeqrf_bufferSize)
YOKE_TEST_SAME(cusolver_functions, reflections, cusolverDnXgeqrf)
YOKE_TEST_SAME(cusparse_functions, create, cusparseCreate)
YOKE_TEST_SAME(cusparse_functions, destroy, cusparseDestroy)
YOKE_TEST_SAME(cusparse_functions, property, cusparseGetProperty)
YOKE_TEST_SAME(cusparse_functions, set_stream, cusparseSetStream)
YOKE_TEST_SAME(cusparse_functions, create_matrix, cusparseCreateConstCsr)
YOKE_TEST_SAME(cusparse_functions, destroy_matrix, cusparseDestroySpMat)
YOKE_TEST_SAME(cusparse_functions, create_vector, cusparseCreateDnVec)
YOKE_TEST_SAME(cusparse_functions, destroy_vector, cusparseDestroyDnVec)
YOKE_TEST_SAME(cusparse_functions, create_dense, cusparseCreateDnMat)
YOKE_TEST_SAME(cusparse_functions, destroy_dense, cusparseDestroyDnMat)
YOKE_TEST_SAME(cusparse_functions, by_vector_bytes, cusparseSpMV_bufferSize)
YOKE_TEST_SAME(cusparse_functions, by_vector, cusparseSpMV)
YOKE_TEST_SAME(cusparse_functions, by_dense_bytes, cusparseSpMM_bufferSize)
YOKE_TEST_SAME(cusparse_functions, by_dense, cusparseSpMM)
#undef YOKE_TEST_SAME

// One type of pointer stands for those to numbers of four types.
template <class T>
struct without_number {
  using type = T;
};
template <class T>
  requires(std::is_floating_point_v<T> || std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>)
struct without_number<T*> {
  using type = void*;
};
template <class T>
  requires(std::is_floating_point_v<T> || std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>)
struct without_number<const T*> {
  using type = const void*;
};
template <class R, class... A>
auto without_numbers(R (*)(A...)) -> R (*)(typename without_number<A>::type...);
#define YOKE_TEST_SAME(own, vendor)                                                                                    \
  static_assert(                                                                                                       \
      yoke_test::abi_equal<decltype(cuda_abi::cusolver_functions::own), decltype(without_numbers(&::vendor))>);
YOKE_TEST_SAME(columns_float_bytes, cusolverDnSorgqr_bufferSize)
YOKE_TEST_SAME(columns_float, cusolverDnSorgqr)
YOKE_TEST_SAME(columns_double_bytes, cusolverDnDorgqr_bufferSize)
YOKE_TEST_SAME(columns_double, cusolverDnDorgqr)
YOKE_TEST_SAME(columns_complex_float_bytes, cusolverDnCungqr_bufferSize)
YOKE_TEST_SAME(columns_complex_float, cusolverDnCungqr)
YOKE_TEST_SAME(columns_complex_double_bytes, cusolverDnZungqr_bufferSize)
YOKE_TEST_SAME(columns_complex_double, cusolverDnZungqr)
#undef YOKE_TEST_SAME

template <class Own, class Vendor>
constexpr bool is(Own own, Vendor vendor) {
  return static_cast<int>(own) == static_cast<int>(vendor);
}
static_assert(is(cuda_abi::data_type::real_float, CUDA_R_32F) && is(cuda_abi::data_type::real_double, CUDA_R_64F));
static_assert(is(cuda_abi::data_type::real_half, CUDA_R_16F) && is(cuda_abi::data_type::real_bfloat16, CUDA_R_16BF));
static_assert(is(cuda_abi::data_type::complex_float, CUDA_C_32F));
static_assert(is(cuda_abi::data_type::complex_double, CUDA_C_64F));
static_assert(is(cuda_abi::cublas_operation::none, CUBLAS_OP_N));
static_assert(is(cuda_abi::cublas_operation::transposed, CUBLAS_OP_T));
static_assert(is(cuda_abi::cublas_operation::conjugate_transposed, CUBLAS_OP_C));
static_assert(is(cuda_abi::cublas_compute::float32, CUBLAS_COMPUTE_32F));
static_assert(is(cuda_abi::cublas_compute::float64, CUBLAS_COMPUTE_64F));
static_assert(is(cuda_abi::cublas_compute::float32_fast_tf32, CUBLAS_COMPUTE_32F_FAST_TF32));
static_assert(cuda_abi::cublas_math_exact_sums == CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
static_assert(cuda_abi::cublas_gemm_default == CUBLAS_GEMM_DEFAULT);
static_assert(is(cuda_abi::library_property::patch, PATCH_LEVEL) &&
              is(cuda_abi::library_property::minor, MINOR_VERSION));
static_assert(cuda_abi::cufft_forward == CUFFT_FORWARD && cuda_abi::cufft_inverse == CUFFT_INVERSE);
static_assert(is(cuda_abi::cublas_not_supported, CUBLAS_STATUS_NOT_SUPPORTED));
static_assert(is(cuda_abi::cublas_license_error, CUBLAS_STATUS_LICENSE_ERROR));
static_assert(is(cuda_abi::cublas_mapping_error, CUBLAS_STATUS_MAPPING_ERROR));
static_assert(is(cuda_abi::fill_mode::lower, CUBLAS_FILL_MODE_LOWER));
static_assert(is(cuda_abi::cusolver_with_vectors, CUSOLVER_EIG_MODE_VECTOR));
static_assert(is(cuda_abi::cusolver_not_supported, CUSOLVER_STATUS_NOT_SUPPORTED));
static_assert(is(cuda_abi::cusolver_invalid_workspace, CUSOLVER_STATUS_INVALID_WORKSPACE));
static_assert(is(cuda_abi::cusparse_index::bits32, CUSPARSE_INDEX_32I) &&
              is(cuda_abi::cusparse_index::bits64, CUSPARSE_INDEX_64I));
static_assert(is(cuda_abi::cusparse_order::rows, CUSPARSE_ORDER_ROW) &&
              is(cuda_abi::cusparse_order::columns, CUSPARSE_ORDER_COL));
static_assert(is(cuda_abi::cusparse_as_it_is, CUSPARSE_OPERATION_NON_TRANSPOSE) &&
              is(cuda_abi::cusparse_from_zero, CUSPARSE_INDEX_BASE_ZERO));
static_assert(is(cuda_abi::cusparse_vector_algorithm, CUSPARSE_SPMV_CSR_ALG2) &&
              is(cuda_abi::cusparse_dense_algorithm, CUSPARSE_SPMM_CSR_ALG3));
static_assert(is(cuda_abi::cusparse_not_supported, CUSPARSE_STATUS_NOT_SUPPORTED) &&
              is(cuda_abi::cusparse_insufficient_resources, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES));
static_assert(is(cuda_abi::cufft_not_supported, CUFFT_NOT_SUPPORTED));
static_assert(is(cuda_abi::cufft_no_workspace, CUFFT_NO_WORKSPACE));
#endif

TEST_CASE("every code of cuBLAS, cuFFT, cuSOLVER and cuSPARSE has a name and a text of its own", "[driver][cuda]") {
  std::set<std::string> names;
  std::set<int> codes;
  for (int code = 0; code < 40; ++code) {
    const cu::detail::code_facts blas = cu::detail::cublas_facts_of(code);
    const cu::detail::code_facts fft = cu::detail::cufft_facts_of(code);
    CHECK(cu::cublas_error_category().message(code) == blas.name);
    const cu::detail::code_facts solver = cu::detail::cusolver_facts_of(code);
    const cu::detail::code_facts sparse = cu::detail::cusparse_facts_of(code);
    CHECK(cu::cufft_error_category().message(code) == fft.name);
    CHECK(cu::cusparse_error_category().message(code) == sparse.name);
    CHECK(cu::cusolver_error_category().message(code) == solver.name);
    for (const cu::detail::code_facts* const each : {&blas, &fft, &solver, &sparse}) {
      if (std::string(each->name).back() == '?') continue;
      CHECK(names.insert(each->name).second);
      CHECK(*each->text != '\0');
      if (code != 0) CHECK((each->condition != yoke::errc::success));
    }
  }
  CHECK(names.size() == 10 + 21 + 13 + 12);
#define YOKE_TEST_NAME(own, constant, value, ...) CHECK(names.count(constant) == 1);
  YOKE_CUBLAS_STATUS_CODES(YOKE_TEST_NAME)
  YOKE_CUFFT_STATUS_CODES(YOKE_TEST_NAME)
  YOKE_CUSOLVER_STATUS_CODES(YOKE_TEST_NAME)
  YOKE_CUSPARSE_STATUS_CODES(YOKE_TEST_NAME)
#undef YOKE_TEST_NAME
  CHECK(std::error_code(3, cu::cublas_error_category()) == yoke::errc::out_of_memory);
  CHECK(std::error_code(15, cu::cublas_error_category()) == yoke::errc::unsupported);
  CHECK(std::error_code(13, cu::cufft_error_category()) == yoke::errc::out_of_memory);
  CHECK(std::string(cu::cublas_error_category().name()) == "yoke.cublas");
  CHECK(std::string(cu::cufft_error_category().name()) == "yoke.cufft");
}
