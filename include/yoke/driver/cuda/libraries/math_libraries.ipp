// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/libraries/math_libraries.hpp.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_MATH_LIBRARIES_IPP
#define YOKE_DRIVER_CUDA_LIBRARIES_MATH_LIBRARIES_IPP

#include <yoke/driver/cuda/libraries/math_libraries.hpp>

#include <yoke/driver/cuda/libraries/cublas_library.hpp>
#include <yoke/driver/cuda/libraries/cufft_library.hpp>
#include <yoke/driver/cuda/libraries/cusolver_library.hpp>
#include <yoke/driver/cuda/libraries/cusparse_library.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

YOKE_CODE_CATEGORY(cublas_category_instance, "yoke.cublas", &cublas_facts_of)
YOKE_CODE_CATEGORY(cufft_category_instance, "yoke.cufft", &cufft_facts_of)
YOKE_CODE_CATEGORY(cusolver_category_instance, "yoke.cusolver", &cusolver_facts_of)
YOKE_CODE_CATEGORY(cusparse_category_instance, "yoke.cusparse", &cusparse_facts_of)

given_libraries& libraries_of_tests() noexcept {
  static given_libraries given;
  return given;
}

/// All libraries of a context.
class cuda_libraries final : public yoke::detail::math_libraries {
  using family = yoke::detail::math_family;
  using plan = yoke::detail::library_plan;

  /// Returns: what `call` returns for the library of a family.
  template <class Call>
  auto with(family which, const Call& call) {
    switch (which) {
      case family::products: return call(blas_);
      case family::transforms: return call(fft_);
      case family::factorisations: return call(solver_);
      default: return call(sparse_);
    }
  }

 public:
  cuda_libraries(const abi::functions* driver, const context_facts& context,
                 const yoke::detail::library_options& options, const source_location& where)
      : blas_(driver, context, options, where),
        fft_(driver, context, options, where),
        solver_(driver, context, options, where),
        sparse_(driver, context, options, where) {}

  math_library facts(family which) override {
    return with(which, [](auto& library) { return library.facts(); });
  }
  bool has(family which, const source_location& where) override {
    return with(which, [&](auto& library) { return library.has(where); });
  }
  std::size_t product_workspace() const noexcept override { return blas_.workspace(); }
  bool multiply(std::uintptr_t in, const yoke::detail::library_product& of, std::uint64_t workspace,
                const source_location& where) override {
    return blas_.multiply(to_stream(in), of, workspace, where);
  }
  std::uintptr_t record(const yoke::detail::library_product& of, std::uint64_t workspace,
                        const source_location& where) override {
    return reinterpret_cast<std::uintptr_t>(blas_.record(of, workspace, where));
  }
  plan take_plan(std::uintptr_t in, const yoke::detail::library_transform& of, const source_location& where) override {
    return fft_.take_plan(to_stream(in), of, where);
  }
  void transform(const plan& by, std::uintptr_t in, std::uint64_t to, std::uint64_t from, std::uint64_t workspace,
                 bool inverse, const source_location& where) override {
    fft_.transform(by, to_stream(in), to, from, workspace, inverse, where);
  }
  std::uintptr_t record(const plan& by, std::uint64_t to, std::uint64_t from, std::uint64_t workspace, bool inverse,
                        const source_location& where) override {
    return reinterpret_cast<std::uintptr_t>(fft_.record(by, to, from, workspace, inverse, where));
  }
  void give_back(const plan& used) noexcept override { fft_.give_back(used); }
  yoke::detail::library_workspace workspace_of(std::uintptr_t in, const yoke::detail::library_factorisation& of,
                                               const source_location& where) override {
    return solver_.workspace_of(to_stream(in), of, where);
  }
  bool factor(std::uintptr_t in, const yoke::detail::library_factorisation& of,
              const yoke::detail::library_workspace& sizes, std::uint64_t on_device, void* on_host,
              const source_location& where) override {
    return solver_.factor(to_stream(in), of, sizes, on_device, on_host, where);
  }
  bool multiply(std::uintptr_t in, const yoke::detail::library_sparse_product& of,
                yoke::detail::library_memory& workspace, const source_location& where) override {
    return sparse_.multiply(to_stream(in), of, workspace, where);
  }
  void drop_idle() noexcept override {
    solver_.drop_idle();
    sparse_.drop_idle();
    fft_.drop_idle();
    blas_.drop_idle();
  }

 private:
  cublas_library blas_;
  cufft_library fft_;
  cusolver_library solver_;
  cusparse_library sparse_;
};

}  // namespace detail

yoke::detail::owner<yoke::detail::math_libraries> math_functions::libraries_of_context(
    abi::context context, const yoke::detail::library_options& options, const source_location& where) const {
  return yoke::detail::make_owner<detail::cuda_libraries>(
      table(), detail::contexts_of(table()).find(table(), context, where), options, where);
}

const std::error_category& cublas_error_category() noexcept { return detail::cublas_category_instance(); }
const std::error_category& cufft_error_category() noexcept { return detail::cufft_category_instance(); }
const std::error_category& cusolver_error_category() noexcept { return detail::cusolver_category_instance(); }
const std::error_category& cusparse_error_category() noexcept { return detail::cusparse_category_instance(); }

}  // namespace yoke::inline v0_1::cuda

#endif
