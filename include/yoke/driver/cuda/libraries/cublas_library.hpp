// SPDX-License-Identifier: MIT
// cuBLAS of a context.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_CUBLAS_LIBRARY_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_CUBLAS_LIBRARY_HPP

#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/libraries/context_library.hpp>

namespace yoke::inline v0_1::cuda::detail {

/// Products by cuBLAS. A call takes a handle that no other call has, and memory for its work.
class cublas_library final : public context_library<cublas_facts> {
 public:
  cublas_library(const abi::functions* driver, const context_facts& context,
                 const yoke::detail::library_options& options, const source_location& where)
      : context_library(driver, context, options.libraries, where),
        tf32_(options.tf32),
        workspace_bytes_(options.workspace_bytes) {
    if (workspace_bytes_ == 0) {
      const int major = get(*driver, context.device, info::compute_capability_major, where);
      workspace_bytes_ = std::size_t{major >= 9 ? 32U : 4U} << 20U;
    }
  }
  cublas_library(const cublas_library&) = delete;
  cublas_library& operator=(const cublas_library&) = delete;
  ~cublas_library() { drop_idle(); }

  [[nodiscard]] std::size_t workspace() const noexcept { return workspace_bytes_; }
  [[nodiscard]] bool multiply(abi::stream order, const yoke::detail::library_product& of, std::uint64_t workspace,
                              const source_location& where) {
    const current_context scope = current(where);
    lease with(*this, order, where);
    return enqueue(with, order, of, workspace, where);
  }
  /// As `math_libraries`. Returns: null for a product that the library does not have.
  [[nodiscard]] abi::graph record(const yoke::detail::library_product& of, std::uint64_t workspace,
                                  const source_location& where) {
    const current_context scope = current(where);
    lease with(*this, nullptr, where);  // a handle cannot be made in a capture
    const auto in_capture = [&](abi::stream order) { return enqueue(with, order, of, workspace, where); };
    try {
      abi::graph const made = captured(in_capture, where);
      with.forget();
      return made;
    } catch (...) {
      with.forget();
      throw;
    }
  }
  void drop_idle() noexcept {
    if (idle_.empty()) return;
    end([&] { idle_.end_all([&](const kept& each) { (void)table().destroy(each.handle); }); });
  }

 private:
  struct kept {
    abi::cublas handle = nullptr;
    abi::stream order = nullptr;  // that it was given last
    std::uint64_t workspace = 0;  // and its workspace
    bool is_set = false;
  };
  class lease {
   public:
    lease(cublas_library& of, abi::stream order, const source_location& where) : of_(of) {
      if (const std::optional<kept> there = of.idle_.take()) {
        kept_ = *there;
        return;
      }
      const functions& of_blas = of.table();
      const auto check = [&](int code, const char* call) {
        if (code == 0) return;
        if (kept_.handle != nullptr) (void)of_blas.destroy(kept_.handle);
        of.idle_.give_up();
        of.check(code, call, order, where);
      };
      check(of_blas.create(&kept_.handle), "cublasCreate");
      check(of_blas.set_math_mode(kept_.handle, abi::cublas_math_exact_sums), "cublasSetMathMode");
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() { of_.idle_.give_back(kept_); }
    [[nodiscard]] abi::cublas get() const noexcept { return kept_.handle; }
    [[nodiscard]] bool is_new(abi::stream order, std::uint64_t workspace) const noexcept {
      return !kept_.is_set || kept_.order != order || kept_.workspace != workspace;
    }
    void forget() noexcept { kept_.is_set = false; }
    void note(abi::stream order, std::uint64_t workspace) noexcept {
      kept_.order = order;
      kept_.workspace = workspace;
      kept_.is_set = true;
    }

   private:
    cublas_library& of_;
    kept kept_{};
  };
  [[nodiscard]] bool enqueue(lease& with, abi::stream order, const yoke::detail::library_product& of,
                             std::uint64_t workspace, const source_location& where) {
    const functions& of_blas = table();
    // A new stream takes the library's own workspace, which other streams share.
    if (with.is_new(order, workspace)) {
      with.forget();
      check(of_blas.set_stream(with.get(), order), "cublasSetStream", order, where);
      check(of_blas.set_workspace(with.get(), to_pointer(workspace), workspace_bytes_), "cublasSetWorkspace", order,
            where);
      with.note(order, workspace);
    }
    using enum yoke::detail::library_type;
    const library_scalars scalars(of);
    const auto compute = scalars.in_double ? abi::cublas_compute::float64
                         : tf32_ && (of.operands == float32 || of.operands == complex64)
                             ? abi::cublas_compute::float32_fast_tf32
                             : abi::cublas_compute::float32;
    const abi::data_type type = data_type_of(of.operands);
    const abi::data_type result = data_type_of(of.result);
    const int code =
        of.batches == 1
            ? of_blas.gemm(with.get(), operation(of.left), operation(of.right), of.m, of.n, of.k, scalars.alpha,
                           to_pointer(of.left.address), type, of.left.leading, to_pointer(of.right.address), type,
                           of.right.leading, scalars.beta, to_pointer(of.to.address), result, of.to.leading, compute,
                           abi::cublas_gemm_default)
            : of_blas.gemm_strided_batched(with.get(), operation(of.left), operation(of.right), of.m, of.n, of.k,
                                           scalars.alpha, to_pointer(of.left.address), type, of.left.leading,
                                           of.left.batch, to_pointer(of.right.address), type, of.right.leading,
                                           of.right.batch, scalars.beta, to_pointer(of.to.address), result,
                                           of.to.leading, of.to.batch, of.batches, compute, abi::cublas_gemm_default);
    if (code == abi::cublas_not_supported || code == abi::cublas_arch_mismatch) return false;
    check(code, of.batches == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx", order, where);
    return true;
  }
  static abi::cublas_operation operation(const yoke::detail::library_matrix& of) noexcept {
    return !of.transposed  ? abi::cublas_operation::none
           : of.conjugated ? abi::cublas_operation::conjugate_transposed
                           : abi::cublas_operation::transposed;
  }

  bool tf32_;
  std::size_t workspace_bytes_;
  idle_handles<kept> idle_{};
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif
