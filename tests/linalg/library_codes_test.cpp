// SPDX-License-Identifier: MIT
// Every code of the vendors' libraries from each of their entries: an error of its class, or own kernels; lost contexts,
// full pools, and the choice of libraries.
#include <linalg/library_rig.hpp>
#include <support/process/in_child.hpp>
#include <yoke/fft.hpp>
#include <yoke/sparse.hpp>

#include <functional>
#include <span>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::libraries;

namespace {

/// A code, and what comes of it: the class of the error.
struct code_case {
  int code;
  const char* said;
  bool is_lack = false;  ///< the library has no such function: where it may say so, own kernels do it
};
constexpr code_case blas_codes[]{{1, "unsupported"}, {3, "memory"},   {7, "logic"},    {8, "unsupported", true},
                                 {11, "runtime"},    {13, "runtime"}, {14, "runtime"}, {15, "unsupported", true},
                                 {16, "unsupported"}};
constexpr code_case fft_codes[]{{1, "logic"},
                                {2, "memory"},
                                {3, "logic"},
                                {4, "logic"},
                                {5, "runtime"},
                                {6, "runtime"},
                                {7, "unsupported"},
                                {8, "logic", true},
                                {9, "logic"},
                                {10, "logic"},
                                {11, "unsupported", true},
                                {12, "runtime"},
                                {13, "memory"},
                                {14, "unsupported", true},
                                {15, "unsupported"},
                                {16, "unsupported", true},
                                {17, "unsupported", true},
                                {18, "runtime"},
                                {19, "runtime"},
                                {20, "runtime"}};
constexpr code_case solver_codes[]{
    {1, "unsupported"},       {2, "memory"},   {3, "logic"},        {4, "unsupported", true},
    {5, "runtime"},           {6, "runtime"},  {7, "runtime"},      {8, "unsupported", true},
    {9, "unsupported", true}, {10, "runtime"}, {11, "unsupported"}, {31, "logic"}};
constexpr code_case sparse_codes[]{{1, "unsupported"},
                                   {2, "memory"},
                                   {3, "logic"},
                                   {4, "unsupported", true},
                                   {5, "runtime"},
                                   {6, "runtime"},
                                   {7, "runtime"},
                                   {8, "unsupported", true},
                                   {9, "runtime"},
                                   {10, "unsupported", true},
                                   {11, "unsupported", true}};

/// Returns: the class of what a call throws; "" if its result is right.
std::string thrown_by(const std::function<bool()>& call) {
  try {
    return call() ? "" : "wrong";
  } catch (const yoke::context_lost_error&) {
    return "lost";
  } catch (const yoke::memory_error& error) {
    CHECK(error.code() == yoke::errc::out_of_memory);
    return "memory";
  } catch (const yoke::logic_error&) {
    return "logic";
  } catch (const yoke::unsupported_error&) {
    return "unsupported";
  } catch (const yoke::runtime_error&) {
    return "runtime";
  }
}

/// Work of each library in one context.
struct works : library_rig {
  using library_rig::library_rig;
  yoke::device_array<float, 2> a = yoke::to_device_array(std::vector<float>{4, 1, 1, 3}, {2, 2}, stream);
  yoke::device_array<complex, 1> line = yoke::ones<complex>({12}, stream);
  yoke::csr_matrix<float> sparse{yoke::to_device_array({0, 1, 2}, stream),
                                 yoke::to_device_array({1, 0}, stream),
                                 yoke::to_device_array({2.0F, 3.0F}, stream),
                                 {2, 2}};

  static bool is(const std::vector<float>& made, const std::vector<float>& expected) {
    return is_close(made, expected, 1e-5);
  }
  std::function<bool()> product = [this] { return is(yoke::matmul(a, a).to_host(), {17, 7, 7, 10}); };
  std::function<bool()> transform = [this] {
    return is_close({yoke::fft(line).to_host()[0]}, std::vector{complex(12, 0)}, 1e-6);
  };
  std::function<bool()> cholesky = [this] { return yoke::cholesky(a).to_host()[0] == 2; };
  std::function<bool()> lu = [this] { return is({yoke::det(a).value()}, {11}); };
  std::function<bool()> eigh = [this] { return is({yoke::eigh(a).values.to_host()[0]}, {2.381966F}); };
  std::function<bool()> svd = [this] { return is({yoke::svd(a).s.to_host()[0]}, {4.618034F}); };
  std::function<bool()> qr = [this] {
    const auto [q, r] = yoke::qr(a);
    return is(yoke::matmul(q, r).to_host(), {4, 1, 1, 3});
  };
  std::function<bool()> by_vector = [this] {
    return is(yoke::matmul(sparse, yoke::ones<float>({2}, stream)).to_host(), {2, 3});
  };
  std::function<bool()> by_dense = [this] { return is(yoke::matmul(sparse, a).to_host(), {2, 6, 12, 3}); };
};

/// Effects: lets an entry return each code in turn, and checks what the call makes of it; then it works again.
/// `falls_back`: a lack sends the call to own kernels.
void check_codes(const works& in, const char* entry, std::span<const code_case> codes,
                 const std::function<bool()>& call, bool falls_back) {
  for (const code_case& each : codes) {
    INFO(entry << " returns " << each.code);
    in.drop_idle();  // what was made before is made again
    fake_math().answers[entry] = each.code;
    const int before = fake_math().count(entry);
    const std::string said = thrown_by(call);
    CHECK(fake_math().count(entry) > before);
    fake_math().answers.clear();
    CHECK(said == (falls_back && each.is_lack ? "" : each.said));
  }
  CHECK(call());
}

}  // namespace

YOKE_CUDA_TEST_CASE("each code from each entry of cuBLAS and cuFFT is an error of its class, or own kernels'",
                    "[linalg][fft]") {
  const fake_libraries fake;
  {
    const works in(any_device_of(device));
    for (const char* const entry : {"cublasCreate", "cublasSetMathMode", "cublasSetStream", "cublasSetWorkspace"}) {
      check_codes(in, entry, blas_codes, in.product, false);
    }
    check_codes(in, "cublasGemmEx", blas_codes, in.product, true);
    const auto twice = yoke::ones<float>({2, 3, 3}, in.stream);
    const auto batch = [&] { return yoke::matmul(twice, twice).to_host() == std::vector<float>(18, 3.0F); };
    check_codes(in, "cublasGemmStridedBatchedEx", blas_codes, batch, true);
    for (const char* const entry :
         {"cufftCreate", "cufftSetAutoAllocation", "cufftSetStream", "cufftSetWorkArea", "cufftXtExec"}) {
      check_codes(in, entry, fft_codes, in.transform, false);
    }
    check_codes(in, "cufftXtMakePlanMany", fft_codes, in.transform, true);
    fake_math().answers["cublasGemmEx"] = cuda_abi::cublas_internal_error;
    CHECK_THROWS_WITH(in.product(), ContainsSubstring("an internal error of the library [cublasGemmEx: "
                                                      "CUBLAS_STATUS_INTERNAL_ERROR (14)]"));
    fake_math().answers["cublasGemmEx"] = 99;
    CHECK_THROWS_WITH(in.product(), ContainsSubstring("CUBLAS_STATUS_? (99)"));
    fake_math().answers.clear();
  }
  CHECK(fake_math().handles.empty());
  CHECK(fake_math().plans.empty());
}

YOKE_CUDA_TEST_CASE("each code from each entry of cuSOLVER is an error of its class, or own kernels'", "[linalg]") {
  const fake_libraries fake;
  {
    const works in(any_device_of(device));
    for (const char* const entry : {"cusolverDnCreate", "cusolverDnCreateParams", "cusolverDnSetStream"}) {
      check_codes(in, entry, solver_codes, in.lu, false);
    }
    const std::pair<const char*, const std::function<bool()>*> calls[]{
        {"cusolverDnXpotrf", &in.cholesky}, {"cusolverDnXgetrf", &in.lu}, {"cusolverDnXsyevd", &in.eigh},
        {"cusolverDnXgesvd", &in.svd},      {"cusolverDnXgeqrf", &in.qr}, {"cusolverDnSorgqr", &in.qr}};
    for (const auto& [entry, call] : calls) {
      check_codes(in, (std::string(entry) + "_bufferSize").c_str(), solver_codes, *call, true);
      // Reflections are made once its workspace was told.
      check_codes(in, entry, solver_codes, *call, entry != std::string_view("cusolverDnSorgqr"));
    }
  }
  CHECK(fake_math().handles.empty());
}

YOKE_CUDA_TEST_CASE("each code from each entry of cuSPARSE is an error of its class, or own kernels'",
                    "[linalg][sparse]") {
  const fake_libraries fake;
  {
    const works in(any_device_of(device));
    for (const char* const entry : {"cusparseCreate", "cusparseSetStream"}) {
      check_codes(in, entry, sparse_codes, in.by_vector, false);
    }
    for (const char* const entry :
         {"cusparseCreateConstCsr", "cusparseCreateDnVec", "cusparseSpMV_bufferSize", "cusparseSpMV"}) {
      check_codes(in, entry, sparse_codes, in.by_vector, true);
    }
    for (const char* const entry : {"cusparseCreateDnMat", "cusparseSpMM_bufferSize", "cusparseSpMM"}) {
      check_codes(in, entry, sparse_codes, in.by_dense, true);
    }
    CHECK(fake_math().handles.size() == 1);
  }
  CHECK(fake_math().handles.empty());
}

YOKE_CUDA_TEST_CASE("a context that is lost in a library's call is told as lost", "[linalg]") {
  const fake_libraries fake;
  counting_rig through_driver(any_device_of(device));
  const auto lost = [&](const char* entry, int code, const auto& call) {
    INFO(entry);
    fake_math().answers[entry] = code;
    through_driver.cuda->driver.fail_function("stream_query", 1, fault_mode::once, 700);
    CHECK(thrown_by(call) == "lost");
    through_driver.cuda->driver.disarm();
    CHECK(thrown_by(call) == "runtime");  // the driver knows of nothing
    fake_math().answers.clear();
    CHECK(thrown_by(call).empty());
  };
  const auto& stream = through_driver.stream;
  const auto a = yoke::ones<float>({2, 2}, stream);
  const yoke::csr_matrix<float> sparse{yoke::to_device_array({0, 1, 2}, stream),
                                       yoke::to_device_array({1, 0}, stream),
                                       yoke::to_device_array({2.0F, 3.0F}, stream),
                                       {2, 2}};
  lost("cublasGemmEx", cuda_abi::cublas_execution_failed,
       [&] { return yoke::matmul(a, a).to_host() == std::vector<float>(4, 2.0F); });
  const auto transform = [&](std::int64_t points) {
    return
        [&stream, points] { return std::abs(yoke::fft(yoke::ones<complex>({points}, stream)).to_host()[1]) < 1e-6F; };
  };
  lost("cufftXtMakePlanMany", cuda_abi::cufft_internal_error, transform(4));
  lost("cufftXtExec", cuda_abi::cufft_exec_failed, transform(2));
  lost("cusolverDnXgetrf", cuda_abi::cusolver_execution_failed, [&] { return yoke::det(a).value() == 0; });
  lost("cusparseSpMV", cuda_abi::cusparse_execution_failed, [&] {
    return yoke::matmul(sparse, yoke::ones<float>({2}, stream)).to_host() == std::vector<float>{2, 3};
  });
}

YOKE_CUDA_TEST_CASE("a full pool is a memory_error with figures, and the library's call is not made", "[linalg]") {
  const fake_libraries fake;
  const any_rig state(any_device_of(device));
  yoke::use_array_pool(state.context, {.limit_bytes = 100'000});
  const auto a = yoke::ones<float>({2, 2}, state.stream);
  CHECK_THROWS_AS(yoke::matmul(a, a), yoke::memory_error);  // its workspace has megabytes
  CHECK_THROWS_WITH(yoke::matmul(a, a), ContainsSubstring("its limit is 100000 bytes"));
  CHECK(fake_math().count("cublasGemmEx") == 0);
  fake_math().workspace_bytes = 200'000;
  const auto line = yoke::ones<complex>({12}, state.stream);
  CHECK_THROWS_WITH(yoke::fft(line), ContainsSubstring("its limit is 100000 bytes"));
  CHECK(fake_math().count("cufftXtExec") == 0);
  fake_math().sparse_bytes = 200'000;
  const yoke::csr_matrix<float> sparse{yoke::to_device_array({0, 1}, state.stream),
                                       yoke::to_device_array({0}, state.stream),
                                       yoke::to_device_array({2.0F}, state.stream),
                                       {1, 1}};
  const auto x = yoke::ones<float>({1}, state.stream);
  CHECK_THROWS_WITH(yoke::matmul(sparse, x), ContainsSubstring("its limit is 100000 bytes"));
  CHECK(fake_math().count("cusparseSpMV") == 0);
  // The plan, the handle and the descriptors are free again.
  fake_math().sparse_bytes = 96;
  fake_math().workspace_bytes = 256;
  CHECK(yoke::matmul(sparse, x).to_host() == std::vector<float>{2});
  CHECK(yoke::fft(yoke::ones<complex>({4}, state.stream)).to_host()[0] == complex(4, 0));
  for (const auto& [plan, of] : fake_math().plans) CHECK(of.batches == 1);
}

YOKE_CUDA_TEST_CASE("a context that is not the device's primary one sees no call of a library", "[linalg]") {
  const fake_libraries fake;
  const yoke::context<> context = yoke::as_any(yoke::cuda::create_context(device));
  const yoke::stream<> stream{context};
  const auto a = yoke::to_device_array(std::vector<float>{4, 1, 1, 3}, {2, 2}, stream);
  CHECK(yoke::matmul(a, a).to_host() == std::vector<float>{17, 7, 7, 10});
  CHECK(yoke::cholesky(a).to_host()[0] == 2);
  CHECK(yoke::fft(yoke::ones<complex>({4}, stream)).to_host()[0] == complex(4, 0));
  CHECK(fake_math().calls.empty());
  const yoke::linalg_libraries all = yoke::linalg_library(context);
  for (const yoke::math_library* const each : {&all.products, &all.transforms, &all.factorisations, &all.sparse}) {
    CHECK(each->name.empty());
    CHECK(each->reason == "the context is not the device's primary one, which CUDA's libraries need");
  }
  yoke::context<> named = yoke::as_any(yoke::cuda::create_context(device));
  yoke::use_linalg(named, {.libraries = "cublas"});
  const yoke::stream<> other{named};
  const auto b = yoke::ones<float>({2, 2}, other);
  CHECK_THROWS_WITH(yoke::matmul(b, b), ContainsSubstring("not the device's primary one"));
}

YOKE_CUDA_TEST_CASE("YOKE_LIBRARIES=own keeps a program from all libraries", "[linalg]") {
  if (!in_child({{"YOKE_LIBRARIES", "own"}})) return;
  const fake_libraries fake;
  const works in(any_device_of(device));
  CHECK(in.product());
  CHECK(in.transform());
  CHECK(in.cholesky());
  CHECK(in.by_vector());
  CHECK(fake_math().calls.empty());
  CHECK(yoke::linalg_library(in.context).products.reason == "the libraries that may be used do not name cublas");
  // The program's own word counts more.
  const works chosen(any_device_of(device), {.libraries = "cublas"});
  CHECK(chosen.product());
  CHECK(fake_math().count("cublasGemmEx") == 1);
}

YOKE_CUDA_TEST_CASE("YOKE_LIBRARIES names the libraries that a program may use", "[linalg]") {
  if (!in_child({{"YOKE_LIBRARIES", "cufft,cusparse"}})) return;
  const fake_libraries fake;
  const works in(any_device_of(device));
  CHECK(in.product());
  CHECK(in.cholesky());
  CHECK(fake_math().calls.empty());
  CHECK(in.transform());
  CHECK(in.by_vector());
  CHECK(fake_math().count("cufftXtExec") == 1);
  CHECK(fake_math().count("cusparseSpMV") == 1);
  const yoke::linalg_libraries all = yoke::linalg_library(in.context);
  CHECK(all.transforms.name == "cuFFT 12.0.1");
  CHECK(all.factorisations.reason == "the libraries that may be used do not name cusolver");
  // What it names must be there: tests give no library here.
  yoke::cuda::detail::libraries_of_tests() = {};
  if (yoke::cuda::detail::driver_if_loaded()->named) {
    const works none(any_device_of(device));
    CHECK_THROWS_WITH(none.transform(), StartsWith("the libraries that may be used name cufft: "));
  }
}

YOKE_CUDA_TEST_CASE("a wrong word in YOKE_LIBRARIES is an error of the first product", "[linalg]") {
  if (!in_child({{"YOKE_LIBRARIES", "cublas,mkl"}})) return;
  const any_rig state(any_device_of(device));
  const however_small all;
  const auto a = yoke::ones<float>({2, 2}, state.stream);
  CHECK_THROWS_WITH(yoke::matmul(a, a), StartsWith("libraries \"cublas,mkl\": \"mkl\" is not known"));
}
