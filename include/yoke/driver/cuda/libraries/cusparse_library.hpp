// SPDX-License-Identifier: MIT
// cuSPARSE of a context.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_CUSPARSE_LIBRARY_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_CUSPARSE_LIBRARY_HPP

#include <yoke/driver/cuda/libraries/context_library.hpp>

namespace yoke::inline v0_1::cuda::detail {

/// Sparse products by cuSPARSE. A call takes a handle that no other call has, descriptors and memory of its own: a
/// matrix may change, or end, between two calls.
class cusparse_library final : public context_library<cusparse_facts> {
 public:
  cusparse_library(const abi::functions* driver, const context_facts& context,
                   const yoke::detail::library_options& options, const source_location& where)
      : context_library(driver, context, options.libraries, where) {}
  cusparse_library(const cusparse_library&) = delete;
  cusparse_library& operator=(const cusparse_library&) = delete;
  ~cusparse_library() { drop_idle(); }

  [[nodiscard]] bool multiply(abi::stream order, const yoke::detail::library_sparse_product& of,
                              yoke::detail::library_memory& workspace, const source_location& where) {
    const functions& by = table();
    const current_context scope = current(where);
    const lease with(*this, order, where);
    const descriptors these(by, of);
    if (lacks(these.code)) return false;
    check(these.code, these.call, order, where);
    const library_scalars scalars(of);
    // Half precision is summed in float.
    const abi::data_type operands = data_type_of(of.operands);
    const bool is_half = operands == abi::data_type::real_half || operands == abi::data_type::real_bfloat16;
    const abi::data_type sums = is_half ? abi::data_type::real_float : operands;
    const bool vectors = of.columns == 1;
    constexpr int plain = abi::cusparse_as_it_is;
    std::size_t bytes = 0;
    const int asked = vectors ? by.by_vector_bytes(with.get(), plain, scalars.alpha, these.matrix, these.x,
                                                   scalars.beta, these.y, sums, abi::cusparse_vector_algorithm, &bytes)
                              : by.by_dense_bytes(with.get(), plain, plain, scalars.alpha, these.matrix, these.dense,
                                                  scalars.beta, these.to, sums, abi::cusparse_dense_algorithm, &bytes);
    if (lacks(asked)) return false;
    check(asked, vectors ? "cusparseSpMV_bufferSize" : "cusparseSpMM_bufferSize", order, where);
    void* const memory = bytes == 0 ? nullptr : to_pointer(workspace.take(bytes));
    const int code = vectors ? by.by_vector(with.get(), plain, scalars.alpha, these.matrix, these.x, scalars.beta,
                                            these.y, sums, abi::cusparse_vector_algorithm, memory)
                             : by.by_dense(with.get(), plain, plain, scalars.alpha, these.matrix, these.dense,
                                           scalars.beta, these.to, sums, abi::cusparse_dense_algorithm, memory);
    if (lacks(code)) return false;
    check(code, vectors ? "cusparseSpMV" : "cusparseSpMM", order, where);
    return true;
  }
  void drop_idle() noexcept {
    if (idle_.empty()) return;
    end([&] { idle_.end_all([&](abi::cusparse each) { (void)table().destroy(each); }); });
  }

 private:
  class lease {
   public:
    lease(cusparse_library& of, abi::stream order, const source_location& where) : of_(of) {
      const functions& by = of.table();
      const std::optional<abi::cusparse> there = of.idle_.take();
      handle_ = there.value_or(nullptr);
      const auto check = [&](int code, const char* call) {
        if (code == 0) return;
        if (handle_ != nullptr) (void)by.destroy(handle_);
        of.idle_.give_up();
        of.check(code, call, order, where);
      };
      if (!there) check(by.create(&handle_), "cusparseCreate");
      check(by.set_stream(handle_, order), "cusparseSetStream");
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() { of_.idle_.give_back(handle_); }
    [[nodiscard]] abi::cusparse get() const noexcept { return handle_; }

   private:
    cusparse_library& of_;
    abi::cusparse handle_ = nullptr;
  };

  /// What a product is of. It holds nothing on the device.
  struct descriptors {
    descriptors(const functions& from, const yoke::detail::library_sparse_product& of) : by(from) {
      const auto index = of.wide ? abi::cusparse_index::bits64 : abi::cusparse_index::bits32;
      const abi::data_type type = data_type_of(of.operands);
      const abi::data_type result = data_type_of(of.result);
      const auto make = [&](const char* name, const auto& entry, const auto&... parameters) {
        if (code != 0) return;
        code = entry(parameters...);
        call = name;
      };
      make("cusparseCreateConstCsr", by.create_matrix, &matrix, of.rows, of.extent, of.elements, to_pointer(of.starts),
           to_pointer(of.indices), to_pointer(of.values), index, index, abi::cusparse_from_zero, type);
      if (of.columns == 1) {
        make("cusparseCreateDnVec", by.create_vector, &x, of.extent, to_pointer(of.dense.address), type);
        make("cusparseCreateDnVec", by.create_vector, &y, of.rows, to_pointer(of.to.address), result);
        return;
      }
      const auto order_of = [](const yoke::detail::library_dense& each) {
        return each.by_rows ? abi::cusparse_order::rows : abi::cusparse_order::columns;
      };
      make("cusparseCreateDnMat", by.create_dense, &dense, of.extent, of.columns, of.dense.leading,
           to_pointer(of.dense.address), type, order_of(of.dense));
      make("cusparseCreateDnMat", by.create_dense, &to, of.rows, of.columns, of.to.leading, to_pointer(of.to.address),
           result, order_of(of.to));
    }
    descriptors(const descriptors&) = delete;
    descriptors& operator=(const descriptors&) = delete;
    ~descriptors() {
      if (x != nullptr) (void)by.destroy_vector(x);
      if (y != nullptr) (void)by.destroy_vector(y);
      if (dense != nullptr) (void)by.destroy_dense(dense);
      if (to != nullptr) (void)by.destroy_dense(to);
      if (matrix != nullptr) (void)by.destroy_matrix(matrix);
    }

    const functions& by;
    int code = 0;  // of the first call that failed
    const char* call = "";
    abi::cusparse_const_matrix matrix = nullptr;
    abi::cusparse_vector x = nullptr, y = nullptr;
    abi::cusparse_dense dense = nullptr, to = nullptr;
  };
  static bool lacks(int code) noexcept {
    return code == abi::cusparse_not_supported || code == abi::cusparse_matrix_type_not_supported ||
           code == abi::cusparse_arch_mismatch || code == abi::cusparse_insufficient_resources;
  }

  idle_handles<abi::cusparse> idle_{};
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif
